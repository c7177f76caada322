import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  type CallContext,
  type ContentPart,
  type ErrorCode,
  type ExecutionResult,
  excerpt,
  type LaunchedProgram,
  type LogMeta,
  type ProgramStart,
  type Progress,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { linkedState } from '../shared/pinned-code/linked-code.ts';
import { giveWay } from '../shared/process/give-way.ts';
import { giveInstructions, minimalEnvironment } from '../shared/process/program.ts';
import { requireStreams } from '../shared/process/require-streams.ts';
import { signalGroup } from '../shared/process/signal-group.ts';
import { endWithThisProcess, markOfRun } from '../shared/process/watchdog.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { withoutDescriptors } from './descriptors.ts';
import { secretsOf } from './running-function.ts';
import { toolLogger } from './tool-logger.ts';
import type { Job, PooledWorker } from './worker-pool.ts';

interface Message {
  readonly id: number;
  readonly type: 'begins' | 'output' | 'error' | 'progress' | 'log';
  readonly output?: unknown;
  readonly content?: readonly ContentPart[];
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly progress?: Progress;
  readonly level?: 'error' | 'warn' | 'info' | 'debug';
  readonly meta?: LogMeta;
  /** The process ends after this answer. */
  readonly ends?: true;
}

/** How much of what a function prints is kept, in characters: far more than is shown, so that no secret is cut at the start of that. */
const maxPrinted = 256 * 1024;

/** One `python3` process, in a process group of its own; it takes one call at a time. */
export class PythonWorker implements PooledWorker {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #program: string;
  #alive = true;
  #startError: NodeJS.ErrnoException | undefined;
  #stderr = '';
  #nextId = 0;
  /** Takes the messages of the call that runs; between calls there are none. */
  #onMessage: ((message: Message) => void) | undefined;

  /** `launched`: what is spawned in its place. */
  constructor(program: string, launched?: LaunchedProgram) {
    this.#program = program;
    const start = launched ?? pythonStart(program);
    this.#child = spawn(start.program, start.args, {
      ...(launched === undefined ? {} : { cwd: launched.cwd }),
      env: { ...start.env, ...markOfRun() },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...(launched?.instructions === undefined ? [] : ['pipe' as const])],
      detached: process.platform !== 'win32',
    });
    if (launched?.instructions !== undefined) giveInstructions(this.#child.stdio?.[4] as Writable | undefined, launched.instructions);
    this.ended = new Promise((resolve) => {
      // What the process started may outlive it and keep its streams open.
      this.#child.once('exit', () => this.kill());
      this.#child.once('close', resolve);
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        this.#startError = error;
        this.#alive = false;
        resolve();
      });
    });
    requireStreams(this.#child);
    giveWay(this.#child.pid);
    void this.ended.then(endWithThisProcess(this.#child.pid));
    this.#child.stdin?.on('error', () => {});
    // own text: lines of the log
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-maxPrinted);
    });
    // Without descriptors for them there are no streams.
    const messages = this.#child.stdio?.[3] as Readable | undefined;
    if (messages !== undefined)
      createInterface({ input: messages, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.#receive(line));
    // A process that waits for work must not keep this one alive.
    this.#child.unref();
    for (const stream of this.#child.stdio ?? []) (stream as { unref?(): void } | null)?.unref?.();
  }

  /** False as soon as the end has begun: no further call may be given to it. */
  get isAlive(): boolean {
    return this.#alive;
  }

  async run({ code, call, context }: Job, begins: () => void): Promise<ExecutionResult> {
    context.signal.throwIfAborted();
    const id = this.#nextId++;
    this.#stderr = '';
    const answer = new Promise<Message>((resolve) => {
      this.#onMessage = (message) => {
        if (message.id !== id) this.#stop('it wrote a message of another call to file descriptor 3, which belongs to the protocol');
        else if (message.type === 'begins') begins();
        else if (message.type === 'progress' && message.progress !== undefined) context.progress(message.progress);
        else if (message.type === 'log') toolLogger(context)[message.level ?? 'info'](message.message ?? '', message.meta);
        else {
          // What comes behind an answer, perhaps in one piece with it, would be taken for that of a later call.
          this.#onMessage = undefined;
          if (message.ends === true) this.kill();
          resolve(message);
        }
      };
    });
    const onAbort = (): void => this.kill();
    context.signal.addEventListener('abort', onAbort, { once: true });
    const task = {
      id,
      file: code.file,
      function: code.exportName ?? 'run',
      approved: call.identity?.code?.state,
      linked: linkedState(call.tool)?.state,
      files: call.tool.code?.map(({ file }) => file) ?? [],
      parameters: call.parameters,
      secrets: secretsOf(call),
      callId: context.callId,
      caller: context.caller,
    };
    this.#child.stdin?.write(`${JSON.stringify(task)}\n`);
    try {
      const message = await Promise.race([answer, this.ended.then(() => undefined)]);
      if (message !== undefined) await everythingRead();
      context.signal.throwIfAborted();
      return this.#resultOf(message, code, context);
    } finally {
      context.signal.removeEventListener('abort', onAbort);
      this.#onMessage = undefined;
      if (this.#stderr.trim() !== '')
        context.logger.debug('python printed', { file: code.file, text: excerpt(context.mask(this.#stderr).slice(-1000), 1000) });
    }
  }

  /** Ends the process and everything that it started. */
  kill(): void {
    this.#alive = false;
    signalGroup(this.#child.pid, 'SIGKILL');
  }

  async end(): Promise<void> {
    if (this.#alive) this.kill();
    await this.ended;
  }

  #receive(line: string): void {
    const message = parse(line);
    if (message !== undefined && this.#onMessage !== undefined) this.#onMessage(message);
    else if (this.#alive) this.#stop('it wrote to file descriptor 3, which belongs to the protocol');
  }

  /** Ends a process of which an answer that follows may be forged. */
  #stop(why: string): void {
    this.#onMessage = () => {};
    this.#stderr = why;
    this.kill();
  }

  #resultOf(message: Message | undefined, code: CodeReference, { tool, mask }: CallContext): ExecutionResult {
    if (message === undefined) throw this.#endError(code, mask);
    if (message.type !== 'error') return { output: message.output, ...(message.content === undefined ? {} : { content: message.content }) };
    const text = excerpt(mask(message.message ?? 'unknown error'), 500);
    const said = message.code === undefined ? `The function of "${tool.name}" failed: ${text}` : text;
    throw new ToolkitError(message.code ?? 'EXECUTION_FAILED', said, { file: code.file });
  }

  #endError(code: CodeReference, mask: CallContext['mask']): ToolkitError {
    if (this.#startError?.code === 'ENOENT') {
      return new ToolkitError(
        'DEPENDENCY_MISSING',
        `Python tools need the program "${this.#program}", which is not on the PATH. Install Python 3 (Debian: apt-get install python3), then try again.`,
        { program: this.#program },
      );
    }
    const exhausted = withoutDescriptors(this.#startError);
    if (exhausted !== undefined) return exhausted;
    const why = excerpt(
      mask(this.#startError?.message ?? this.#stderr)
        .trim()
        .split('\n')
        .at(-1) ?? '',
    );
    return new ToolkitError(
      'EXECUTION_FAILED',
      `The Python process of ${code.file} ended in the middle of the call${why === '' ? '' : `: ${why}`}. The next call starts a new one.`,
      { file: code.file },
    );
  }
}

/**
 * What was printed before an answer lies in another stream, whose event may come behind that of the answer: in the same turn of the event
 * loop, or in the next one where this turn began before both.
 */
async function everythingRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** The script that runs functions. */
export function workerScript(): string {
  return path.join(codeRoot(), 'plugins/executor-function/worker.py');
}

/** A process of Python as it is started without a launcher. */
export function pythonStart(program: string): ProgramStart {
  return { program, args: ['-u', '-X', 'utf8', workerScript()], env: environment(), cwd: process.cwd() };
}

/** The minimal environment, and where Python looks for modules. */
function environment(): Record<string, string> {
  const { PYTHONPATH } = process.env;
  return { ...minimalEnvironment(), PYTHONDONTWRITEBYTECODE: '1', ...(PYTHONPATH === undefined ? {} : { PYTHONPATH }) };
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}
