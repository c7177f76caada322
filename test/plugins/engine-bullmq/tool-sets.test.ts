import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { AbandonedSets, abandonedAfterMs } from '../../../plugins/engine-bullmq/abandoned-sets.ts';
import type { JobQueues } from '../../../plugins/engine-bullmq/job-queues.ts';
import { ToolSets, toolSetOf } from '../../../plugins/engine-bullmq/tool-sets.ts';

describe('the sets of tools that workers announce', () => {
  let state: MemoryStore;
  let sets: ToolSets;
  beforeEach(() => {
    state = new MemoryStore(Date.now);
    sets = new ToolSets(state);
  });
  afterEach(async () => {
    sinon.restore();
    await sets.close();
  });

  it('are one for the same tools, in any order', () => {
    expect(toolSetOf(['a', 'b']).id).to.equal(toolSetOf(['b', 'a', 'b']).id);
    expect(toolSetOf(['a', 'b']).id).to.not.equal(toolSetOf(['a,b']).id);
  });

  it('are found by a tool, also those that another process announces later', async () => {
    const [one, both] = [toolSetOf(['a']), toolSetOf(['a', 'b'])];
    await sets.announce(one);
    expect(await sets.idsWith('a')).to.deep.equal([one.id]);
    await new ToolSets(state).announce(both);
    expect(await sets.idsWith('a')).to.have.members([one.id, both.id]);
    expect(await sets.idsWith('b')).to.deep.equal([both.id]);
    expect(await sets.idsWith('constructor')).to.deep.equal([]);
  });

  it('are removed with their queue when no worker announces them any more', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['performance'] });
    const [alive, left] = [toolSetOf(['a']), toolSetOf(['b'])];
    const removed: string[] = [];
    const abandoned = new AbandonedSets(sets, { remove: async (id: string) => void removed.push(id) } as unknown as JobQueues);
    await sets.announce(alive);
    await sets.announce(left);
    for (let passed = 0; passed < 2 * abandonedAfterMs; passed += abandonedAfterMs / 4) {
      await sets.announce(alive);
      await abandoned.sweep();
      clock.tick(abandonedAfterMs / 4);
    }
    expect(removed).to.deep.equal([left.id]);
    expect((await sets.all()).map(({ id }) => id)).to.deep.equal([alive.id]);
  });

  it('stay when one is announced again while it is removed', async () => {
    await sets.announce(toolSetOf(['a']));
    const [read] = await sets.all();
    await sets.announce(toolSetOf(['a']));
    if (read !== undefined) expect(await sets.remove(read)).to.equal(false);
    expect(await sets.idsWith('a')).to.have.length(1);
  });
});
