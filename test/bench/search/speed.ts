import { setImmediate as turn } from 'node:timers/promises';
import type { Tool } from '../../../kernel/index.ts';
import { indexOf } from '../../../plugins/shared/search/tool-index.ts';
import { percentile } from '../rows.ts';

export interface Speed {
  readonly buildMs: number;
  readonly longestBuildTurnMs: number;
  readonly searchP50Ms: number;
  readonly searchP99Ms: number;
  readonly longestSearchTurnMs: number;
}

/** Builds an index over so many tools, made of copies of these, and asks it every question. */
export async function measureSpeed(tools: readonly Tool[], questions: readonly string[], count: number): Promise<Speed> {
  const copies = Array.from({ length: count }, (_, place) => {
    const tool = tools[place % tools.length] as Tool;
    const round = Math.floor(place / tools.length);
    return copyOf(tool, round === 0 ? tool.name : `${tool.name}_${round}`);
  });
  const startedAt = performance.now();
  const build = await longestTurn(indexOf(copies));
  const buildMs = performance.now() - startedAt;
  const samples: number[] = [];
  let longestSearchTurnMs = 0;
  for (const query of questions) {
    const askedAt = performance.now();
    const search = await longestTurn(build.value.search({ query, limit: 10 }));
    samples.push(performance.now() - askedAt);
    longestSearchTurnMs = Math.max(longestSearchTurnMs, search.turnMs);
  }
  return {
    buildMs,
    longestBuildTurnMs: build.turnMs,
    searchP50Ms: percentile(samples, 0.5),
    searchP99Ms: percentile(samples, 0.99),
    longestSearchTurnMs,
  };
}

/** Copies a tool, because its members may be computed on first use. */
function copyOf(tool: Tool, name: string): Tool {
  return new Proxy(tool, { get: (original, key) => (key === 'name' ? name : Reflect.get(original, key)) });
}

/**
 * How long others waited for their turn, at most, until this was done. Of the time only what this process computed counts, collecting
 * garbage included, not what other programs took of the machine.
 */
async function longestTurn<T>(work: Promise<T>): Promise<{ readonly turnMs: number; readonly value: T }> {
  let turnMs = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    while (!isDone) {
      const startedAt = performance.now();
      const usedAt = process.cpuUsage();
      await turn();
      const { user, system } = process.cpuUsage(usedAt);
      turnMs = Math.max(turnMs, Math.min(performance.now() - startedAt, (user + system) / 1000));
    }
  };
  const watching = watch();
  const value = await work;
  isDone = true;
  await watching;
  return { turnMs, value };
}
