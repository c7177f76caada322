import { isPlainObject, isUnsafeInteger } from '../../kernel/index.ts';
import { operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { objectAt } from './read-request.ts';
import type { ReportRow } from './report.ts';
import { type Collection, namedFiles, type Request, readCollection } from './requests.ts';
import { run } from './run.ts';
import { type RunSettings, settingFlags, settingNeeds } from './run-settings.ts';

interface RunRequest extends RunSettings {
  readonly collection_path: string;
  readonly request_name: string;
}

/** `apiclient_run_request`: runs one request, and returns the sent request and the response. */
export async function runRequest(given: RunRequest, work: OperationContext): Promise<unknown> {
  const collection = await readCollection(given.collection_path, work);
  const request = findRequest(given.request_name, collection);
  const flags = await settingFlags(collection.root, given);
  const plan = {
    files: [request.file],
    sandbox: given.sandbox_mode ?? 'safe',
    roots: given.roots ?? [],
    namedFiles: namedFiles(collection.root, [request]),
    needs: settingNeeds(given),
    flags: () => flags,
    onLine: (message: string) => work.context.progress({ message }),
  };
  return run(collection.root, plan, work, async ({ report, exitCode, errors }) => {
    const [row] = report.rows;
    if (row === undefined)
      throw operationError(`The runner did not run "${given.request_name}"${errors.length === 0 ? '.' : `: ${errors.join(' ')}`}`);
    const isOdd = exitCode !== 0 && row.result.status === 'passed';
    return toOutput(
      row,
      isOdd ? [...errors, `The runner ended with code ${exitCode ?? '(a signal)'}, although the request did not fail.`] : errors,
    );
  });
}

/** Finds a request by name. Throws NOT_FOUND when none has the name, and EXECUTION_FAILED when several have it. */
function findRequest(name: string, { requests, root, errors }: Collection): Request {
  const found = requests.filter((request) => request.name === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1)
    throw operationError(
      `${found.length} requests of ${root.directory} have the name "${name}": ${found.map(({ file }) => file).join(', ')}. Rename all but one.`,
    );
  const similar = requests
    .filter((request) => request.name.toLowerCase().includes(name.toLowerCase()))
    .map((request) => `"${request.name}"`);
  const shown = similar.length > 0 ? `Like it are ${similar.slice(0, 5).join(', ')}` : 'apiclient_get_collection_info lists them';
  const unread = errors.length === 0 ? '' : ` Not readable: ${errors.slice(0, 3).join(' ')}`;
  throw operationError(`No request of ${root.directory} has the name "${name}", which must match exactly. ${shown}.${unread}`, 'NOT_FOUND');
}

function toOutput({ row, result }: ReportRow, found: readonly string[]): object {
  const request = objectAt(row, 'request');
  const response = objectAt(row, 'response');
  const isAnswered = typeof response['status'] === 'number';
  const errors = [
    ...found,
    ...(result.error === undefined || found.includes(result.error) ? [] : [result.error]),
    ...result.assertions.flatMap(({ status, name, error }) =>
      status === 'failed' ? [`${name}${error === undefined ? '' : `: ${error}`}`] : [],
    ),
  ];
  return {
    success: result.status === 'passed' && errors.length === 0,
    request: { method: result.method, url: result.url, headers: headersOf(request['headers']), body: request['data'] ?? null },
    response: isAnswered
      ? {
          status: result.response_status,
          headers: headersOf(response['headers']),
          body: response['data'] ?? null,
          duration_ms: result.duration_ms,
        }
      : null,
    ...(isAnswered && holdsLargeInteger(response['data']) ? { note: largeIntegerNote } : {}),
    assertions: result.assertions,
    errors,
  };
}

/** Note for large integers: the runner parses responses as JavaScript does, so the number that the service sent is unknown. */
const largeIntegerNote =
  'Integers beyond 2^53 in the body are as the runner wrote them, which rounds those that were numbers: their last digits may be wrong.';

function holdsLargeInteger(value: unknown): boolean {
  if (typeof value === 'string') return isUnsafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeInteger);
}

/** Returns the headers as texts, without those that have no value. */
function headersOf(headers: unknown): Record<string, string> {
  if (!isPlainObject(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]])),
  );
}
