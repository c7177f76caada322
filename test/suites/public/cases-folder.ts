import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder with the cases of public suites: `TOOLKIT_SUITES`, else the one that lies beside the project. */
export const casesFolder: string = process.env['TOOLKIT_SUITES'] || '../shared/cases/suites';

/** Says what is needed when the folder is not there; undefined when it is. */
export function missingFolder(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return (
    `The cases of public suites are no part of this project, and there is no folder ${path.resolve(folder)}. ` +
    'Name the one that holds them, a file <suite>.json for each suite with a list of its cases: TOOLKIT_SUITES=<folder> npm run test:suite deviations.'
  );
}

/** Returns the cases of each file of the folder, as parsed, by the name of the suite. */
export async function readCases(folder: string): Promise<ReadonlyMap<string, unknown>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  const entries = files.map(async (file) => {
    // Own text: numbers in it are those that a tool is given.
    const cases: unknown = JSON.parse(await readFile(path.join(folder, file), 'utf8'));
    return [path.basename(file, '.json'), cases] as const;
  });
  return new Map(await Promise.all(entries));
}
