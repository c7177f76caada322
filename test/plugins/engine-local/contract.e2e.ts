import type { EngineHost, StateStore } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { LocalEngine } from '../../../plugins/engine-local/local-engine.ts';
import { callEngineChecks, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { sharedState } from '../../support/shared-state.ts';

const opened: StateStore[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

const engineOf = (host: EngineHost, state: StateStore): LocalEngine => {
  opened.push(state);
  const options = { retentionMs: 3_600_000, maxCalls: 1000, maxBytes: 1_000_000, maxAttempts: 5, concurrency: 0 };
  return new LocalEngine({ host, state, logger: memoryLogger(), ...options });
};

describe('the engine of durable calls, in memory', () => {
  for (const { title, run } of callEngineChecks(async (one, other) => {
    const state = new MemoryStore(Date.now);
    return [engineOf(one, state), engineOf(other, state)];
  }))
    it(title, run);
});

describe('the engine of durable calls, in a file', () => {
  for (const { title, run } of callEngineChecks(async (one, other) => {
    const { open } = await sharedState();
    return [engineOf(one, open()), engineOf(other, open())];
  }))
    it(title, run);
});
