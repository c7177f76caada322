import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import type { JobQueue } from '../../../plugins/engine-bullmq/job-queue.ts';
import { MissingJobs, type MissingJobsParts } from '../../../plugins/engine-bullmq/missing-jobs.ts';
import { queueKeys } from '../../../plugins/shared/calls/queue-keys.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

describe('the sweep for calls without a job', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_700_000_000_000, toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
    // A clock of this process that has run for a while.
    clock.tick(60_000);
  });
  afterEach(() => sinon.restore());

  const sweepOf = (state: MemoryStore, add: (jobs: readonly { readonly callKey: string }[]) => Promise<void>) => {
    const queue = { add } as unknown as JobQueue;
    return new MissingJobs({ state, queue, logger: memoryLogger() } as unknown as MissingJobsParts);
  };

  it('adds jobs for due calls alone: first for all of them, then page by page', async () => {
    const state = new MemoryStore(Date.now);
    for (let n = 0; n < 450; n++) await state.set(queueKeys.queue('ada', Date.now() - 10_000 + n, `due-${n}`), 'act');
    await state.set(queueKeys.queue('ada', Date.now() - 500, 'just submitted'), 'act');
    await state.set(queueKeys.queue('ada', Date.now() + 60_000, 'put off'), 'act');
    const added = new Set<string>();
    const sizes: number[] = [];
    const sweep = sweepOf(state, async (jobs) => {
      sizes.push(jobs.length);
      for (const { callKey } of jobs) added.add(callKey);
    });
    await clock.tickAsync(0);
    for (let round = 1; round < 3; round++) await clock.tickAsync(5000);
    await sweep.close();
    expect(sizes).to.deep.equal([200, 200, 50, 200, 200]);
    expect([...added].filter((key) => key.startsWith('due-'))).to.have.length(450);
    expect([...added]).to.not.include('put off');
  });
});
