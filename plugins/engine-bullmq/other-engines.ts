import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { JobQueue } from './job-queue.ts';
import type { QueuedJob } from './queued-job.ts';

const pageSize = 1000;

export interface OtherEnginesParts extends Pick<DispatchParts, 'records' | 'run' | 'process'> {
  readonly queue: JobQueue;
}

/**
 * Takes on the calls that another engine has left in this store: adds jobs for those that wait, and reschedules those whose process is dead.
 * Reads every record once. Adding a job that exists has no effect, so that several processes may do it at the same time.
 */
export async function adoptCalls({ records, run, process, queue }: OtherEnginesParts): Promise<void> {
  for (let after: string | undefined; ; ) {
    const { found, last } = await records.page(after, pageSize);
    const waiting: QueuedJob[] = [];
    for (const read of found) {
      const { callKey, record } = read;
      if (record.status === 'waiting') waiting.push({ callKey, runAt: record.runAt });
      const by = record.status === 'running' ? (record.by ?? '') : process.id;
      if (by !== process.id && (await process.isDead(by))) await run.rescheduleOrphan(read);
    }
    await queue.add(waiting);
    if (last === undefined) return;
    after = last;
  }
}
