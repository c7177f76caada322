import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataRows } from './data-rows.ts';
import { failed } from './failed.ts';
import type { Limits } from './settings.ts';

/** How often a run goes through the requests, and what tells the runner so. */
export interface Repetition {
  readonly iterations: number;
  flags(folder: string): Promise<readonly string[]>;
}

/** Without a data file that many times; with one once a row, or, when a count is given, that many rows, from the first again after the last. */
export async function repetitionOf(
  dataFile: string | undefined,
  count: number | undefined,
  { maxIterations }: Limits,
): Promise<Repetition> {
  if (dataFile === undefined) {
    const iterations = count ?? 1;
    expectAtMost(iterations, maxIterations);
    return { iterations, flags: async () => (iterations === 1 ? [] : [`--iteration-count=${iterations}`]) };
  }
  const rows = await dataRows(dataFile);
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
  throw failed(
    `The collection would run ${iterations} times: expected at most ${maximum}. Give a smaller iteration_count, or raise limits.maxIterations of the plugin apiclient.`,
    'INVALID_PARAMETERS',
  );
}
