import { expect } from 'chai';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import type { JobQueue, NewJob } from '../../../plugins/engine-bullmq/job-queue.ts';
import { MissingJobs } from '../../../plugins/engine-bullmq/missing-jobs.ts';
import { queueKeys } from '../../../plugins/shared/calls/queue-keys.ts';

describe('the sweep for calls without a job', () => {
  const now = Date.now();
  let state: MemoryStore;
  let batches: (readonly NewJob[])[];
  let sweep: MissingJobs;
  beforeEach(() => {
    state = new MemoryStore(Date.now);
    batches = [];
    const queue = { add: async (jobs: readonly NewJob[]) => void batches.push(jobs) } as unknown as JobQueue;
    sweep = new MissingJobs({ state, queue, acceptsTool: (tool) => tool !== 'of others' });
  });
  const wait = (caller: string, runAt: number, callKey: string, tool = 'act') => state.set(queueKeys.queue(caller, runAt, callKey), tool);

  it('adds jobs for all calls of the worker at first, then for late ones, page by page', async () => {
    for (let n = 0; n < 450; n++) await wait('ada', now - 10_000 + n, `due-${n}`);
    await wait('ada', now + 3_600_000, 'put off');
    await wait('ada', now - 10_000, 'other', 'of others');
    await sweep.sweep();
    expect(batches.flat()).to.have.length(451);
    expect(batches.flat().map(({ callKey }) => callKey))
      .to.include('put off')
      .and.not.include('other');
    batches.length = 0;
    for (let round = 0; round < 3; round++) await sweep.sweep();
    expect(batches.flat().filter(({ callKey }) => callKey.startsWith('due-'))).to.have.length(450);
    expect(batches.flat().map(({ callKey }) => callKey)).to.not.include('put off');
  });

  it('counts the calls of each caller, so that those with few go first', async () => {
    for (let n = 0; n < 3; n++) await wait('ada', now - 10_000 + n, `ada-${n}`);
    await wait('bob', now - 10_000, 'bob-0');
    await sweep.sweep();
    const openCalls = new Map(batches.flat().map((job) => [job.callKey, job.openCalls]));
    expect(Object.fromEntries(openCalls)).to.deep.equal({ 'ada-0': 0, 'ada-1': 1, 'ada-2': 2, 'bob-0': 0 });
  });

  it('says how many calls have waited longer than a job takes', async () => {
    await wait('ada', Date.now() - 60_000, 'late');
    await wait('ada', Date.now(), 'new');
    await wait('ada', Date.now() - 60_000, 'other', 'of others');
    expect(await sweep.sweep()).to.equal(1);
  });
});
