import { StoredCalls, type StoredCallsOptions } from '../shared/calls/stored-calls.ts';
import { LocalDispatch } from './local-dispatch.ts';

/** Durable calls that are dispatched through the store that holds them. */
export class LocalEngine extends StoredCalls {
  constructor(options: StoredCallsOptions) {
    super(options, (parts) => new LocalDispatch(parts));
  }
}
