import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

/** Calls that one worker makes at the same time. */
const mostAtOnce = 8;

/** Milliseconds by which the clocks of the workers are ahead, in turn. */
const clocksMs = [0, 60_000, -60_000];

/** Error codes after which a host repeats a call by itself, under the same name. */
const madeAgain = new Set(['ABORTED', 'AGAIN', 'STATE_UNAVAILABLE', 'TIMEOUT', 'UPSTREAM_UNAVAILABLE']);

export interface Work {
  /** worker.ts, compiled. */
  readonly program: string;
  /** By the names of the calls, the tool of each. */
  readonly calls: ReadonlyMap<string, string>;
  readonly arguments: readonly string[];
  readonly workers: number;
  /** A worker is killed whenever so many further calls have ended and two can be spared, or, every third time, held up. */
  readonly strikeEvery: number;
  readonly random: () => number;
}

export interface WorkedThrough {
  /** How each call ended, by its name. */
  readonly ends: ReadonlyMap<string, string>;
  readonly kills: number;
  readonly stalls: number;
}

interface Worker {
  readonly child: ChildProcess;
  readonly names: Set<string>;
  /** Calls during which it was stopped: others are given them and wait, and it goes on with them afterwards. */
  readonly late: Set<string>;
  isHeldUp: boolean;
}

/**
 * Has every call made, by workers that are killed again and again, or held up until others wait for their calls; what a worker did not answer
 * another one makes under the same name. Rejects where a worker cannot start.
 */
export function workThrough(work: Work): Promise<WorkedThrough> {
  return new Promise((resolve, reject) => new Workers(work, resolve, reject).start());
}

class Workers {
  readonly #work: Work;
  readonly #resolve: (result: WorkedThrough) => void;
  readonly #reject: (error: Error) => void;
  readonly #environment = { ...process.env, TOOLKIT_KEY: randomBytes(32).toString('hex') };
  readonly #waiting: string[];
  readonly #ends = new Map<string, string>();
  /** Those that are ready. */
  readonly #workers = new Set<Worker>();
  readonly #children = new Set<ChildProcess>();
  #starts = 0;
  #kills = 0;
  #stalls = 0;
  #strikes = 0;
  #dueStrikes = 0;
  #isOver = false;

  constructor(work: Work, resolve: (result: WorkedThrough) => void, reject: (error: Error) => void) {
    this.#work = work;
    this.#waiting = [...work.calls.keys()];
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    for (let count = 0; count < this.#work.workers; count++) this.#startOne();
  }

  #startOne(): void {
    const env = { ...this.#environment, TOOLKIT_CLOCK_AHEAD_MS: String(clocksMs[this.#starts++ % clocksMs.length]) };
    const child = fork(this.#work.program, [...this.#work.arguments], { execArgv: [], env });
    const worker: Worker = { child, names: new Set(), late: new Set(), isHeldUp: false };
    let isReady = false;
    this.#children.add(child);
    child.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#workers.delete(worker);
      this.#children.delete(child);
      if (this.#isOver) return;
      if (!isReady) return void this.#fail(new Error(`a worker ended before it was ready: ${code ?? signal}`));
      // Before others: they are made again under the same name.
      this.#waiting.unshift(...worker.names);
      this.#startOne();
      this.#look();
    });
    child.on('message', (message: 'ready' | { readonly name: string; readonly end: string }) => {
      if (message === 'ready') {
        isReady = true;
        this.#workers.add(worker);
      } else this.#ended(worker, message);
      this.#look();
    });
  }

  #ended(worker: Worker, { name, end }: { readonly name: string; readonly end: string }): void {
    worker.late.delete(name);
    if (!worker.names.delete(name)) return;
    if (madeAgain.has(end)) return void this.#waiting.push(name);
    this.#ends.set(name, end);
    if (this.#ends.size % this.#work.strikeEvery === 0) this.#dueStrikes++;
    if (this.#dueStrikes > 0 && this.#going.length > 1) this.#strike();
  }

  get #going(): readonly Worker[] {
    return [...this.#workers].filter(({ isHeldUp }) => !isHeldUp);
  }

  /** Kills a worker; every third time one is held up instead, but one at a time: others must be left to make its calls. */
  #strike(): void {
    const going = this.#going;
    const victim = going[Math.floor(this.#work.random() * going.length)] as Worker;
    this.#dueStrikes--;
    if (++this.#strikes % 3 > 0 || going.length < this.#workers.size) return void (victim.child.kill('SIGKILL') && this.#kills++);
    this.#stalls++;
    victim.child.kill('SIGSTOP');
    victim.isHeldUp = true;
    for (const name of victim.names) victim.late.add(name);
    this.#waiting.unshift(...victim.names);
    victim.names.clear();
  }

  /** True when the others have nothing left but calls of this worker, which is alive although it stands still: they wait for it. */
  #onlyWaitsFor({ late }: Worker): boolean {
    return this.#going.every(({ names }) => [...names].every((name) => late.has(name)));
  }

  /** Lets go on who can, and gives out what waits. */
  #look(): void {
    for (const worker of this.#workers) {
      if (worker.isHeldUp && this.#onlyWaitsFor(worker)) {
        worker.isHeldUp = false;
        worker.child.kill('SIGCONT');
      }
    }
    // The last calls must not be through before the last worker is struck.
    if (this.#dueStrikes > 0 && this.#going.length < 2) return;
    for (const worker of this.#going) {
      while (worker.names.size < mostAtOnce && this.#waiting.length > 0) {
        const name = this.#waiting.shift() as string;
        worker.names.add(name);
        worker.child.send({ tool: this.#work.calls.get(name), name }, () => {});
      }
    }
    const isThrough = this.#ends.size === this.#work.calls.size && [...this.#workers].every(({ late }) => late.size === 0);
    if (isThrough && !this.#isOver) void this.#end();
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    await this.#stop();
    this.#resolve({ ends: this.#ends, kills: this.#kills, stalls: this.#stalls });
  }

  async #fail(error: Error): Promise<void> {
    this.#isOver = true;
    await this.#stop();
    this.#reject(error);
  }

  /** Also those that are not ready yet. */
  async #stop(): Promise<void> {
    await Promise.all(
      [...this.#children].map(async (child) => {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }),
    );
  }
}
