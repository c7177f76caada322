import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import type { DbosQueue, TakenJob } from '../../../plugins/engine-dbos/dbos-queue.ts';
import type { JobRunner } from '../../../plugins/engine-dbos/job-runner.ts';
import { OrphanedJobs } from '../../../plugins/engine-dbos/orphaned-jobs.ts';
import { ProcessHeartbeat, processPrefix } from '../../../plugins/shared/state/process-heartbeat.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

describe('turns that DBOS leaves with a process', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => sinon.restore());

  const looked = async (taken: (process: string) => readonly (readonly TakenJob[])[]) => {
    const state = new MemoryStore(Date.now);
    await state.set(`${processPrefix}living`, '');
    const process = new ProcessHeartbeat(state);
    const looks = taken(process.id);
    const resumed: (readonly string[])[] = [];
    const queue = {
      taken: async () => looks[resumed.push([]) - 1],
      resume: async (workflows: readonly string[]) => void resumed.splice(-1, 1, workflows),
      forget: async () => {},
    } as unknown as DbosQueue;
    const turns = { has: (workflow: string) => workflow === 'carried' } as unknown as JobRunner;
    const left = new OrphanedJobs({ queue, process, jobs: turns, logger: memoryLogger() });
    await clock.tickAsync(1000 * (looks.length - 1));
    await left.close();
    return resumed;
  };

  it('go back to the queue when it has died, and no others do', async () => {
    const taken = [
      { workflow: 'a', executor: 'dead' },
      { workflow: 'b', executor: 'living' },
      { workflow: 'c', executor: 'dead' },
    ];
    expect(await looked(() => [taken])).to.deep.equal([['a', 'c']]);
  });

  it('go back when this one has failed to begin them, which it has at the second look', async () => {
    const looks = (executor: string) =>
      [
        ['soon', 'carried', 'left'],
        ['carried', 'left', 'next'],
        ['carried', 'next'],
      ].map((workflows) => workflows.map((workflow) => ({ workflow, executor })));
    expect(await looked(looks)).to.deep.equal([[], ['left'], ['next']]);
  });
});
