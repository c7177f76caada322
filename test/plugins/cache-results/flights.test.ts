import { expect } from 'chai';
import type { ToolkitError } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { gate } from '../mcp/support/client.ts';
import { cached, settle } from './cached.ts';

const codeOf = (error: ToolkitError): string => error.code;

describe('cache-results: the same call at the same time', () => {
  it('runs once for all', async () => {
    const door = gate<string>();
    const { call, runs } = await cached({ run: () => door.opened });
    const calls = Array.from({ length: 100 }, () => call({ a: 1 }));
    const other = call({ a: 2 });
    await settle();
    expect(runs).to.deep.equal([{ a: 1 }, { a: 2 }]);
    door.open('once');
    const results = await Promise.all(calls);
    expect(new Set(results.map(({ output }) => output))).to.deep.equal(new Set(['once']));
    expect(results.map(({ meta }) => meta).filter((meta) => 'cached' in meta)).to.have.lengthOf(99);
    expect(new Set(results.map(({ callId }) => callId)).size).to.equal(100);
    await other;
  });

  it('fails once for all', async () => {
    const door = gate();
    const { call, runs } = await cached({
      run: async () => {
        await door.opened;
        throw new Error('broken');
      },
    });
    const calls = Array.from({ length: 10 }, () => rejection(call(), 'EXECUTION_FAILED'));
    await settle();
    door.open();
    const messages = (await Promise.all(calls)).map(({ message }) => message);
    expect(new Set(messages)).to.deep.equal(new Set(['The function of "get" failed: broken']));
    expect(runs).to.have.lengthOf(1);
  });

  for (const [title, definition, end] of [
    ['is cancelled', {}, 'cancel'],
    ['runs out of time', { timeout: true }, 'wait'],
  ] as const) {
    it(`is taken over by one of those who wait when the first ${title}`, async () => {
      const doors = [gate<string>(), gate<string>()];
      const { call, clock, runs } = await cached({ run: (_, count) => doors[count - 1]?.opened });
      const cancel = new AbortController();
      const first = call({}, { signal: cancel.signal }).catch(codeOf);
      await settle();
      clock.tick(50_000);
      const others = [1, 2, 3].map(() => call());
      await settle();
      expect(runs, title).to.have.lengthOf(1);
      if (end === 'cancel') cancel.abort();
      else clock.tick(10_000);
      expect(await first).to.equal('timeout' in definition ? 'TIMEOUT' : 'ABORTED');
      await settle();
      expect(runs).to.have.lengthOf(2);
      doors[1]?.open('second');
      expect((await Promise.all(others)).map(({ output }) => output)).to.deep.equal(['second', 'second', 'second']);
      expect(runs).to.have.lengthOf(2);
    });
  }

  it('ends at once for one who is cancelled while it waits, and goes on for the others', async () => {
    const door = gate<string>();
    const { call, runs } = await cached({ run: () => door.opened });
    const first = call();
    const cancel = new AbortController();
    const second = rejection(call({}, { signal: cancel.signal }), 'ABORTED');
    const third = call();
    await settle();
    cancel.abort();
    await second;
    door.open('once');
    expect([(await first).output, (await third).output]).to.deep.equal(['once', 'once']);
    expect(runs).to.have.lengthOf(1);
  });

  it('is never taken over by one who has gone', async () => {
    const { call, runs } = await cached({ run: (_, count) => (count === 1 ? new Promise(() => {}) : count) });
    const [leading, waiting] = [new AbortController(), new AbortController()];
    const first = call({}, { signal: leading.signal }).catch(codeOf);
    const second = call({}, { signal: waiting.signal }).catch(codeOf);
    await settle();
    waiting.abort();
    leading.abort();
    expect(await Promise.all([first, second])).to.deep.equal(['ABORTED', 'ABORTED']);
    expect((await call()).output).to.equal(2);
    expect(runs).to.have.lengthOf(2);
  });

  it('runs for each when its result is not to be passed on', async () => {
    const door = gate();
    const { call, runs } = await cached({
      run: async (_, count, { secrets }) => {
        await door.opened;
        return `${count} ${secrets['SHOP_TOKEN']}`;
      },
      definition: { secrets: ['SHOP_TOKEN'] },
      env: { SHOP_TOKEN: 'value-of-shop-token' },
    });
    const calls = [1, 2, 3].map(() => call());
    await settle();
    expect(runs).to.have.lengthOf(1);
    door.open();
    const outputs = (await Promise.all(calls)).map(({ output }) => output);
    expect(outputs).to.have.members([1, 2, 3].map((count) => `${count} [secret SHOP_TOKEN]`));
  });

  it('is passed on also where it is too large to be kept', async () => {
    const door = gate();
    const { call, runs } = await cached({ run: () => door.opened.then(() => 'x'.repeat(100)), options: { maxBytes: 10 } });
    const calls = [call(), call()];
    await settle();
    door.open();
    await Promise.all(calls);
    expect(runs).to.have.lengthOf(1);
  });
});
