import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { JobTimer } from './job-timer.ts';
import { JobSchema, type PlannedJob, plannedJobs } from './jobs.ts';

/**
 * Submits durable calls at times that cron expressions say, in every process that serves, and in `toolkit worker`. The id of a call is made of that
 * of its job and the time at which it was due, such as `nightly 2026-01-31T02:00:00.000Z`: however many processes share a store, each time is one
 * call. Times that pass while no process runs are skipped; one that was held up, or could not reach the store, makes up for the last minute. The
 * calls are those of the operator, so `requires_approval` does not hold them, but policies do. Needs a plugin that keeps durable calls, such as
 * `engine-local`.
 */
export const schedule = definePlugin({
  name: 'schedule',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** What is called when. */
      jobs: Type.Array(JobSchema),
    },
    { additionalProperties: false },
  ),
  async apply(api, { jobs = [] }) {
    if (jobs.length === 0) return;
    const planned = await plannedJobs(jobs);
    const timers: JobTimer[] = [];
    api.hooks.serve.tap('schedule', () => {
      const { calls, closing } = api.kernel;
      for (const job of planned) checkCall(job, () => calls.check(job.tool, job.parameters, { durable: true, caller: job.caller }));
      for (const { id, note } of planned) if (note !== undefined) api.logger.info(`the job "${id}": ${note}`);
      timers.push(...planned.map((job) => new JobTimer(job, { calls, closing, logger: api.logger })));
    });
    api.hooks.dispose.tapPromise('schedule', async () => {
      await Promise.all(timers.map((timer) => timer.close()));
    });
  },
});

function checkCall({ refusal }: PlannedJob, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw refusal('cannot be made', error);
  }
}
