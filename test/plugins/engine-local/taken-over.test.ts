import { expect } from 'chai';
import type { CallEngine, EngineHost, StateStore } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { LocalEngine } from '../../../plugins/engine-local/local-engine.ts';
import { Gate, ScriptedHost } from '../../../plugins/toolkit/testing/calls/scripted-host.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { storeAlone } from '../../support/store-alone.ts';
import { until } from '../../support/until.ts';

const open: CallEngine[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
});

describe('a process that is held up', () => {
  const engineOf = (host: EngineHost, state: StateStore, logger = memoryLogger()): LocalEngine => {
    const options = { retentionMs: 3_600_000, maxCalls: 1000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };
    const engine = new LocalEngine({ host, state, logger, ...options });
    open.push(engine);
    return engine;
  };

  it('writes nothing of a call that another one has taken over', async () => {
    const state = new MemoryStore(Date.now);
    const gate = new Gate();
    const logger = memoryLogger();
    const held = new ScriptedHost(() => gate.passed.then(() => 'of the first'));
    const one = engineOf(held, state, logger);
    const other = engineOf(new ScriptedHost(() => 'of the other'), storeAlone(state));
    const name = { caller: 'ada', id: 'a' };
    await one.submit({ ...name, tool: 'act', parameters: {}, origin: 'host' });
    const stop = await one.work({ concurrency: 1 });
    await held.waitForCalls(1);
    await other.work({ concurrency: 1 });
    await until(async () => ((await other.get(name)).status === 'completed' ? true : undefined));
    gate.open();
    await stop();
    expect((await other.resultOf(name))?.output).to.equal('of the other');
    expect((await other.get(name)).attempts).to.equal(2);
    expect(logger.records.map(({ message }) => message).join('\n')).to.include('was discarded');
  });
});
