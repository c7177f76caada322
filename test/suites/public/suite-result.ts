import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import { type DeviationLine, maxLinesShare } from './deviation-lines.ts';
import type { PublicSuite } from './public-suite.ts';

/** The outcome of one suite. */
export interface SuiteResult {
  readonly suite: string;
  readonly counts: boolean;
  readonly cases: number;
  /** Cases that differ and have a line. */
  readonly lines: number;
  /** Sentences that make the run fail: a case that differs without a line, a line whose case passes, an id that comes twice. */
  readonly failures: readonly string[];
  /** Ids of lines whose cases the folder does not have. */
  readonly unused: readonly string[];
}

/** Runs all cases of a suite through the tools, and holds them against its lines. */
export async function runSuite(
  suite: PublicSuite,
  file: unknown,
  lines: ReadonlyMap<string, DeviationLine>,
  toolkit: Toolkit,
): Promise<SuiteResult> {
  const cases = suite.casesOf(file);
  const failures: string[] = [];
  const met = new Set<string>();
  let lineCount = 0;
  for (const { id, difference } of cases) {
    const found = await difference(toolkit);
    const line = lines.get(id);
    if (met.has(id)) failures.push(`"${id}": two cases have this id. Let the reader of the suite tell them apart.`);
    met.add(id);
    if (found !== undefined && line !== undefined) lineCount += 1;
    if (found !== undefined && line === undefined) failures.push(`"${id}": ${found}`);
    if (found === undefined && line !== undefined) failures.push(`"${id}": has a line, and its case passes. Take the line out.`);
  }
  const unused = [...lines.keys()].filter((id) => !met.has(id));
  return { suite: suite.name, counts: suite.counts !== false, cases: cases.length, lines: lineCount, failures, unused };
}

/** Returns the part of the cases that are lines, over all suites that count; 0 without cases. */
export function linesShare(results: readonly SuiteResult[]): number {
  const counted = results.filter(({ counts }) => counts);
  const cases = sum(counted.map((result) => result.cases));
  return cases === 0 ? 0 : sum(counted.map(({ lines }) => lines)) / cases;
}

/** Returns a table of the counts of each suite, with the percentage of lines below. */
export function resultTable(results: readonly SuiteResult[]): string {
  const rows = results.map(({ suite, cases, lines, failures, counts }) => [
    `${suite}${counts ? '' : ' (not counted)'}`,
    ...[cases, cases - lines - failures.length, lines, failures.length].map(String),
  ]);
  const table = [['suite', 'cases', 'as the suite says', 'lines', 'failures'], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const text = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const unused = results.flatMap(({ suite, unused: ids }) =>
    ids.map((id) => `not in this folder: the case of the line "${id}" of ${suite}`),
  );
  const share = `lines: ${percent(linesShare(results))} of the cases that count, at most ${percent(maxLinesShare)}`;
  return [...text, share, ...unused].join('\n');
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
