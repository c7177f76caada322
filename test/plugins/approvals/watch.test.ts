import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { RecordWatch } from '../../../plugins/approvals/record-watch.ts';
import { ChangeNotifier } from '../../../plugins/shared/calls/change-notifier.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';

/** A watch over a store in memory that cannot be watched as long as there is a failure. */
function world() {
  const store = new MemoryStore(Date.now);
  const failing: { failure: ToolkitError | undefined; tries: number } = { failure: undefined, tries: 0 };
  const state: StateStore = Object.assign(Object.create(store) as StateStore, {
    watch: async (...given: Parameters<StateStore['watch']>) => {
      failing.tries++;
      if (failing.failure !== undefined) throw failing.failure;
      return store.watch(...given);
    },
  });
  const logger = memoryLogger();
  const changes = new ChangeNotifier<'record/'>(state);
  return { store, failing, logger, watch: new RecordWatch({ changes, logger }), changes };
}

const away = new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');

describe('a watch of approval records', () => {
  it('reports the changes of one turn once, those of the next again, and no other keys', async () => {
    const { store, watch } = world();
    const onChange = sinon.spy();
    await watch.watch(onChange);
    await Promise.all(['record/1', 'record/2', 'record/3'].map((key) => store.set(key, '')));
    await turn();
    sinon.assert.calledOnce(onChange);
    await store.compareAndSet('record/1', '', undefined);
    await turn();
    sinon.assert.calledTwice(onChange);
    await store.set('caller/1', '');
    await turn();
    sinon.assert.calledTwice(onChange);
  });

  it('is one in the store for all listeners, each of which ends alone', async () => {
    const { store, failing, watch } = world();
    const [first, second] = [sinon.spy(), sinon.spy()];
    const [end] = [await watch.watch(first), await watch.watch(second)];
    expect(failing.tries).to.equal(1);
    await end();
    await store.set('record/1', '');
    await turn();
    sinon.assert.notCalled(first);
    sinon.assert.calledOnce(second);
  });

  it('reports nothing after its end, also what it was about to', async () => {
    const { store, watch } = world();
    const [ended, closed] = [sinon.spy(), sinon.spy()];
    const end = await watch.watch(ended);
    await watch.watch(closed);
    await store.set('record/1', '');
    await Promise.resolve();
    await end();
    watch.close();
    await turn();
    sinon.assert.notCalled(ended);
    sinon.assert.notCalled(closed);
  });

  it('goes on for others when a listener throws', async () => {
    const { store, logger, watch } = world();
    const onChange = sinon.spy();
    await watch.watch(() => {
      throw new Error('it broke');
    });
    await watch.watch(onChange);
    await store.set('record/1', '');
    await turn();
    sinon.assert.calledOnce(onChange);
    expect(logger.records.map(({ message }) => message)).to.deep.equal(['a listener for changes of approvals failed: it broke']);
  });

  describe('over a store that cannot be reached', () => {
    let clock: sinon.SinonFakeTimers;

    beforeEach(() => {
      clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });

    afterEach(() => clock.restore());

    it('tries again every two seconds, says so once, and reports once it can', async () => {
      const { store, failing, logger, watch } = world();
      failing.failure = away;
      const [first, second] = [sinon.spy(), sinon.spy()];
      await watch.watch(first);
      await watch.watch(second);
      expect(failing.tries).to.equal(2);
      await clock.tickAsync(4000);
      expect(failing.tries).to.equal(4);
      await store.set('record/1', '');
      failing.failure = undefined;
      await clock.tickAsync(1999);
      sinon.assert.notCalled(first);
      await clock.tickAsync(1);
      await turn();
      sinon.assert.calledOnce(first);
      sinon.assert.calledOnce(second);
      await store.set('record/2', '');
      await turn();
      sinon.assert.calledTwice(first);
      expect(clock.countTimers()).to.equal(0);
      expect(logger.records.map(({ message }) => message)).to.deep.equal([
        'changes of approvals are not reported until their store can be used: The store is away.',
      ]);
    });

    it('stops to try when it is closed', async () => {
      const { failing, watch } = world();
      failing.failure = away;
      await watch.watch(() => {});
      watch.close();
      expect(clock.countTimers()).to.equal(0);
    });

    it('refuses where trying again does not help', async () => {
      const { store, failing, watch } = world();
      failing.failure = new ToolkitError('STATE_UNAVAILABLE', 'There is no key.', { retryable: false });
      const onChange = sinon.spy();
      expect((await rejection(watch.watch(onChange), 'STATE_UNAVAILABLE')).message).to.equal('There is no key.');
      expect(clock.countTimers()).to.equal(0);
      failing.failure = undefined;
      await watch.watch(() => {});
      await store.set('record/1', '');
      await turn();
      sinon.assert.notCalled(onChange);
    });
  });

  it('cannot begin once it is closed', async () => {
    const { watch, changes } = world();
    await watch.watch(() => {});
    watch.close();
    await changes.close();
    await rejection(
      watch.watch(() => {}),
      'STATE_UNAVAILABLE',
    );
  });
});
