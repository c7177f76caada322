import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Order, Outcomes, Report } from './orders.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Where the grants of a worker lie. */
export interface GrantsPlace {
  readonly storeUrl?: string;
  readonly folder?: string;
}

/** A process with grants (`process.ts`). */
export class Worker {
  /** Called when all calls of an order have begun. */
  onWaiting: () => void = () => {};
  /** Called with the name whose refresh has reached the step at which it is held. */
  onReached: (name: string) => void = () => {};
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (report: Report) => {
      if ('waiting' in report) this.onWaiting();
      if ('reached' in report) this.onReached(report.reached);
      if (!('id' in report)) return;
      const waiting = this.#waiting.get(report.id);
      this.#waiting.delete(report.id);
      if ('error' in report) waiting?.reject(new Error(report.error));
      else waiting?.resolve(report.value);
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the process has ended'));
      this.#waiting.clear();
    });
  }

  /** `program`: process.ts, compiled. */
  static async start(program: string, serverUrl: string, { storeUrl = '', folder = '' }: GrantsPlace): Promise<Worker> {
    const env = { TOOLKIT_KEY: 'a key for the processes of this test', STORE_URL: storeUrl, FOLDER: folder, SERVER_URL: serverUrl };
    const child = fork(program, { execArgv: [], env: { PATH: process.env['PATH'] ?? '', ...env } });
    const worker = new Worker(child);
    await Promise.race([once(child, 'message'), once(child, 'exit').then(() => Promise.reject(new Error('the process has ended')))]);
    return worker;
  }

  /** Rejects with what went wrong there, and when the process ends. */
  order(order: Order): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, order });
    });
  }

  live(names: readonly string[], calls: number): Promise<readonly Outcomes[]> {
    return this.order({ live: names, calls }) as Promise<readonly Outcomes[]>;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
