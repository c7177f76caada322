import { excerpt, ToolkitError } from './errors.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  /** The whole environment of the child; nothing is inherited beside it. See `minimalEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the whole process group: SIGTERM, then SIGKILL after `killAfterMs`. */
  readonly signal: AbortSignal;
  /** @default 2000 */
  readonly killAfterMs?: number;
  readonly stdin?: string;
  /** Bytes kept of standard output and of standard error, each. */
  readonly maxOutputBytes: number;
}

export interface ProgramResult {
  /** Undefined when a signal ended the program. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** True when a stream was longer than `maxOutputBytes`; the program was then stopped. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

const inherited = [
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

/** What a child needs to start and nothing more: no variable that may hold a credential. */
export function minimalEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): Record<string, string> {
  return Object.fromEntries(inherited.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

/**
 * Runs a program with an argument list, never through a shell, in a process group of its own, so that its children end with it.
 * A nonzero exit is a result, not an error. Throws DEPENDENCY_MISSING when the program is not there, EXECUTION_FAILED when it cannot be
 * started, and the reason of the signal when that aborts.
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { execa } = await import('execa');
  options.signal.throwIfAborted();
  const startedAt = performance.now();
  const child = execa(program, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...options.env },
    extendEnv: false,
    detached: process.platform !== 'win32',
    cleanup: false,
    shell: false,
    reject: false,
    encoding: 'buffer',
    maxBuffer: options.maxOutputBytes,
    stripFinalNewline: false,
    ...(options.stdin === undefined ? { stdin: 'ignore' as const } : { input: options.stdin }),
  });
  const group = new ProcessGroup(child.pid, options.killAfterMs ?? 2000);
  const onAbort = (): void => group.end();
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await child;
    if (result.isMaxBuffer || options.signal.aborted) group.kill();
    options.signal.throwIfAborted();
    if (child.pid === undefined) throw startError(program, options, result.code, result.originalMessage ?? '');
    return {
      exitCode: result.exitCode,
      signal: result.signal,
      stdout: Buffer.from(result.stdout ?? []),
      stderr: Buffer.from(result.stderr ?? []),
      truncated: result.isMaxBuffer,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    group.forget();
  }
}

/** The child and everything it started. Killed with this process, however that ends. */
class ProcessGroup {
  readonly #pid: number | undefined;
  readonly #killAfterMs: number;
  readonly #onExit = (): void => this.kill();

  constructor(pid: number | undefined, killAfterMs: number) {
    this.#pid = pid;
    this.#killAfterMs = killAfterMs;
    process.on('exit', this.#onExit);
  }

  end(): void {
    this.#send('SIGTERM');
    setTimeout(() => this.kill(), this.#killAfterMs).unref();
  }

  kill(): void {
    this.#send('SIGKILL');
  }

  forget(): void {
    process.off('exit', this.#onExit);
  }

  #send(signal: NodeJS.Signals): void {
    if (this.#pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? this.#pid : -this.#pid, signal);
    } catch {
      // ESRCH: the group has ended already.
    }
  }
}

function startError(program: string, options: ProgramOptions, code: string | undefined, message: string): ToolkitError {
  if (code === 'ENOENT' && (options.cwd === undefined || !message.includes(options.cwd))) {
    return new ToolkitError(
      'DEPENDENCY_MISSING',
      `The program "${program}" is not installed or not on the PATH. Install it, then try again.`,
      { program },
    );
  }
  return new ToolkitError('EXECUTION_FAILED', `The program "${program}" could not be started: ${excerpt(message)}`, { program });
}
