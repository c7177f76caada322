import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { excerpt, messageOf, outOfDescriptorsError, type ProgramStart, ToolkitError } from '../../../kernel/index.ts';
import { markVariable } from '../../shared/process/marked-processes.ts';
import { ProcessGroup } from '../../shared/process/process-group.ts';
import { giveInstructions, type LaunchProgram } from '../../shared/process/program.ts';
import { requireStreams } from '../../shared/process/require-streams.ts';
import { waitToSpawn } from '../../shared/process/spawn-gate.ts';
import { markOfRun } from '../../shared/process/watchdog.ts';

/** Time that a server gets to end by itself when its input ends, in milliseconds (MCP, Lifecycle, Shutdown). */
const graceMs = 500;

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const killAfterMs = 1500;

/** Time for the rest of the output after the exit, in milliseconds. */
const drainMs = 500;

export interface ServerProcessOptions {
  readonly start: ProgramStart;
  readonly signal: AbortSignal;
  /** Replaces the command, for example with a sandbox around it. @default the program itself */
  readonly launch?: LaunchProgram | undefined;
}

/**
 * The process of a server, in a group of its own with everything that it starts. All of it ends with `end`, with the process itself, and
 * with this process, however that ends.
 */
export class ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  readonly pid: number;
  /** Resolves when the process has ended and is reaped. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #group: ProcessGroup;
  #ending: Promise<void> | undefined;

  /** Starts the process. Throws DEPENDENCY_MISSING, EXECUTION_FAILED, or the reason of the signal. */
  static async start({ start, signal, launch }: ServerProcessOptions): Promise<ServerProcess> {
    const launched = launch === undefined ? { ...start, instructions: undefined, ended: undefined } : await launch(start);
    try {
      await waitToSpawn();
      signal.throwIfAborted();
      return await ServerProcess.#spawn(launched, launched.instructions, launched.ended);
    } catch (error) {
      await launched.ended?.({ exitCode: undefined, text: '' });
      throw error;
    }
  }

  static async #spawn(
    { program, args, env, cwd }: ProgramStart,
    instructions: string | undefined,
    onEnd: ((end: { exitCode: number | undefined; text: string }) => Promise<unknown>) | undefined,
  ): Promise<ServerProcess> {
    const mark = markOfRun();
    const child = spawn(program, args, {
      cwd,
      env: { ...env, ...mark },
      detached: process.platform !== 'win32',
      shell: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe', 'ignore', instructions === undefined ? 'ignore' : 'pipe'],
    });
    requireStreams(child);
    if (instructions !== undefined) giveInstructions(child.stdio[4] as Writable | undefined, instructions);
    if (child.pid === undefined) throw await startError(child, program);
    return new ServerProcess(child, mark[markVariable], onEnd);
  }

  constructor(
    child: ChildProcess,
    mark: string | undefined,
    onEnd?: (end: { exitCode: number | undefined; text: string }) => Promise<unknown>,
  ) {
    this.#child = child;
    this.pid = child.pid as number;
    [this.input, this.output, this.errors] = [child.stdin as Writable, child.stdout as Readable, child.stderr as Readable];
    this.#group = new ProcessGroup(child.pid, killAfterMs, mark);
    for (const stream of [this.input, this.output, this.errors]) stream.on('error', () => {});
    child.on('error', () => {});
    this.ended = this.#untilEnd().then(async (exitCode) => {
      await onEnd?.({ exitCode, text: '' }).catch(() => {});
    });
  }

  /** Lets the process keep this one alive while it works, and not while it is idle. */
  keepAliveWhile(isWorking: boolean): void {
    const method = isWorking ? 'ref' : 'unref';
    this.#child[method]();
    for (const stream of [this.input, this.output, this.errors]) (stream as { ref?(): void; unref?(): void })[method]?.();
  }

  /** Ends the process: its input first, then by signals. Resolves when it is reaped. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.keepAliveWhile(true);
    this.input.end();
    const timer = setTimeout(() => this.#group.end(), graceMs);
    await this.ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.#group.kill();
  }

  /** Waits for the exit, then for the rest of its output. Programs that it started may outlive it, and hold its streams open. */
  async #untilEnd(): Promise<number | undefined> {
    const child = this.#child;
    const closed = new Promise((resolve) => child.once('close', resolve));
    const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    this.#group.kill();
    this.#group.forget();
    const timer = setTimeout(() => [this.output, this.errors].map((stream) => stream.destroy()), drainMs);
    this.input.destroy();
    await closed;
    clearTimeout(timer);
    return exitCode ?? undefined;
  }
}

/** Returns why a process was not started. Node reports it in the next tick. */
async function startError(child: ChildProcess, program: string): Promise<ToolkitError> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
  const shown = excerpt(program, 100);
  const known = outOfDescriptorsError(error);
  if (known !== undefined) return known;
  if (error.code === 'ENOENT') {
    const message = `The program "${shown}" is not installed or not on the PATH, or its folder does not exist. Install it, then try again.`;
    return new ToolkitError('DEPENDENCY_MISSING', message, { program: shown });
  }
  return new ToolkitError('EXECUTION_FAILED', `The program "${shown}" could not be started: ${excerpt(messageOf(error))}.`, {
    program: shown,
  });
}
