import { expect } from 'chai';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { LocalEngine } from '../../../../plugins/engine-local/local-engine.ts';
import { ScriptedHost } from '../../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

describe('calls that are stored', () => {
  it('are listed by pages of 1,000, each once', async () => {
    const options = { keepMs: 3_600_000, maxCalls: 5000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };
    const state = new MemoryStore(Date.now);
    const engine = new LocalEngine({ host: new ScriptedHost(() => 'done'), state, logger: memoryLogger(), ...options });
    try {
      const ids = Array.from({ length: 2001 }, (_, index) => `${index}`);
      for (const id of ids) await engine.submit({ id, caller: id === '7' ? 'bob' : 'ada', tool: 'act', parameters: {}, origin: 'host' });
      const pages: string[][] = [];
      for (let after: string | undefined; pages.length === 0 || after !== undefined; ) {
        const { calls, next } = await engine.list({ limit: 1000, ...(after === undefined ? {} : { after }) });
        pages.push(calls.map(({ id }) => id));
        after = next;
      }
      expect(pages.map(({ length }) => length)).to.deep.equal([1000, 1000, 1]);
      expect(new Set(pages.flat())).to.deep.equal(new Set(ids));
      expect((await engine.list({ caller: 'bob', limit: 1000 })).calls.map(({ id }) => id)).to.deep.equal(['7']);
    } finally {
      await engine.close();
    }
  });
});
