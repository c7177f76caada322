import { readFile } from 'node:fs/promises';

/**
 * The report of one or several runs of mocha.
 * @typedef {{ title: string, error: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], ms: number }} FileResult `ms`: of its tests, without its hooks
 * @typedef {{ files: Map<string, FileResult>, began: number, ended: number }} Results `began`, `ended`: number of runs of mocha
 */

/** @returns {Promise<Results>} nothing at all where mocha did not run */
export async function readResults(file) {
  const results = { files: new Map(), began: 0, ended: 0 };
  const text = await readFile(file, 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { began = false, ended = false, file: of, title, error, ms = 0 } = JSON.parse(line);
    if (began) results.began++;
    if (ended) results.ended++;
    if (began || ended) continue;
    const known = results.files.get(of) ?? { passed: 0, failures: [], ms: 0 };
    results.files.set(of, known);
    known.ms += ms;
    if (error === undefined) known.passed++;
    else known.failures.push({ title, error });
  }
  return results;
}

/** The files in which a test failed. @returns {string[]} */
export function failedFiles({ files }) {
  return [...files].filter(([, { failures }]) => failures.length > 0).map(([file]) => file);
}
