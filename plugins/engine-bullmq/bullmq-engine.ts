import { StoredCalls, type StoredCallsOptions } from '../shared/calls/stored-calls.ts';
import { BullMqDispatch, type BullMqDispatchOptions } from './bullmq-dispatch.ts';

export interface BullMqEngineOptions extends StoredCallsOptions, BullMqDispatchOptions {}

/** Durable calls that are dispatched through BullMQ. */
export class BullMqEngine extends StoredCalls {
  constructor(options: BullMqEngineOptions) {
    super(options, (parts) => new BullMqDispatch(parts, options));
  }
}
