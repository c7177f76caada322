import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readRows } from './data-rows.ts';
import { operationError } from './operation-error.ts';
import type { Limits } from './operation-services.ts';

/** Number of iterations of a run, and the runner's flags for them. */
export interface IterationPlan {
  readonly iterations: number;
  flags(folder: string): Promise<readonly string[]>;
}

/** Plans the iterations. Without a data file: `count`, or one. With one: one for each row, or `count` rows, starting over after the last row. */
export async function planIterations(
  dataFile: string | undefined,
  count: number | undefined,
  { maxIterations }: Limits,
): Promise<IterationPlan> {
  if (dataFile === undefined) {
    const iterations = count ?? 1;
    expectAtMost(iterations, maxIterations);
    return { iterations, flags: async () => (iterations === 1 ? [] : [`--iteration-count=${iterations}`]) };
  }
  const rows = await readRows(dataFile);
  const iterations = count ?? rows.length;
  expectAtMost(iterations, maxIterations);
  return {
    iterations,
    flags: async (folder) => {
      const file = path.join(folder, 'data.json');
      await writeFile(file, JSON.stringify(Array.from({ length: iterations }, (_, index) => rows[index % rows.length])));
      return [`--json-file-path=${file}`];
    },
  };
}

function expectAtMost(iterations: number, maximum: number): void {
  if (iterations <= maximum) return;
  throw operationError(
    `The collection would run ${iterations} times: expected at most ${maximum}. Give a smaller iteration_count, or raise limits.maxIterations of the plugin apiclient.`,
    'INVALID_PARAMETERS',
  );
}
