import type PQueue from 'p-queue';
import { type Call, type CallContext, type ExecutionResult, ToolkitError } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { PythonWorker } from './python-worker.ts';

/** Python functions in `python3` processes that are reused, replaced after a crash, and killed when a call is aborted. */
export class PythonPool {
  readonly #program: string;
  readonly #maxWorkers: number;
  readonly #idle: PythonWorker[] = [];
  readonly #all = new Set<PythonWorker>();
  /** Those with code of before: they end with their call. */
  readonly #stale = new WeakSet<PythonWorker>();
  readonly #onExit = (): void => {
    for (const worker of this.#all) worker.kill();
  };
  #queue: Promise<PQueue> | undefined;
  #closed = false;

  constructor(program: string, maxWorkers: number) {
    this.#program = program;
    this.#maxWorkers = maxWorkers;
  }

  async run(code: CodeReference, call: Call, context: CallContext): Promise<ExecutionResult> {
    this.#queue ??= this.#open();
    const queue = await this.#queue;
    return queue.add(() => this.#runNow(code, call, context), { signal: context.signal });
  }

  async #open(): Promise<PQueue> {
    const { default: PQueue } = await import('p-queue');
    process.on('exit', this.#onExit);
    return new PQueue({ concurrency: this.#maxWorkers });
  }

  async #runNow(code: CodeReference, call: Call, context: CallContext): Promise<ExecutionResult> {
    if (this.#closed) throw new ToolkitError('ABORTED', 'The kernel is closing.');
    const worker = this.#takeIdle() ?? this.#start();
    try {
      return await worker.run(code, call, context);
    } finally {
      if (worker.isAlive && !this.#closed && !this.#stale.has(worker)) this.#idle.push(worker);
      else await worker.end();
    }
  }

  #takeIdle(): PythonWorker | undefined {
    const worker = this.#idle.pop();
    return worker === undefined || worker.isAlive ? worker : this.#takeIdle();
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

  /** Calls from now on run in new processes, with the code as it is then. */
  async forget(): Promise<void> {
    for (const worker of this.#all) this.#stale.add(worker);
    await Promise.all(this.#idle.splice(0).map((worker) => worker.end()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.end()));
    process.off('exit', this.#onExit);
  }
}
