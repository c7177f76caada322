import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { CallOutput, CallRequest } from '../../../kernel/index.ts';
import type { Order, Report } from './orders.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface WorkerOptions {
  readonly storeUrl: string;
  readonly serviceUrl: string;
}

/** A process with a kernel of its own (`process.ts`). */
export class Worker {
  /** Called with the label of each call of `placed` that starts. */
  onStarted: (label: string) => void = () => {};
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: Report) => {
      if ('started' in report) this.onStarted(report.started);
      if (!('id' in report)) return;
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if ('error' in report) waiting?.reject(Object.assign(new Error(report.error.message), { code: report.error.code }));
      else waiting?.resolve(report.value);
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the process has ended'));
      this.#waiting.clear();
    });
  }

  static async start({ storeUrl, serviceUrl }: WorkerOptions): Promise<Worker> {
    const child = fork(path.resolve('test/suites/limits/process.ts'), {
      execArgv: ['--import=tsx'],
      env: {
        PATH: process.env['PATH'] ?? '',
        TOOLKIT_STORE_URL: storeUrl,
        TOOLKIT_KEY: 'a key for the processes of this test',
        SERVICE_URL: serviceUrl,
      },
    });
    const worker = new Worker(child);
    await once(child, 'message');
    return worker;
  }

  call(request: CallRequest): Promise<Pick<CallOutput, 'output' | 'content' | 'meta'>> {
    return this.order({ call: request }) as ReturnType<Worker['call']>;
  }

  /** Rejects with what went wrong there, with its code, and when the process ends. */
  order(order: Order): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, order });
    });
  }

  /** Stops the process, or lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
