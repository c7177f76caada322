import os from 'node:os';
import { type CallIdentity, excerpt, type IdentityPart, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { folderIdentity, namedFiles } from '../../../plugins/shared/bound-files/named-files.ts';
import { findProgram } from '../../../plugins/shared/process/find-program.ts';
import { minimalEnvironment, type ProgramResult, runProgram } from '../../../plugins/shared/process/program.ts';
import { type DecodedText, decodeUtf8, type ReplacedResult, replacedResult } from '../../../plugins/shared/text/utf8.ts';

/** Maximum size of standard output and of standard error, each, in bytes. A program that writes more is stopped. */
const maxOutputBytes = 1024 * 1024;

interface ExecuteParameters {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly working_directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly stdin?: string;
}

interface ExecuteResult extends ReplacedResult {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration_ms: number;
  readonly truncated: boolean;
  readonly note?: string;
}

/**
 * Runs a program without a shell, in its own process group. Ends processes that it leaves running: on Linux also those that
 * left the group, unless they cleared their environment; elsewhere only those in the group. Throws TIMEOUT after `timeout_ms`,
 * DEPENDENCY_MISSING when the program does not exist, and INVALID_PARAMETERS for a name or value that no process can receive.
 */
export async function execute(
  parameters: ExecuteParameters,
  { signal, launch }: Pick<FunctionContext, 'signal' | 'launch'>,
): Promise<ExecuteResult> {
  const { command, environment, timeout_ms, stdin } = parameters;
  refuseVariableNames(Object.keys(environment));
  const env = { ...minimalEnvironment(), ...environment };
  if (/\s/.test(command)) refuseCommandLine(command, await findProgram(command, { env, cwd: parameters.working_directory }));
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(timeoutError(command, timeout_ms)), timeout_ms);
  try {
    const run = await runProgram(command, parameters.arguments, {
      cwd: parameters.working_directory,
      env,
      signal: AbortSignal.any([signal, limit.signal]),
      maxOutputBytes,
      endsEscaped: true,
      ...(launch === undefined ? {} : { launch }),
      ...(stdin === undefined ? {} : { stdin }),
    });
    // Drops a character that the limit cut in two.
    const [stdout, stderr] = [run.stdout, run.stderr].map((bytes) => decodeUtf8(bytes, { isCut: run.truncated })) as [
      DecodedText,
      DecodedText,
    ];
    return {
      exit_code: exitCodeOf(run),
      stdout: stdout.text,
      stderr: stderr.text,
      ...replacedResult(stdout, stderr),
      duration_ms: Math.round(run.durationMs),
      truncated: run.truncated,
      ...(run.note === undefined ? {} : { note: run.note }),
    };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the identity of a call: the program, its folder, and the files that its arguments, its environment and its input
 * name.
 */
export async function identify(parameters: ExecuteParameters, { controlFiles, signal }: FunctionContext): Promise<CallIdentity> {
  const { command, arguments: args, environment, working_directory: cwd, stdin = '' } = parameters;
  const env = { ...minimalEnvironment(), ...environment };
  const program = await findProgram(command, { env, cwd });
  refuseCommandLine(command, program);
  return {
    program,
    folder: await folderIdentity(cwd),
    files: await namedFiles({ args, texts: [...Object.values(environment), stdin], cwd, controlFiles, signal }),
  };
}

/** Refuses a command with arguments: a path with a space in it that does not exist. Thrown before the approval question. */
function refuseCommandLine(command: string, { state }: IdentityPart): void {
  if (state !== 'missing' || !/\s/.test(command)) return;
  const message = `expected the path of a program, and there is no "${excerpt(command, 100)}". Put arguments into "arguments"`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "command": ${message}.`, { issues: [{ path: 'command', message }] });
}

/** Returns the exit code as shells do: 128 plus the number of the signal for a program that a signal ended. */
function exitCodeOf({ exitCode, signal }: ProgramResult): number {
  return exitCode ?? 128 + (os.constants.signals[signal as NodeJS.Signals] ?? 0);
}

function refuseVariableNames(names: readonly string[]): void {
  const wrong = names.find((name) => name === '' || name.includes('='));
  if (wrong === undefined) return;
  const message = `expected names of variables, which are not empty and hold no "=", received "${excerpt(wrong)}"`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "environment": ${message}.`, { issues: [{ path: 'environment', message }] });
}

function timeoutError(command: string, timeoutMs: number): ToolkitError {
  return new ToolkitError(
    'TIMEOUT',
    `"${excerpt(command, 100)}" did not end within ${timeoutMs} ms and was stopped, with everything it started. Raise timeout_ms, or ask for less.`,
    // The program may have done half of its work, so the call is not retried.
    { timeoutMs, retryable: false },
  );
}
