import { stat } from 'node:fs/promises';
import { excerpt, isPlainObject, messageOf, readJson } from '../../kernel/index.ts';
import { readText } from '../shared/text/read-text.ts';
import { operationError } from './operation-error.ts';
import { listOf, objectAt } from './read-request.ts';

/** A check of a response: an assertion, or a `test` of a script. */
export interface Check {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly error?: string;
}

export interface RequestResult {
  readonly name: string;
  /** Relative to the collection, if the report has the path. */
  readonly file: string;
  /** Index of the iteration, from 0. */
  readonly iteration: number;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly method: string | null;
  readonly url: string | null;
  /** Status of the response; null without one. */
  readonly response_status: number | null;
  readonly duration_ms: number | null;
  readonly assertions: readonly Check[];
  readonly error?: string;
}

/** A row of the report with its parsed result. */
export interface ReportRow {
  readonly result: RequestResult;
  /** The row as the runner wrote it. */
  readonly row: Readonly<Record<string, unknown>>;
}

export interface Report {
  readonly iterations: number;
  readonly rows: readonly ReportRow[];
  /** Request files that the runner could not read, one line each. */
  readonly unread: readonly string[];
}

/** Reads the JSON report of a run. Undefined without a file. Throws when it is not a report. */
export async function readReport(file: string, maxBytes: number): Promise<Report | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.size > maxBytes)
    throw operationError(
      `The report of the run has ${stats.size} bytes, and at most ${maxBytes} are read. Run fewer requests, or raise limits.maxReportBytes of the plugin apiclient.`,
      'OUTPUT_TOO_LARGE',
    );
  return reportOf(parse(await readText(file)));
}

function parse(text: string): readonly unknown[] {
  try {
    const report = readJson(text);
    if (Array.isArray(report)) return report;
    throw new Error('expected a list with one entry an iteration');
  } catch (error) {
    throw operationError(
      `The runner wrote a report that cannot be read: ${excerpt(messageOf(error))}. It may have been stopped, or be of a version that is not known here.`,
      'EXECUTION_FAILED',
      error,
    );
  }
}

function reportOf(entries: readonly unknown[]): Report {
  const iterations = entries.filter(isPlainObject);
  const all = iterations.flatMap((entry, index) =>
    listOf(entry['results'])
      .filter(isPlainObject)
      .map((row) => ({ row, result: resultOf(row, index) })),
  );
  // A file that cannot be parsed is a row without an iteration.
  const isUnread = ({ row }: ReportRow): boolean =>
    row['status'] === 'skipped' && row['iterationIndex'] === undefined && row['error'] != null;
  return {
    // Iterations that did not start after a failure have a summary and no results.
    iterations: iterations.filter((entry) => entry['skipped'] !== true && listOf(entry['results']).length > 0).length,
    rows: all.filter((row) => !isUnread(row)),
    unread: [...new Set(all.filter(isUnread).map(({ result }) => `${result.file}: cannot be read: ${result.error ?? ''}`))],
  };
}

/** Reads one row. The report says `pass` for every request with a response, whatever its assertions and tests say. */
function resultOf(row: Readonly<Record<string, unknown>>, index: number): RequestResult {
  const request = objectAt(row, 'request');
  const response = objectAt(row, 'response');
  const assertions = checksOf(row);
  const isSkipped = row['status'] === 'skipped' || row['skipped'] === true || response['status'] === 'skipped';
  const error = errorOf(row, response, isSkipped);
  const isFailed =
    row['status'] === 'error' || row['status'] === 'fail' || error !== undefined || assertions.some(({ status }) => status === 'failed');
  const file = text(objectAt(row, 'test')['filename']) ?? text(row['path']) ?? '';
  return {
    name: text(row['name']) ?? text(row['suitename']) ?? file,
    file,
    iteration: typeof row['iterationIndex'] === 'number' ? row['iterationIndex'] : index,
    status: isSkipped ? 'skipped' : isFailed ? 'failed' : 'passed',
    method: text(request['method']) ?? null,
    url: text(request['url']) ?? null,
    response_status: number(response['status']),
    duration_ms: number(response['responseTime']),
    assertions,
    ...(error === undefined ? {} : { error: excerpt(error, 500) }),
  };
}

function errorOf(
  row: Readonly<Record<string, unknown>>,
  response: Readonly<Record<string, unknown>>,
  isSkipped: boolean,
): string | undefined {
  return text(row['error']) ?? (isSkipped ? (text(response['statusText']) ?? text(row['skipReason'])) : undefined);
}

const checkLists = ['assertionResults', 'preRequestTestResults', 'testResults', 'postResponseTestResults'] as const;

/** Reads the checks of all four lists; any status but `pass` is a failure. */
function checksOf(row: Readonly<Record<string, unknown>>): readonly Check[] {
  return checkLists
    .flatMap((list) => listOf(row[list]))
    .filter(isPlainObject)
    .map((check) => {
      const { description, lhsExpr, rhsExpr, status, error } = check;
      const name = text(description) ?? [lhsExpr, rhsExpr].filter((part) => typeof part === 'string').join(' ');
      return {
        name,
        status: status === 'pass' ? 'passed' : 'failed',
        ...(status === 'pass' || text(error) === undefined ? {} : { error: excerpt(text(error) ?? '', 500) }),
      };
    });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
