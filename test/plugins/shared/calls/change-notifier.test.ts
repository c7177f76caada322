import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { ChangeNotifier } from '../../../../plugins/shared/calls/change-notifier.ts';
import { afterEach } from '../../../support/after-each.ts';

describe('waiting for a change of a durable call', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => sinon.restore());

  it('ends by itself where who made the change told nobody', async () => {
    const state = new MemoryStore(Date.now);
    state.watch = async () => async () => {};
    const changes = new ChangeNotifier(state);
    await changes.open('id/');
    const look = sinon.fake(() => state.get('id/a'));
    const waiting = changes.waitFor('id/a', look);
    await clock.tickAsync(4999);
    await state.set('id/a', 'ended');
    expect(look.callCount).to.equal(1);
    await clock.tickAsync(1);
    expect(await waiting).to.equal('ended');
    expect(clock.countTimers()).to.equal(0);
  });
});
