import type PQueue from 'p-queue';
import { type Call, type CallContext, type ExecutionResult, ToolkitError } from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { codeOwner } from './code-owner.ts';
import { PythonWorker } from './python-worker.ts';

interface IdleWorker {
  readonly worker: PythonWorker;
  readonly owner: string;
}

/**
 * Python functions in `python3` processes that are reused for the code of one owner, replaced after a crash, and killed when a call is
 * aborted. Where all are in use by others, the one that is idle longest ends.
 */
export class PythonPool {
  readonly #program: string;
  readonly #maxWorkers: number;
  /** The longest idle first. */
  readonly #idle: IdleWorker[] = [];
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
    if (this.#closed) throw closing();
    const owner = codeOwner(call.tool);
    const worker = this.#takeIdle(owner) ?? (await this.#startInPlace());
    try {
      return await worker.run(code, call, context);
    } finally {
      if (worker.isAlive && !this.#closed && !this.#stale.has(worker)) this.#idle.push({ worker, owner });
      else await worker.end();
    }
  }

  #takeIdle(owner: string): PythonWorker | undefined {
    const index = this.#idle.findLastIndex((one) => one.owner === owner && one.worker.isAlive);
    return index < 0 ? undefined : this.#idle.splice(index, 1)[0]?.worker;
  }

  /** The queue has room for this call, so that there is an idle one where there are as many as may be. */
  async #startInPlace(): Promise<PythonWorker> {
    while (this.#all.size >= this.#maxWorkers && this.#idle.length > 0) await this.#idle.shift()?.worker.end();
    if (this.#closed) throw closing();
    return this.#start();
  }

  #start(): PythonWorker {
    const worker = new PythonWorker(this.#program);
    this.#all.add(worker);
    worker.ended.then(() => {
      this.#all.delete(worker);
      const index = this.#idle.findIndex((one) => one.worker === worker);
      if (index >= 0) this.#idle.splice(index, 1);
    });
    return worker;
  }

  /** Calls from now on run in new processes, with the code as it is then. */
  async forget(): Promise<void> {
    for (const worker of this.#all) this.#stale.add(worker);
    await Promise.all(this.#idle.splice(0).map(({ worker }) => worker.end()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((worker) => worker.end()));
    process.off('exit', this.#onExit);
  }
}

function closing(): ToolkitError {
  return new ToolkitError('ABORTED', 'The kernel is closing.');
}
