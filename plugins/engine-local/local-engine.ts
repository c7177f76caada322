import { StoredCalls, type StoredCallsOptions } from '../shared/calls/stored-calls.ts';
import { LocalDispatch } from './local-dispatch.ts';

/** Durable calls that are brought to who makes them by the store that keeps them. */
export class LocalEngine extends StoredCalls {
  constructor(options: StoredCallsOptions) {
    super(options, (parts) => new LocalDispatch(parts));
  }
}
