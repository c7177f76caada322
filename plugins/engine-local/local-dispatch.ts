import type { StateChange, WorkOptions } from '../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { CallRecord } from '../shared/calls/call-record.ts';
import { OrphanedCalls } from '../shared/calls/orphaned-calls.ts';
import { queueKeys } from '../shared/calls/queue-keys.ts';
import { CallWorker } from './call-worker.ts';

/** Dispatches calls by index entries next to their records: one for each waiting call, and one for each call that a process runs. */
export class LocalDispatch implements CallDispatch {
  readonly #parts: DispatchParts;
  readonly #workers = new Set<CallWorker>();
  #orphanedCalls: OrphanedCalls | undefined;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  indexEntries(place: string, { status, caller, runAt, tool, by }: CallRecord): readonly StateChange[] {
    if (status === 'waiting') return [{ key: queueKeys.queue(caller, runAt, place), value: tool }];
    return status === 'running' && by !== undefined ? [{ key: queueKeys.running(by, place), value: '' }] : [];
  }

  async work(options: WorkOptions): Promise<() => Promise<void>> {
    await this.#parts.changes.open('queue/');
    this.#orphanedCalls ??= new OrphanedCalls(this.#parts);
    const worker = new CallWorker(this.#parts, options);
    this.#workers.add(worker);
    return async () => {
      await worker.stop();
      this.#workers.delete(worker);
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    await this.#orphanedCalls?.close();
  }
}
