import { StoredCalls, type StoredCallsOptions } from '../shared/calls/stored-calls.ts';
import { DbosDispatch, type DbosDispatchOptions } from './dbos-dispatch.ts';

export interface DbosEngineOptions extends StoredCallsOptions, DbosDispatchOptions {}

/** Durable calls that are dispatched through DBOS. */
export class DbosEngine extends StoredCalls {
  constructor(options: DbosEngineOptions) {
    super(options, (parts) => new DbosDispatch(parts, options));
  }
}
