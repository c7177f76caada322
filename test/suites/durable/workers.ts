import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from './kernel.ts';

/** Processes that make calls. */
export class Workers {
  readonly #program: string;
  readonly #place: Place;
  readonly #workers = new Set<ChildProcess>();

  /** `program`: worker.ts, compiled. */
  constructor(program: string, place: Place) {
    this.#program = program;
    this.#place = place;
  }

  get pids(): readonly number[] {
    return [...this.#workers].flatMap(({ pid }) => pid ?? []);
  }

  /** Resolves when they could begin; `begin` has them do so. */
  async start(count: number, concurrency = 4): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async () => {
        const { engine, store, world, retentionMs = '' } = this.#place;
        const worker = fork(this.#program, [engine, store, world, String(concurrency), String(retentionMs)], { execArgv: [] });
        worker.once('exit', () => this.#workers.delete(worker));
        this.#workers.add(worker);
        await once(worker, 'message');
      }),
    );
  }

  async begin(): Promise<void> {
    await Promise.all(
      [...this.#workers].map(async (worker) => {
        worker.send('work');
        await once(worker, 'message');
      }),
    );
  }

  /** kill -9; SIGSTOP holds it up, until SIGCONT. */
  kill(pid: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): void {
    for (const worker of this.#workers) if (worker.pid === pid) worker.kill(signal);
  }

  async killAll(): Promise<void> {
    await Promise.all(
      [...this.#workers].map(async (worker) => {
        const exited = once(worker, 'exit');
        worker.kill('SIGKILL');
        await exited;
      }),
    );
  }

  /** Has them close. */
  async stop(): Promise<void> {
    await Promise.all(
      [...this.#workers].map(async (worker) => {
        const exited = once(worker, 'exit');
        worker.disconnect();
        await exited;
      }),
    );
  }
}
