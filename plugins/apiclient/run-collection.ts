import { excerpt } from '../../kernel/index.ts';
import { type IterationPlan, planIterations } from './iterations.ts';
import { operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import type { RequestResult } from './report.ts';
import { moveReport, type ReportFormat, reportFlags, requestedReport } from './report-file.ts';
import { type Collection, namedFiles, type Request, readCollection } from './requests.ts';
import { type RunOutcome, run } from './run.ts';
import { type RunSettings, settingFlags, settingNeeds } from './run-settings.ts';
import type { MinimumVersion } from './runner.ts';

interface RunCollection extends RunSettings {
  readonly collection_path: string;
  readonly data_file?: string;
  readonly iteration_count?: number;
  readonly delay_ms?: number;
  readonly tags?: string;
  readonly exclude_tags?: string;
  readonly tests_only?: boolean;
  readonly bail_on_failure?: boolean;
  readonly parallel?: boolean;
  readonly report_format?: ReportFormat;
  readonly report_path?: string;
}

/** Maximum number of results; further ones are counted and left out, passed ones first. */
const maxResults = 2000;

/** `apiclient_run_collection`: runs every request of a collection, or those that match the filters. */
export async function runCollection(given: RunCollection, work: OperationContext): Promise<unknown> {
  const collection = await readCollection(given.collection_path, work);
  const { root } = collection;
  const flags = await settingFlags(root, given);
  const report = await requestedReport(given.report_format, given.report_path);
  const repetition = await planIterations(given.data_file, given.iteration_count, work.limits);
  const files = filesWith(tagsOf('tags', given.tags), collection);
  const plan = {
    files,
    sandbox: given.sandbox_mode ?? 'safe',
    roots: given.roots ?? [],
    namedFiles: namedFiles(root, runnableRequests(given, files, collection)),
    needs: [...settingNeeds(given), ...needsOf(given)],
    flags: async (folder: string) => [...flags, ...filterFlags(given), ...(await repetition.flags(folder)), ...reportFlags(report, folder)],
    onLine: progress(work, (files.length || collection.requests.length) * repetition.iterations),
  };
  return run(root, plan, work, async (outcome, folder) => {
    const reportPath = report === undefined ? null : await moveReport(report, folder);
    // Without tags the runner itself reports unreadable files.
    const unread = files.length === 0 ? [] : collection.errors;
    return { ...toOutput({ ...outcome, errors: [...unread, ...outcome.errors] }, given, repetition), report_path: reportPath };
  });
}

/** Returns the files of the requests that have all of these tags. Without tags: an empty list, which stands for the whole collection. */
function filesWith(tags: readonly string[], { requests, root }: Collection): readonly string[] {
  if (tags.length === 0) return [];
  const has = (request: Request): boolean => tags.every((tag) => request.tags.includes(tag));
  const files = requests.filter(has).map(({ file }) => file);
  if (files.length > 0) return files;
  const known = [...new Set(requests.flatMap((request) => request.tags))].sort();
  throw operationError(
    `No request of ${root.directory} has all of the tags ${tags.join(', ')}, so nothing was run. Its requests have ${known.length === 0 ? 'no tags' : `the tags ${known.join(', ')}`}.`,
    'NOT_FOUND',
  );
}

/** Returns the requests that may run, after all filters. */
function runnableRequests(given: RunCollection, files: readonly string[], { requests }: Collection): readonly Request[] {
  const excluded = tagsOf('exclude_tags', given.exclude_tags);
  return requests.filter(
    ({ file, tags, has_tests: hasTests }) =>
      (files.length === 0 || files.includes(file)) &&
      !tags.some((tag) => excluded.includes(tag)) &&
      (given.tests_only !== true || hasTests),
  );
}

function tagsOf(parameter: string, list = ''): readonly string[] {
  const tags = list
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  const wrong = tags.find((tag) => !/^[\w-]+$/.test(tag));
  if (wrong === undefined) return tags;
  throw operationError(
    `"${parameter}" has the tag "${wrong}": expected letters, digits, "-" and "_", and a comma between tags.`,
    'INVALID_PARAMETERS',
  );
}

function filterFlags(given: RunCollection): readonly string[] {
  const excluded = tagsOf('exclude_tags', given.exclude_tags);
  return [
    ...(given.delay_ms === undefined ? [] : [`--delay=${given.delay_ms}`]),
    ...(excluded.length === 0 ? [] : [`--exclude-tags=${excluded.join(',')}`]),
    ...(given.tests_only === true ? ['--tests-only'] : []),
    ...(given.bail_on_failure === true ? ['--bail'] : []),
    ...(given.parallel === true ? ['--parallel'] : []),
  ];
}

function needsOf({ tags, exclude_tags: excluded, parallel }: RunCollection): readonly MinimumVersion[] {
  return [
    ...(tags === undefined ? [] : [{ feature: 'tags', version: '2.0.0' }]),
    ...(excluded === undefined ? [] : [{ feature: 'exclude_tags', version: '2.0.0' }]),
    ...(parallel === true ? [{ feature: 'parallel', version: '2.0.0' }] : []),
  ];
}

/** True for an output line about a finished request: its file, then the response or the error in parentheses, then the time. */
function isRequest(line: string): boolean {
  return !/^[✓✕│•]/.test(line) && line.includes(' (') && /\)(?: - \d+ ms)?$/.test(line);
}

/** Reports finished requests as progress towards `total`. */
function progress({ context }: OperationContext, total: number): (line: string) => void {
  let done = 0;
  return (line) => {
    if (isRequest(line)) context.progress({ progress: Math.min(++done, total), total, message: line });
  };
}

function toOutput(
  { report, exitCode, durationMs, errors: found }: RunOutcome,
  given: RunCollection,
  { iterations }: IterationPlan,
): object {
  const results = report.rows.map(({ result }) => result);
  const count = (status: RequestResult['status']): number => results.filter((result) => result.status === status).length;
  const [passed, failing, skipped] = [count('passed'), count('failed'), count('skipped')];
  const errors = [...found];
  if (passed + failing === 0) errors.push(nothingRan(given, skipped));
  else if (exitCode !== 0 && failing === 0)
    errors.push(`The runner ended with code ${exitCode ?? '(a signal)'}, although no request failed.`);
  else if (report.iterations < iterations && given.bail_on_failure !== true)
    errors.push(`The collection ran ${report.iterations} of ${iterations} times.`);
  if (failing > 0) errors.push(describeFailures(results, failing, passed + failing));
  const total = passed + failing;
  const notes = notesOn(results);
  return {
    success: errors.length === 0 && exitCode === 0,
    summary: {
      total_requests: total,
      passed,
      failed: failing,
      skipped,
      iterations: report.iterations,
      execution_time_ms: durationMs,
      total,
      duration: durationMs,
    },
    checks: {
      assertions: results.reduce((sum, { assertions }) => sum + assertions.length, 0),
      error_answers: results.filter(isErrorAnswer).length,
    },
    results: limitResults(results),
    results_truncated: results.length > maxResults,
    ...(notes.length === 0 ? {} : { notes }),
    errors,
  };
}

function isErrorAnswer({ response_status: status }: RequestResult): boolean {
  return status !== null && status >= 400;
}

/** Matches a path parameter without a value: `/orders/:orderId`. */
const unfilledParameter = /\/(:[A-Za-z_]\w*)/;

/** Returns notes on passed requests: without assertions, a response with any status passes. */
function notesOn(results: readonly RequestResult[]): readonly string[] {
  const ran = results.filter(({ status }) => status !== 'skipped');
  const unchecked = ran.filter(({ assertions }) => assertions.length === 0).length;
  const refused = ran.filter(isErrorAnswer);
  const [open] = ran.flatMap(({ url }) => unfilledParameter.exec(url ?? '')?.[1] ?? []);
  const named = [...new Set(refused.map(({ name, response_status: status }) => `"${excerpt(name, 60)}" ${status}`))].slice(0, 5).join(', ');
  return [
    ...(unchecked === 0
      ? []
      : [
          `${unchecked === ran.length ? 'There are no assertions' : `${unchecked} of ${ran.length} requests have no assertions`}: such a request passes with any answer.`,
        ]),
    ...(refused.length === 0 ? [] : [`${refused.length} of ${ran.length} answers have a status of 400 or above, among them ${named}.`]),
    ...(open === undefined ? [] : [`A URL was sent with the path parameter ${open} not filled in.`]),
  ];
}

function describeFailures(results: readonly RequestResult[], failing: number, total: number): string {
  const names = results.filter(({ status }) => status === 'failed').map(({ name }) => `"${name}"`);
  const shown = [...new Set(names)].slice(0, 5).join(', ');
  return `${failing} of ${total} requests failed, among them ${shown}; results says why.`;
}

function nothingRan({ tests_only: testsOnly, exclude_tags: excluded }: RunCollection, skipped: number): string {
  if (skipped > 0) return `No request was sent: all ${skipped} were skipped by a script or before a failure.`;
  const filters = [...(testsOnly === true ? ['tests_only'] : []), ...(excluded === undefined ? [] : ['exclude_tags'])];
  return filters.length === 0
    ? 'No request was run: the collection has none. Add some with apiclient_add_request.'
    : `No request was run: ${filters.join(' and ')} left none.`;
}

/** Limits the results, in the order of the run. Passed ones are left out first. */
function limitResults(results: readonly RequestResult[]): readonly RequestResult[] {
  if (results.length <= maxResults) return results;
  const others = results.filter(({ status }) => status !== 'passed').slice(0, maxResults);
  const kept = new Set([...others, ...results.filter(({ status }) => status === 'passed').slice(0, maxResults - others.length)]);
  return results.filter((result) => kept.has(result));
}
