import { spawn } from 'node:child_process';
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
  readJson,
  ToolkitError,
  writeMarked,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { exactParameters } from '../shared/code/exact-parameters.ts';
import { linkedState } from '../shared/pinned-code/linked-code.ts';
import { giveInstructions, minimalEnvironment } from '../shared/process/program.ts';
import { markOfRun } from '../shared/process/watchdog.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { toDescriptorError } from './descriptor-error.ts';
import { maskObtainedSecret } from './mask-obtained.ts';
import { revealSecrets } from './run-function.ts';
import { toolLogger } from './tool-logger.ts';
import type { Job, PooledWorker } from './worker-pool.ts';
import { WorkerProcess } from './worker-process.ts';

interface Message {
  readonly id: number;
  readonly type: 'begins' | 'output' | 'error' | 'progress' | 'log' | 'mask';
  readonly output?: unknown;
  /** The name and value of a secret that the function obtained itself. */
  readonly name?: string;
  readonly value?: string;
  readonly content?: readonly ContentPart[];
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly progress?: Progress;
  readonly level?: 'error' | 'warn' | 'info' | 'debug';
  readonly meta?: LogMeta;
  /** Set when the process ends after this answer. */
  readonly ends?: true;
}

/**
 * Limit of the printed text that is held, in characters: far more than is logged, so that no secret is cut at the start of the
 * logged part.
 */
const maxPrintedLength = 256 * 1024;

/** One `python3` process in a process group of its own. It takes one call at a time. */
export class PythonWorker implements PooledWorker {
  readonly #process: WorkerProcess<Message>;
  readonly #program: string;
  #nextId = 0;

  /** Starts the process. `launched`: the program to spawn instead, from a launcher. */
  constructor(program: string, launched?: LaunchedProgram) {
    this.#program = program;
    const start = launched ?? pythonCommand(program);
    const child = spawn(start.program, start.args, {
      ...(launched === undefined ? {} : { cwd: launched.cwd }),
      env: { ...start.env, ...markOfRun() },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', ...(launched?.instructions === undefined ? [] : ['pipe' as const])],
      detached: process.platform !== 'win32',
    });
    if (launched?.instructions !== undefined) giveInstructions(child.stdio?.[4] as Writable | undefined, launched.instructions);
    this.#process = new WorkerProcess(child, maxPrintedLength);
    // Without free descriptors there are no streams.
    const messages = child.stdio?.[3] as Readable | undefined;
    if (messages !== undefined)
      createInterface({ input: messages, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => this.#receive(line));
    this.#process.keepAliveWhile(false);
  }

  get ended(): Promise<void> {
    return this.#process.ended;
  }

  get isAlive(): boolean {
    return this.#process.isAlive;
  }

  async run({ code, call, context }: Job, onBegin: () => void): Promise<ExecutionResult> {
    const id = this.#nextId++;
    const task = {
      id,
      file: code.file,
      function: code.exportName ?? 'run',
      approved: call.identity?.code?.state,
      linked: linkedState(call.tool)?.state,
      files: call.tool.code?.map(({ file }) => file) ?? [],
      parameters: exactParameters(call),
      secrets: revealSecrets(call),
      callId: context.callId,
      caller: context.caller,
      traceparent: context.span?.traceparentFor('workers'),
      output: context.output,
    };
    try {
      return await this.#process.call<Message>({
        signal: context.signal,
        listen: (resolve) => (message) => {
          if (message.id !== id)
            this.#process.stop('it wrote a message of another call to file descriptor 3, which belongs to the protocol');
          else if (message.type === 'begins') onBegin();
          else if (message.type === 'progress' && message.progress !== undefined) context.progress(message.progress);
          else if (message.type === 'mask') maskObtainedSecret(context, message.name, message.value);
          else if (message.type === 'log') toolLogger(context)[message.level ?? 'info'](message.message ?? '', message.meta);
          else {
            // Bytes behind an answer, perhaps in the same chunk, would count as messages of a later call.
            this.#process.ignoreMessages();
            if (message.ends === true) this.#process.kill();
            resolve(message);
          }
        },
        send: () => void this.#process.child.stdin?.write(`${writeMarked(task)}\n`),
        finish: async (message) => {
          if (message !== undefined) await drainStreams();
          context.signal.throwIfAborted();
          return this.#toResult(message, code, context);
        },
      });
    } finally {
      const { printed } = this.#process;
      if (printed.trim() !== '')
        context.logger.debug('python printed', { file: code.file, text: excerpt(context.mask(printed).slice(-1000), 1000) });
    }
  }

  kill(): void {
    this.#process.kill();
  }

  end(): Promise<void> {
    return this.#process.end();
  }

  #receive(line: string): void {
    const message = parse(line);
    const isHandled = message !== undefined && this.#process.receive(message);
    if (!isHandled && this.isAlive) this.#process.stop('it wrote to file descriptor 3, which belongs to the protocol');
  }

  #toResult(message: Message | undefined, code: CodeReference, { tool, mask }: CallContext): ExecutionResult {
    if (message === undefined) throw this.#endError(code, mask);
    if (message.type !== 'error') return { output: message.output, ...(message.content === undefined ? {} : { content: message.content }) };
    const text = excerpt(mask(message.message ?? 'unknown error'), 500);
    const errorText = message.code === undefined ? `The function of "${tool.name}" failed: ${text}` : text;
    throw new ToolkitError(message.code ?? 'EXECUTION_FAILED', errorText, { file: code.file });
  }

  #endError(code: CodeReference, mask: CallContext['mask']): ToolkitError {
    const { startError, printed } = this.#process;
    if (startError?.code === 'ENOENT') {
      return new ToolkitError(
        'DEPENDENCY_MISSING',
        `Python tools need the program "${this.#program}", which is not on the PATH. Install Python 3 (Debian: apt-get install python3), then try again.`,
        { program: this.#program },
      );
    }
    const descriptorError = toDescriptorError(startError);
    if (descriptorError !== undefined) return descriptorError;
    const reason = excerpt(
      mask(startError?.message ?? printed)
        .trim()
        .split('\n')
        .at(-1) ?? '',
    );
    return new ToolkitError(
      'EXECUTION_FAILED',
      `The Python process of ${code.file} ended in the middle of the call${reason === '' ? '' : `: ${reason}`}. The next call starts a new one.`,
      { file: code.file },
    );
  }
}

/**
 * Waits until the text printed before an answer has been read. It comes through another stream, whose event may follow the
 * answer's: in the same iteration of the event loop, or in the next one.
 */
async function drainStreams(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Returns the path of the script that runs functions. */
export function workerScriptPath(): string {
  return path.join(codeRoot(), 'plugins/executor-function/worker.py');
}

/** Returns the command that starts Python without a launcher. */
export function pythonCommand(program: string): ProgramStart {
  return { program, args: ['-u', '-X', 'utf8', workerScriptPath()], env: pythonEnvironment(), cwd: process.cwd() };
}

/** Returns the minimal environment with `PYTHONPATH` added. */
function pythonEnvironment(): Record<string, string> {
  const { PYTHONPATH } = process.env;
  return { ...minimalEnvironment(), PYTHONDONTWRITEBYTECODE: '1', ...(PYTHONPATH === undefined ? {} : { PYTHONPATH }) };
}

function parse(line: string): Message | undefined {
  try {
    return readJson(line) as Message;
  } catch {
    return undefined;
  }
}
