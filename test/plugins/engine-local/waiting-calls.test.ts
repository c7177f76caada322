import { expect } from 'chai';
import sinon from 'sinon';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { WaitingCalls } from '../../../plugins/engine-local/waiting-calls.ts';
import { queueKeys } from '../../../plugins/shared/calls/queue-keys.ts';
import { afterEach } from '../../support/after-each.ts';

const before = Date.parse('2026-01-31T12:00:00Z');

describe('the queue of durable calls', () => {
  let clock: sinon.SinonFakeTimers;
  let state: MemoryStore;
  let list: sinon.SinonSpy;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: before + 60_000, toFake: ['Date', 'performance'] });
    state = new MemoryStore(Date.now);
    list = sinon.spy(state, 'list');
  });
  afterEach(() => sinon.restore());

  const queue = (ahead: number, takes: (tool: string) => boolean = () => true): WaitingCalls =>
    new WaitingCalls({ state, prefetch: ahead, acceptsTool: takes });
  /** Adds calls of a caller, one after the other. */
  const add = async (caller: string, count: number, { tool = 'act', at = before } = {}): Promise<void> => {
    for (let n = 0; n < count; n++) await state.set(queueKeys.queue(caller, at + n, `${caller}-${n}`), tool);
  };
  /** Takes a call out and makes it, as a worker does. Gives the caller. */
  const take = async (from: WaitingCalls): Promise<string | undefined> => {
    const entry = await from.next();
    if (entry === undefined) return undefined;
    await state.delete(entry.key);
    from.release(entry.key);
    return entry.callKey.split('-')[0];
  };
  const taken = async (from: WaitingCalls, count: number): Promise<readonly (string | undefined)[]> => {
    const callers: (string | undefined)[] = [];
    while (callers.length < count) callers.push(await take(from));
    return callers;
  };

  it('gives the calls of callers in turn, however many one has', async () => {
    await add('ada', 1000);
    await add('bob', 1);
    await add('eve', 3);
    const first = await taken(queue(32), 7);
    expect(first.slice(0, 3).sort()).to.deep.equal(['ada', 'bob', 'eve']);
    expect([...first].sort()).to.deep.equal(['ada', 'ada', 'ada', 'bob', 'eve', 'eve', 'eve']);
  });

  it('has who comes later wait for a second at most', async () => {
    await add('ada', 1000);
    const own = queue(32);
    expect(await take(own)).to.equal('ada');
    await add('bob', 1);
    clock.tick(1001);
    expect(await taken(own, 2)).to.include('bob');
  });

  const costs = [
    { title: 'of one caller', callers: 1, each: 1000, ahead: 32, most: 1000 / 12 },
    { title: 'of three callers', callers: 3, each: 400, ahead: 32, most: 1200 / 12 },
    { title: 'of a thousand callers', callers: 1000, each: 2, ahead: 32, most: 2000 / 12 },
  ];
  for (const { title, callers, each, ahead, most } of costs)
    it(`gives each call ${title} once, and asks the store seldom`, async () => {
      for (let n = 0; n < callers; n++) await add(`c${n}`, each);
      const own = queue(ahead);
      const counts = new Map<string, number>();
      for (let caller = await take(own); caller !== undefined; caller = await take(own)) counts.set(caller, (counts.get(caller) ?? 0) + 1);
      expect(counts.size).to.equal(callers);
      expect(new Set(counts.values())).to.deep.equal(new Set([each]));
      expect(list.callCount).to.be.below(most);
    });

  it('finds what it takes behind what it does not take, and what is not due', async () => {
    await add('ada', 1000, { tool: 'other' });
    await add('bob', 300, { at: before + 3_600_000 });
    await add('eve', 1);
    await add('ada', 1, { at: before + 5000 });
    const own = queue(8, (tool) => tool === 'act');
    expect((await taken(own, 3)).map(String).sort()).to.deep.equal(['ada', 'eve', 'undefined']);
    expect(own.nextAt).to.equal(before + 3_600_000);
  });

  it('does not give again what others have taken, or what is being made', async () => {
    await add('ada', 2);
    const own = queue(8);
    const first = await own.next();
    const second =
      queueKeys.queue('ada', before, 'ada-0') === first?.key
        ? queueKeys.queue('ada', before + 1, 'ada-1')
        : queueKeys.queue('ada', before, 'ada-0');
    await state.delete(second);
    own.onChange(second);
    expect(await own.next()).to.equal(undefined);
    own.release(first?.key ?? '');
    expect((await own.next())?.key).to.equal(first?.key);
  });
});
