import { expect } from 'chai';
import { SlotQueue, type SlotQueueOptions } from '../../../../plugins/shared/fairness/slot-queue.ts';

/** Runs events of a queue: `a` asks for a slot, `-a` gives back the oldest slot of `a`. Returns the tenants that got one, in order. */
function order(options: SlotQueueOptions, events: string): string {
  const queue = new SlotQueue(options);
  const got: string[] = [];
  const held = new Map<string, (() => void)[]>();
  for (const event of events.split(' ')) {
    const tenant = event.replace('-', '');
    if (event.startsWith('-')) held.get(tenant)?.shift()?.();
    else
      queue.take(tenant, (leave) => {
        got.push(tenant);
        held.set(tenant, [...(held.get(tenant) ?? []), leave]);
      });
  }
  return got.join(' ');
}

describe('SlotQueue', () => {
  const cases: readonly { readonly what: string; readonly options: SlotQueueOptions; readonly events: string; readonly got: string }[] = [
    { what: 'gives one tenant all slots where nothing limits it', options: { slots: 3 }, events: 'a a a a', got: 'a a a' },
    { what: 'gives one tenant no more than its limit', options: { slots: 4, maxHeld: 2 }, events: 'a a a b', got: 'a a b' },
    { what: 'serves tenants in turn', options: { slots: 1 }, events: 'a a a b b c -a -b -c -a -b', got: 'a b c a b a' },
    { what: 'prefers the tenant with fewer slots', options: { slots: 3 }, events: 'a a b a a b -a -a', got: 'a a b b a' },
    { what: 'serves the tenant that has waited longest among equals', options: { slots: 2 }, events: 'a b c d -b -a', got: 'a b c d' },
    { what: 'passes over a tenant at its limit', options: { slots: 2, maxHeld: 1 }, events: 'a b a c -b', got: 'a b c' },
    { what: 'serves calls of one tenant in order', options: { slots: 1 }, events: 'a a a -a -a', got: 'a a a' },
  ];
  for (const { what, options, events, got } of cases)
    it(`${what} (${options.slots}: ${events})`, () => {
      expect(order(options, events)).to.equal(got);
    });

  it('delays a tenant by one call of another one, however many of those wait', () => {
    const queue = new SlotQueue({ slots: 1 });
    const got: string[] = [];
    const take = (tenant: string): void => {
      queue.take(tenant, (leave) => {
        got.push(tenant);
        queueMicrotask(leave);
      });
    };
    const leave = queue.take('busy', () => {});
    for (let index = 0; index < 1000; index++) take('busy');
    take('rare');
    expect(queue.waitingByTenant).to.deep.equal({ busy: 1000, rare: 1 });
    leave();
    return Promise.resolve().then(() => expect(got.slice(0, 2)).to.deep.equal(['rare', 'busy']));
  });

  it('lets a waiting call go, and counts it no more', () => {
    const queue = new SlotQueue({ slots: 1 });
    const got: string[] = [];
    const first = queue.take('a', () => got.push('a'));
    const second = queue.take('b', () => got.push('b'));
    queue.take('c', () => got.push('c'));
    second();
    second();
    expect([queue.held, queue.waiting]).to.deep.equal([1, 1]);
    first();
    expect(got).to.deep.equal(['a', 'c']);
    expect([...queue.shares]).to.deep.equal([['c', { held: 1, waiting: 0 }]]);
  });

  it('takes a slot back once', () => {
    const queue = new SlotQueue({ slots: 2 });
    const leave = queue.take('a', () => {});
    queue.take('a', () => {});
    leave();
    leave();
    expect(queue.shareOf('a')).to.deep.equal({ held: 1, waiting: 0 });
  });

  it('leaves the queue and gives slots back when the signal aborts, and takes none for an aborted one', () => {
    const queue = new SlotQueue({ slots: 1 });
    const cancelled = new AbortController();
    const got: string[] = [];
    queue.take('a', () => got.push('a'), cancelled.signal);
    queue.take('b', () => got.push('b'), cancelled.signal);
    queue.take('c', () => got.push('c'));
    cancelled.abort();
    queue.take('d', () => got.push('d'), cancelled.signal);
    expect([got, queue.held, queue.waiting]).to.deep.equal([['a', 'c'], 1, 0]);
  });

  it('may be asked again, and given back, while it gives out a slot', () => {
    const queue = new SlotQueue({ slots: 1 });
    const got: string[] = [];
    const first = queue.take('a', () => {});
    queue.take('b', (leave) => {
      got.push('b');
      queue.take('b', () => got.push('b again'));
      leave();
    });
    queue.take('c', (leave) => {
      got.push('c');
      leave();
    });
    first();
    expect(got).to.deep.equal(['b', 'c', 'b again']);
    expect([queue.held, queue.waiting]).to.deep.equal([1, 0]);
  });
});
