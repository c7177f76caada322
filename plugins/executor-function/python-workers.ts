import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import PQueue from 'p-queue';
import {
  type Call,
  type CallContext,
  type ErrorCode,
  type ExecutionResult,
  excerpt,
  type LogMeta,
  minimalEnvironment,
  type Progress,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code-module.ts';
import { codeRoot } from '../shared/layout.ts';
import { secretsOf } from './in-process.ts';

interface Message {
  readonly id: number;
  readonly type: 'output' | 'error' | 'progress' | 'log';
  readonly output?: unknown;
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly progress?: Progress;
  readonly level?: 'error' | 'warn' | 'info' | 'debug';
  readonly meta?: LogMeta;
}

/** Python functions in `python3` processes that are reused, replaced after a crash, and killed when a call is aborted. */
export class PythonPool {
  readonly #program: string;
  readonly #queue: PQueue;
  readonly #idle: PythonWorker[] = [];
  readonly #all = new Set<PythonWorker>();
  #closed = false;

  constructor(program: string, maxWorkers: number) {
    this.#program = program;
    this.#queue = new PQueue({ concurrency: maxWorkers });
  }

  run(code: CodeReference, call: Call, context: CallContext): Promise<ExecutionResult> {
    return this.#queue.add(() => this.#runNow(code, call, context), { signal: context.signal }) as Promise<ExecutionResult>;
  }

  async #runNow(code: CodeReference, call: Call, context: CallContext): Promise<ExecutionResult> {
    if (this.#closed) throw new ToolkitError('ABORTED', 'The kernel is closing.');
    const worker = this.#idle.pop() ?? this.#start();
    try {
      return { output: await worker.run(code, call, context) };
    } finally {
      if (worker.isAlive && !this.#closed) this.#idle.push(worker);
      else await worker.end();
    }
  }

  #start(): PythonWorker {
    const worker = new PythonWorker(this.#program);
    this.#all.add(worker);
    worker.ended.then(() => {
      this.#all.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return worker;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.end()));
  }
}

/** One `python3` process; it takes one call at a time. */
class PythonWorker {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #program: string;
  readonly #onExit = (): void => void this.#child.kill('SIGKILL');
  #alive = true;
  #startError: NodeJS.ErrnoException | undefined;
  #stderr = '';
  #nextId = 0;
  #onMessage: (message: Message) => void = () => {};

  constructor(program: string) {
    this.#program = program;
    const script = path.join(codeRoot(), 'plugins/executor-function/worker.py');
    this.#child = spawn(program, ['-u', '-X', 'utf8', script], {
      env: { ...minimalEnvironment(), PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    });
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#alive = false;
        process.off('exit', this.#onExit);
        resolve();
      };
      this.#child.once('close', end);
      this.#child.once('error', (error: NodeJS.ErrnoException) => {
        this.#startError = error;
        end();
      });
    });
    this.#child.stdin?.on('error', () => {});
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2000);
    });
    createInterface({ input: this.#child.stdio[3] as Readable, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
      this.#onMessage(JSON.parse(line) as Message),
    );
    process.on('exit', this.#onExit);
    // A process that waits for work must not keep this one alive.
    this.#child.unref();
    for (const stream of this.#child.stdio) (stream as { unref?(): void } | null)?.unref?.();
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  async run(code: CodeReference, call: Call, context: CallContext): Promise<unknown> {
    const id = this.#nextId++;
    this.#stderr = '';
    const answer = new Promise<Message>((resolve) => {
      this.#onMessage = (message) => {
        if (message.id !== id) return;
        if (message.type === 'progress' && message.progress !== undefined) context.progress(message.progress);
        else if (message.type === 'log') context.logger[message.level ?? 'info'](message.message ?? '', message.meta);
        else resolve(message);
      };
    });
    const onAbort = (): void => void this.#child.kill('SIGKILL');
    context.signal.addEventListener('abort', onAbort, { once: true });
    const task = {
      id,
      file: code.file,
      function: code.exportName ?? 'run',
      parameters: call.parameters,
      secrets: secretsOf(call),
      callId: context.callId,
      caller: context.caller,
    };
    this.#child.stdin?.write(`${JSON.stringify(task)}\n`);
    try {
      const message = await Promise.race([answer, this.ended.then(() => undefined)]);
      context.signal.throwIfAborted();
      return this.#outputOf(message, code);
    } finally {
      context.signal.removeEventListener('abort', onAbort);
      this.#onMessage = () => {};
      if (this.#stderr.trim() !== '') context.logger.debug('python printed', { file: code.file, text: excerpt(this.#stderr, 1000) });
    }
  }

  #outputOf(message: Message | undefined, code: CodeReference): unknown {
    if (message === undefined) throw this.#endError(code);
    if (message.type === 'error')
      throw new ToolkitError(message.code ?? 'EXECUTION_FAILED', excerpt(message.message ?? 'unknown error', 500), { file: code.file });
    return message.output;
  }

  #endError(code: CodeReference): ToolkitError {
    if (this.#startError?.code === 'ENOENT') {
      return new ToolkitError(
        'DEPENDENCY_MISSING',
        `Python tools need the program "${this.#program}", which is not on the PATH. Install Python 3 (Debian: apt-get install python3), then try again.`,
        { program: this.#program },
      );
    }
    const why = excerpt(this.#startError?.message ?? this.#stderr.trim().split('\n').at(-1) ?? '');
    return new ToolkitError(
      'EXECUTION_FAILED',
      `The Python process of ${code.file} ended in the middle of the call${why === '' ? '' : `: ${why}`}. The next call starts a new one.`,
      { file: code.file },
    );
  }

  async end(): Promise<void> {
    if (this.#alive) this.#child.kill('SIGKILL');
    await this.ended;
  }
}
