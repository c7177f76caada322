import { expect } from 'chai';
import { limited, mostIn } from './limited.ts';

const all = (...settling: readonly Promise<unknown>[]): Promise<unknown> => Promise.all(settling);

describe('limit-rate: requests per per_ms', () => {
  let going = false;

  // A test that ended early closes its kernel, which then refuses each call at once: a caller that goes on would never give the turn away.
  afterEach(() => {
    going = false;
  });

  it('lets 20 calls a second start for 2 minutes, within 5 percent, and never more in any second', async () => {
    const rate = { requests: 20, per_ms: 1000 };
    const { call, starts, tick } = await limited({ tools: [{ rate_limit: rate, timeout_ms: 1_000_000 }] });
    going = true;
    const caller = async (): Promise<void> => {
      while (going) await call('x').catch(() => {});
    };
    const callers = Array.from({ length: 60 }, caller);
    await tick(120_000, 100);
    const moments = starts.map(({ at }) => at);
    going = false;
    await tick(5000, 1000);
    await Promise.all(callers);
    expect(moments.length).to.be.within(2280, 2420);
    expect(mostIn(1000, moments)).to.equal(20);
    for (const minute of Array.from({ length: 2 }, (_, index) => index)) {
      const inMinute = moments.filter((at) => at >= minute * 60_000 && at < (minute + 1) * 60_000);
      expect(inMinute.length, `minute ${minute}`).to.be.within(1140, 1260);
    }
  });

  const arrivals: readonly { title: string; rate: object; at: readonly number[]; starts: readonly number[] }[] = [
    { title: 'starts what is within the limit at once', rate: { requests: 3, per_ms: 1000 }, at: [0, 0, 0], starts: [0, 0, 0] },
    {
      title: 'starts the next one when the first start is old enough',
      rate: { requests: 1, per_ms: 1000 },
      at: [0, 10, 20],
      starts: [0, 1000, 2000],
    },
    {
      title: 'counts in every span, not in fixed ones',
      rate: { requests: 2, per_ms: 1000 },
      at: [900, 990, 1010, 1020],
      starts: [900, 990, 1900, 1990],
    },
    {
      title: 'saves nothing up',
      rate: { requests: 2, per_ms: 1000 },
      at: [10_000, 10_000, 10_000, 10_000, 10_000],
      starts: [10_000, 10_000, 11_000, 11_000, 12_000],
    },
  ];
  for (const { title, rate, at, starts: expected } of arrivals) {
    it(title, async () => {
      const { call, starts, tick } = await limited({ tools: [{ rate_limit: rate }] });
      const calls: Promise<unknown>[] = [];
      for (let now = 0; now < 13_000; now += 10) {
        for (const _ of at.filter((moment) => moment === now)) calls.push(call('x'));
        await tick(10);
      }
      await all(...calls);
      expect(starts.map((start) => start.at)).to.deep.equal(expected);
    });
  }

  it('starts who waits in the order in which they came', async () => {
    const { call, labels, tick } = await limited({ tools: [{ rate_limit: { requests: 2, per_ms: 100 } }] });
    const names = Array.from({ length: 9 }, (_, index) => `call ${index}`);
    const calls = names.map((name) => call(name));
    await tick(500, 100);
    await all(...calls);
    expect(labels()).to.deep.equal(names);
  });

  it('counts the calls of all callers together', async () => {
    const { call, starts, tick } = await limited({ tools: [{ rate_limit: { requests: 1, per_ms: 100 } }] });
    const calls = ['a', 'b'].map((caller) => call(caller, 'get', { caller }));
    await tick(100);
    await all(...calls);
    expect(starts.map(({ at }) => at)).to.deep.equal([0, 100]);
  });

  it('counts what failed', async () => {
    const { call, starts, tick } = await limited({
      tools: [{ rate_limit: { requests: 1, per_ms: 100 } }],
      run: () => {
        throw new Error('no');
      },
    });
    const calls = ['a', 'b'].map((label) => call(label).catch(() => {}));
    await tick(100);
    await all(...calls);
    expect(starts.map(({ at }) => at)).to.deep.equal([0, 100]);
  });

  it('remembers over a reload', async () => {
    const { call, kernel, starts, tick } = await limited({ tools: [{ rate_limit: { requests: 1, per_ms: 100 } }] });
    await call('a');
    await kernel.reload();
    const second = call('b');
    await tick(100);
    await second;
    expect(starts.map(({ at }) => at)).to.deep.equal([0, 100]);
  });

  it('leaves tools without a limit alone', async () => {
    const { call, labels } = await limited({ tools: [{ name: 'get', rate_limit: { requests: 1, per_ms: 100 } }, { name: 'free' }] });
    await call('a');
    await all(call('b', 'free'), call('c', 'free'));
    expect(labels()).to.deep.equal(['a', 'b', 'c']);
  });
});
