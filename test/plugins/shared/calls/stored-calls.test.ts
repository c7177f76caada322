import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { LocalEngine } from '../../../../plugins/engine-local/local-engine.ts';
import { Gate, ScriptedHost } from '../../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const options = { retentionMs: 3_600_000, maxCalls: 5000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };

describe('calls that are stored', () => {
  it('are listed by pages of 1,000, each once', async () => {
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

  it('have beside their records what they are found by, as long as they are so', async () => {
    const state = new MemoryStore(Date.now);
    const gate = new Gate();
    let fails = true;
    const host = new ScriptedHost(async () => {
      await gate.passed;
      if (fails) throw new ToolkitError('EXECUTION_FAILED', 'not now');
      return 'done';
    });
    host.effects.set('a', { state: 'none' });
    const engine = new LocalEngine({ host, state, logger: memoryLogger(), ...options });
    const kinds = async (): Promise<readonly string[]> => {
      const entries = await state.list('');
      return entries.map(({ key }) => key.slice(0, key.indexOf('/'))).filter((kind) => kind !== 'process');
    };
    const name = { caller: 'ada', id: 'a' };
    const request = { ...name, tool: 'act', parameters: {}, origin: 'host' } as const;
    try {
      await engine.submit(request);
      expect(await kinds()).to.deep.equal(['call', 'id', 'open', 'queue']);
      await engine.cancel(name);
      expect(await kinds()).to.deep.equal(['call', 'id']);
      await engine.retry(name, {});
      expect(await kinds()).to.deep.equal(['call', 'id', 'open', 'queue']);
      await engine.work({ concurrency: 1 });
      await host.waitForCalls(1);
      expect(await kinds()).to.deep.equal(['call', 'claimed', 'id', 'open']);
      gate.open();
      expect(await engine.ended(name)).to.include({ status: 'failed' });
      expect(await kinds()).to.deep.equal(['call', 'id']);
      fails = false;
      await engine.retry(name, {});
      expect(await engine.ended(name)).to.include({ status: 'completed' });
      expect(await kinds()).to.deep.equal(['call', 'id']);
    } finally {
      await engine.close();
    }
  });

  it('are new ones where nothing but the name is left', async () => {
    const state = new MemoryStore(Date.now);
    const engine = new LocalEngine({ host: new ScriptedHost(() => 'done'), state, logger: memoryLogger(), ...options });
    const request = { caller: 'ada', id: 'a', tool: 'act', parameters: {}, origin: 'host' } as const;
    try {
      await engine.submit(request);
      const [call] = await state.list('call/');
      await state.delete(call?.key ?? '');
      await engine.submit({ ...request, tool: 'another' });
      expect(await engine.get(request)).to.include({ tool: 'another', status: 'waiting' });
    } finally {
      await engine.close();
    }
  });
});
