import type { WorkOptions } from '../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { CallRecord } from '../shared/calls/call-record.ts';
import type { PutCall } from '../shared/calls/put-call.ts';
import { CallWorker } from './call-worker.ts';
import { LeftCalls } from './left-calls.ts';
import { queueKeys } from './queue-keys.ts';
import { RunningCalls } from './running-calls.ts';

/** Brings calls to who makes them by entries in the store that keeps them: of those that wait, and of those that each process runs. */
export class LocalDispatch implements CallDispatch {
  readonly #parts: DispatchParts;
  readonly #running: RunningCalls;
  readonly #workers = new Set<CallWorker>();
  #left: LeftCalls | undefined;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#running = new RunningCalls(parts);
  }

  readonly put: PutCall = (place, { caller, runAt, tool }) => this.#parts.state.set(queueKeys.queue(caller, runAt, place), tool);

  async drop(place: string, { caller, runAt }: CallRecord): Promise<void> {
    await this.#parts.state.delete(queueKeys.queue(caller, runAt, place));
  }

  async work(options: WorkOptions): Promise<() => Promise<void>> {
    const parts = { ...this.#parts, running: this.#running };
    this.#left ??= new LeftCalls(parts);
    const worker = new CallWorker(parts, options);
    this.#workers.add(worker);
    return async () => {
      await worker.stop();
      this.#workers.delete(worker);
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    await this.#left?.close();
  }
}
