import { expect } from 'chai';
import sinon from 'sinon';
import { FairQueue } from '../../../plugins/executor-function/fair-queue.ts';
import { rejection } from '../../support/rejection.ts';

const never = new AbortController().signal;

function queueOf(places: number, maxQueued = 100, maxWaitMs = 60_000): FairQueue {
  return new FairQueue({ resource: 'worker threads', optionName: 'maxThreads', slots: places, maxQueued, maxWaitMs });
}

/** Runs events of a queue: `a` arrives, `-a` frees the oldest slot of `a`. Returns the callers that got a slot, in order. */
async function order(places: number, events: readonly string[]): Promise<string[]> {
  const queue = queueOf(places);
  const got: string[] = [];
  const held = new Map<string, (() => void)[]>();
  for (const event of events) {
    const name = event.replace('-', '');
    if (event.startsWith('-')) held.get(name)?.shift()?.();
    else
      void queue.acquire(name, new AbortController().signal).then((free) => {
        got.push(name);
        held.set(name, [...(held.get(name) ?? []), free]);
      });
    await new Promise(setImmediate);
  }
  return got;
}

const tables: readonly { readonly what: string; readonly places: number; readonly events: string; readonly got: string }[] = [
  { what: 'gives one caller half of the places', places: 4, events: 'a a a a', got: 'a a' },
  { what: 'rounds half up', places: 3, events: 'a a a', got: 'a a' },
  { what: 'gives a single place to one caller', places: 1, events: 'a a', got: 'a' },
  { what: 'has a place for a caller that comes while another one has many calls', places: 4, events: 'a a a a a a a b', got: 'a a b' },
  { what: 'serves the calls of one caller in their order of coming', places: 2, events: 'a a a -a -a', got: 'a a a' },
  { what: 'takes turns', places: 1, events: 'a a a b b c -a -b -c -a -b -a', got: 'a b c a b a' },
  { what: 'prefers who has fewer places', places: 4, events: 'a a b c b c d -a', got: 'a a b c d' },
  { what: 'gives a place that a caller may not have to the next one', places: 2, events: 'a a b c -b', got: 'a b c' },
];

describe('a fair queue', () => {
  let time: sinon.SinonFakeTimers;

  // A test leaves calls that wait: nothing shall refuse them a minute later, in the middle of another one.
  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => time.restore());

  for (const { what, places, events, got } of tables)
    it(`${what} (${places}: ${events})`, async () => {
      expect((await order(places, events.split(' '))).join(' ')).to.equal(got);
    });

  it('refuses a call of a caller that has half of the waiting places, and takes one of another', async () => {
    const queue = queueOf(2, 4);
    const waiting = [1, 2, 3].map(() => queue.acquire('a', never));
    const error = await rejection(queue.acquire('a', never), 'RATE_LIMITED');
    expect(error.message).to.include('1 of 2 worker threads run calls of this caller, its share; 2 calls wait, 2 of them of this caller');
    expect(error.retryable).to.equal(true);
    await queue.acquire('b', never);
    const other = queue.acquire('b', never);
    const full = await rejection(
      queue.acquire('c', AbortSignal.abort(new Error('gone'))).catch(async () => queue.acquire('a', never)),
      'RATE_LIMITED',
    );
    expect(full.message).to.include('All 2 worker threads are in use; 3 calls wait').and.include('maxThreads');
    (await waiting[0])?.();
    (await waiting[1])?.();
    (await waiting[2])?.();
    void other;
  });

  it('refuses a call that has waited too long, and forgets it', async () => {
    const queue = queueOf(1, 100, 1);
    const free = await queue.acquire('a', never);
    const refused = rejection(queue.acquire('b', never), 'RATE_LIMITED');
    time.tick(1);
    const error = await refused;
    expect(error.message).to.include('has waited 1 ms');
    expect([...queue.shares]).to.deep.equal([['a', { running: 1, waiting: 0 }]]);
    free();
    expect([...queue.shares]).to.deep.equal([]);
  });

  it('lets a call go that is aborted while it waits', async () => {
    const queue = queueOf(1);
    const free = await queue.acquire('a', never);
    const gone = new AbortController();
    const left = queue.acquire('b', gone.signal);
    const stays = queue.acquire('c', never);
    expect(queue.waiting).to.equal(2);
    gone.abort(new Error('gone'));
    expect(await left.catch((error: Error) => error.message)).to.equal('gone');
    free();
    await stays;
    expect([...queue.shares.keys()]).to.deep.equal(['c']);
  });
});
