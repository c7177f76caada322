import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { JobTimer } from './job-timer.ts';
import { JobSchema, type PlannedJob, planJobs } from './jobs.ts';

/**
 * Submits durable calls at times given by cron expressions, in every process that serves, and in `toolkit worker`. The id of a call consists of
 * the id of its job and its due time, such as `nightly 2026-01-31T02:00:00.000Z`: each time is one call, however many processes share a store.
 * Times that pass while no process runs are skipped. A process that was held up, or could not reach the store, catches up on the last minute. The
 * calls are the operator's: `requires_approval` does not hold them back, but policies apply. Needs a plugin that runs durable calls, such as
 * `engine-local`.
 */
export const schedule = definePlugin({
  name: 'schedule',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** The jobs: which tool to call, and when. */
      jobs: Type.Array(JobSchema),
    },
    { additionalProperties: false },
  ),
  async apply(api, { jobs = [] }) {
    if (jobs.length === 0) return;
    const planned = await planJobs(jobs);
    const timers: JobTimer[] = [];
    api.hooks.serve.tap('schedule', () => {
      const { calls, closing } = api.kernel;
      for (const job of planned) refuseInvalidCall(job, () => calls.check(job.tool, job.parameters, { durable: true, caller: job.caller }));
      for (const { id, note } of planned) if (note !== undefined) api.logger.info(`the job "${id}": ${note}`);
      timers.push(...planned.map((job) => new JobTimer(job, { calls, closing, logger: api.logger })));
    });
    api.hooks.dispose.tapPromise('schedule', async () => {
      await Promise.all(timers.map((timer) => timer.close()));
    });
  },
});

function refuseInvalidCall({ createError: refusal }: PlannedJob, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw refusal('cannot be made', error);
  }
}
