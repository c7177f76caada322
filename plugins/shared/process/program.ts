import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { stat } from 'node:fs/promises';
import type { Duplex, Writable } from 'node:stream';
import { excerpt, type LaunchedProgram, messageOf, outOfDescriptorsError, type ProgramStart, ToolkitError } from '../../../kernel/index.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { HeadOfStream } from './head-of-stream.ts';
import { markVariable } from './marked-processes.ts';
import { ProcessGroup } from './process-group.ts';
import { requireStreams } from './require-streams.ts';
import { waitToSpawn } from './spawn-gate.ts';
import { markOfRun } from './watchdog.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  /** The complete environment of the child; see `minimalEnvironment`. Only one variable is added, which marks its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the whole process group: SIGTERM, then SIGKILL after `killAfterMs`. */
  readonly signal: AbortSignal;
  /** Time between SIGTERM and SIGKILL, in milliseconds. @default 2000 */
  readonly killAfterMs?: number;
  /** Linux: also ends processes that have left the process group, found by the mark in their environment. @default false */
  readonly endsEscaped?: boolean;
  readonly stdin?: string;
  /** Maximum bytes kept of standard output and of standard error, each. */
  readonly maxOutputBytes: number;
  /** Called with every chunk of standard output. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Called with the other end of a two-way channel on the program's descriptor 3. */
  readonly onChannel?: (channel: Duplex) => void;
  /** Text that the program reads from its descriptor 4. */
  readonly instructions?: string;
  /** Replaces the command to spawn, for example with a sandbox around it. @default the program itself */
  readonly launch?: LaunchProgram;
}

/** Asks the kernel's launcher about one start, for a known tool. */
export type LaunchProgram = (start: ProgramStart) => Promise<LaunchedProgram>;

export interface ProgramResult {
  /** Undefined when a signal ended the program. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** True when a stream was longer than `maxOutputBytes`. The program and its children were then killed, unless they had ended. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** Sentence of the launcher about this run, for the caller. */
  readonly note?: string;
}

/** Runs a program, as `runProgram` does. */
export type RunProgram = (program: string, args: readonly string[], options: ProgramOptions) => Promise<ProgramResult>;

/** Variables that child processes inherit from this process. */
export const inheritedVariables: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'SHELL',
  'SystemRoot',
  'TEMP',
  'TMP',
  'PATHEXT',
  'USERPROFILE',
];

/** Returns the minimal environment that a child needs to start: no variable that may hold a credential. */
export function minimalEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Record<string, string> {
  return Object.fromEntries(inheritedVariables.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/** Time to wait after the program's end for output that processes outside the group hold open, in milliseconds. */
const drainTimeoutMs = 500;

/**
 * Runs a program with an argument list, never through a shell, in its own process group. Kills remaining children when the program or this
 * process ends, as far as they stay in the group (see `endsEscaped`). A nonzero exit is a result, not an error. Throws INVALID_PARAMETERS
 * for a null byte, DEPENDENCY_MISSING for a missing program, EXECUTION_FAILED when it cannot be started, and the reason of the signal when
 * that aborts.
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  refuseNullBytes(program, args, options);
  const { launch, ...plain } = options;
  if (launch !== undefined) return runLaunched(launch, { program, args, env: options.env, cwd: options.cwd ?? process.cwd() }, plain);
  const { execa } = await import('execa');
  await waitToSpawn();
  options.signal.throwIfAborted();
  const startedAt = performance.now();
  const mark = markOfRun();
  const child = withStreams(() =>
    execa(program, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...options.env, ...mark },
      extendEnv: false,
      detached: process.platform !== 'win32',
      cleanup: false,
      shell: false,
      reject: false,
      encoding: 'buffer',
      buffer: false,
      stdio: [
        options.stdin === undefined ? ('ignore' as const) : ('pipe' as const),
        'pipe' as const,
        'pipe' as const,
        ...extraStreams(options),
      ],
      ...(options.stdin === undefined ? {} : { input: options.stdin }),
    }),
  );
  const channel = options.onChannel === undefined ? undefined : (child.stdio[3] as Duplex | undefined);
  if (channel !== undefined) options.onChannel?.(channel);
  if (options.instructions !== undefined) giveInstructions(child.stdio[4] as Writable | undefined, options.instructions);
  const killAfterMs = options.killAfterMs ?? 2000;
  const group = new ProcessGroup(child.pid, killAfterMs, options.endsEscaped === true ? mark[markVariable] : undefined);
  const onAbort = (): void => group.end();
  options.signal.addEventListener('abort', onAbort, { once: true });
  const outputs = [child.stdout, child.stderr].map((stream) => new HeadOfStream(stream, options.maxOutputBytes, () => group.kill()));
  if (options.onOutput !== undefined) child.stdout.on('data', options.onOutput);
  let drain: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    if (!options.signal.aborted) group.kill();
    const close = (): void => {
      for (const output of outputs) output.close();
      channel?.destroy();
    };
    drain = setTimeout(() => setImmediate(close), drainTimeoutMs + (options.signal.aborted ? killAfterMs : 0));
  });
  try {
    const result = await child;
    if (options.signal.aborted) group.kill();
    options.signal.throwIfAborted();
    if (child.pid === undefined)
      throw (
        outOfDescriptorsError(result) ??
        (await startError(program, options, result.code, result.originalMessage ?? messageOf(result.cause)))
      );
    const [stdout, stderr] = outputs.map((output) => output.bytes());
    return {
      exitCode: result.exitCode,
      signal: result.signal,
      stdout: stdout ?? Buffer.alloc(0),
      stderr: stderr ?? Buffer.alloc(0),
      truncated: outputs.some((output) => output.truncated),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(drain);
    options.signal.removeEventListener('abort', onAbort);
    group.forget();
  }
}

/** Runs the command that the launcher returns. Calls its `ended` in every case. */
async function runLaunched(launch: LaunchProgram, start: ProgramStart, options: Omit<ProgramOptions, 'launch'>): Promise<ProgramResult> {
  const { program, args, env, cwd, instructions, ended } = await launch(start);
  let run: ProgramResult;
  try {
    run = await runProgram(program, args, { ...options, env, cwd, ...(instructions === undefined ? {} : { instructions }) });
  } catch (error) {
    await ended({ exitCode: undefined, text: '' });
    throw error;
  }
  const note = await ended({ exitCode: run.exitCode, text: `${decodeUtf8(run.stderr).text}\n${decodeUtf8(run.stdout).text}` });
  return { ...run, ...(note === undefined ? {} : { note }) };
}

/** Returns the extra streams: descriptor 3 for the channel, descriptor 4 for instructions. */
function extraStreams({ onChannel, instructions }: ProgramOptions): ('pipe' | 'ignore')[] {
  const streams = [onChannel, instructions].map((used) => (used === undefined ? 'ignore' : 'pipe'));
  return instructions === undefined ? streams.filter((stream) => stream === 'pipe') : streams;
}

/**
 * Writes the text for the program's descriptor 4. Ignores write errors: a program that ends before it has read everything reports that by
 * its exit.
 */
export function giveInstructions(stream: Writable | undefined, instructions: string): void {
  stream?.on('error', () => {});
  stream?.end(instructions);
}

function refuseNullBytes(program: string, args: readonly string[], { cwd = '', env }: ProgramOptions): void {
  const parts = { program: [program], argument: args, 'working directory': [cwd], 'environment variable': Object.entries(env).flat() };
  for (const [part, texts] of Object.entries(parts)) {
    if (!texts.some((text) => text.includes('\0'))) continue;
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `The program "${excerpt(program, 100)}" cannot be started: expected text without null bytes, but the ${part} has one. Remove it.`,
      { program },
    );
  }
}

/** Starts a process. execa throws on a process without streams before its `error` event has a listener. */
function withStreams<T>(start: () => T): T {
  let child: ChildProcess | undefined;
  const see = (message: unknown): void => {
    child = (message as { readonly process: ChildProcess }).process;
  };
  subscribe('child_process', see);
  try {
    return start();
  } catch (error) {
    if (child !== undefined) requireStreams(child);
    throw error;
  } finally {
    unsubscribe('child_process', see);
  }
}

async function startError(program: string, { cwd }: ProgramOptions, code: string | undefined, message: string): Promise<ToolkitError> {
  if (cwd !== undefined && !(await isDirectory(cwd))) {
    return new ToolkitError(
      'EXECUTION_FAILED',
      `The program "${excerpt(program, 100)}" could not be started in "${excerpt(cwd)}", which is not a directory. Name one that exists.`,
      { program, cwd },
    );
  }
  if (code === 'ENOENT') {
    return new ToolkitError(
      'DEPENDENCY_MISSING',
      `The program "${excerpt(program, 100)}" is not installed or not on the PATH. Install it, then try again.`,
      { program },
    );
  }
  const advice = startAdvice[code ?? ''];
  return new ToolkitError(
    'EXECUTION_FAILED',
    `The program "${excerpt(program, 100)}" could not be started: ${excerpt(message)}${advice === undefined ? '' : `. ${advice}`}`,
    { program },
  );
}

/** Advice for system errors. */
const startAdvice: Readonly<Record<string, string>> = {
  E2BIG: 'Its arguments are longer than this system allows: give fewer or shorter ones, or hand them over in a file.',
  EACCES: 'It is a folder, or may not be executed by this account: name the program itself, or change its mode.',
};

async function isDirectory(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch {
    return false;
  }
}
