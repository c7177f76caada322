import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { excerpt } from '../../kernel/index.ts';
import { decodeUtf8 } from '../shared/text/utf8.ts';
import { presentDescriptors, type Root } from './descriptor.ts';
import { operationError } from './operation-error.ts';
import type { OperationContext } from './operation-services.ts';
import { type Report, readReport } from './report.ts';
import { type NamedFile, RunGuard } from './run-guard.ts';
import { type MinimumVersion, maxOutputBytes } from './runner.ts';

/** A run of the runner. `folder` is a private folder that exists for the run. */
export interface RunPlan {
  /** Flags as `--name=value`, except those of the sandbox and the report. */
  flags(folder: string): readonly string[] | Promise<readonly string[]>;
  /** Request files, relative to the collection. Empty for the whole collection. */
  readonly files: readonly string[];
  readonly sandbox: 'safe' | 'developer';
  /** Folders that tools may access. */
  readonly roots: readonly string[];
  /** Files that the requests name. */
  readonly namedFiles: readonly NamedFile[];
  readonly needs: readonly MinimumVersion[];
  /** Called with each output line of the runner. */
  readonly onLine?: (line: string) => void;
}

export interface RunOutcome {
  readonly report: Report;
  readonly exitCode: number | undefined;
  readonly durationMs: number;
  /** Errors other than failed requests. */
  readonly errors: readonly string[];
}

/** Meanings of the runner's exit codes, when it wrote no report. */
const exitCodeMeanings: Readonly<Record<number, string>> = {
  1: 'it refused an argument or a file',
  3: 'requests name each other as the next one without end',
  4: 'it takes the folder for no collection',
  5: 'a request file was not found',
  6: 'an environment was not found',
  7: 'a variable was malformed',
  8: 'a variable was malformed',
  10: 'the data file was not found',
};

/** Runs requests of a collection in its folder. `use` gets the outcome while the reports in `folder` exist. */
export async function run<T>(
  root: Root,
  plan: RunPlan,
  work: OperationContext,
  use: (outcome: RunOutcome, folder: string) => Promise<T>,
): Promise<T> {
  await expectRunnable(root);
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-apiclient-')));
  try {
    const guard = new RunGuard(root, { ...plan, folder }, work.context);
    await guard.requireReadable(plan.namedFiles);
    const file = path.join(folder, 'report.json');
    const paths = plan.files.map((name) => `./${name}`);
    const args = ['run', ...paths, ...(await plan.flags(folder)), `--sandbox=${plan.sandbox}`, `--reporter-json=${file}`];
    const needs = root.format === 'opencollection' ? [...plan.needs, { feature: 'an OpenCollection', version: '3.0.0' }] : plan.needs;
    const { signal } = work.context;
    const done = await work.runner.run(args, needs, {
      cwd: root.directory,
      signal,
      guard,
      ...(plan.onLine === undefined ? {} : { onLine: plan.onLine }),
    });
    if (done.truncated) throw outputTooLargeError();
    const output = { stdout: decodeUtf8(done.stdout).text, stderr: decodeUtf8(done.stderr).text };
    const report = await readReport(file, work.limits.maxReportBytes);
    if (report === undefined) throw missingReportError(done.exitCode, output, work);
    const outcome = { report, exitCode: done.exitCode, durationMs: Math.round(done.durationMs) };
    return await use({ ...outcome, errors: [...report.unread, ...guard.refusals, ...sandboxErrors(output.stderr)] }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function expectRunnable({ format, directory }: Root): Promise<void> {
  const needed = format === 'bru' ? 'bruno.json' : 'opencollection.yml';
  if ((await presentDescriptors(directory, [needed])).length > 0) return;
  throw operationError(
    `The collection ${directory} cannot be run: expected "${needed}" in it, which the runner looks for. Copy the descriptor that is there to that name.`,
  );
}

function missingReportError(
  exitCode: number | undefined,
  { stdout, stderr }: { stdout: string; stderr: string },
  { context }: OperationContext,
): Error {
  const end = exitCode === undefined ? 'was ended by a signal' : `ended with code ${exitCode}`;
  const meaning = exitCode === undefined || exitCodeMeanings[exitCode] === undefined ? '' : ` (${exitCodeMeanings[exitCode]})`;
  const output = excerpt(context.mask(stderr.trim() || stdout.trim()));
  return operationError(`The runner ${end}${meaning} and wrote no report${output === '' ? ', and said nothing' : `: ${output}`}`);
}

function outputTooLargeError(): Error {
  return operationError(
    `The runner printed more than ${maxOutputBytes} bytes and was stopped; requests may have been sent. Take console.log out of the scripts of the collection, or run fewer requests.`,
    'OUTPUT_TOO_LARGE',
  );
}

/** Explains failures of a safe sandbox that was not ready: assertions fail although the response was right. */
function sandboxErrors(stderr: string): readonly string[] {
  if (!/Cannot read properties of undefined \(reading 'new(Context|Object)'\)/.test(stderr)) return [];
  return [
    'The sandbox of the runner was not ready when the first request was answered, so its assertions and tests may have failed for no reason. Put a script:pre-request into collection.bru (a comment is enough), then run again.',
  ];
}
