import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { excerpt, type Liveness, ToolkitError } from '../../../kernel/index.ts';

/** Maximum wait for another process, in milliseconds. */
const timeoutMs = 10_000;
const pollIntervalMs = 4;
/** Interval of the questions for a holder's life, in milliseconds. */
const livenessIntervalMs = 40;

/**
 * An exclusive lock for the processes of one machine, which the death of its holder frees. The lock is the file with the highest number in its
 * folder: it contains the holder's member id, and nothing once it is released. The next holder creates the next number. Only lower numbers
 * are removed, so numbers never decrease, and a slow process cannot take away the lock of a later holder.
 */
export class FolderLock {
  readonly #folder: string;
  readonly #join: () => Liveness;
  #isSwept = false;

  /** `join`: returns a new member of the processes of this machine. */
  constructor(folder: string, join: () => Liveness) {
    this.#folder = folder;
    this.#join = join;
  }

  /** Runs work while no other process does. Throws STATE_UNAVAILABLE when a living process keeps the lock for ten seconds. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const member = this.#join();
    await member.enter();
    try {
      const file = await this.#acquire(member);
      try {
        return await work();
      } finally {
        await truncate(file);
      }
    } finally {
      member.leave();
    }
  }

  async #acquire(member: Liveness): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const own = path.join(this.#folder, `.${member.id}`);
    // Complete before it has its number.
    await writeFile(own, member.id, { mode: 0o600 });
    try {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const number = (await this.#untilFree(member, deadline)) + 1;
        if (!(await isLinked(own, this.#fileOf(number)))) continue;
        const numbers = await this.#numbers();
        if (Math.max(...numbers) === number) {
          await Promise.all(numbers.filter((other) => other < number).map((other) => rm(this.#fileOf(other), { force: true })));
          if (!this.#isSwept) await this.#removeLeft(member);
          return this.#fileOf(number);
        }
        // The number was removed by a later holder.
        await rm(this.#fileOf(number), { force: true });
      }
    } finally {
      await rm(own, { force: true });
    }
  }

  /** Returns the highest number, once its holder has released it or died. */
  async #untilFree(member: Liveness, deadline: number): Promise<number> {
    for (let nextQuestionAt = Number.NEGATIVE_INFINITY; ; ) {
      const number = Math.max(0, ...(await this.#numbers()));
      const holder = number === 0 ? '' : await this.#holderOf(number);
      if (holder === '') return number;
      const now = performance.now();
      if (holder !== undefined && now >= nextQuestionAt) {
        if (await member.isDead(holder)) return number;
        nextQuestionAt = now + livenessIntervalMs;
      }
      if (now > deadline) throw held(this.#folder);
      await setTimeout(pollIntervalMs);
    }
  }

  /** Removes the files of processes that died while they waited. */
  async #removeLeft(member: Liveness): Promise<void> {
    this.#isSwept = true;
    for (const name of await readdir(this.#folder))
      if (/^\.\w+\.\d+$/.test(name) && (await member.isDead(name.slice(1)))) await rm(path.join(this.#folder, name), { force: true });
  }

  async #numbers(): Promise<readonly number[]> {
    return (await readdir(this.#folder)).filter((name) => /^\d{1,15}$/.test(name)).map(Number);
  }

  /** Undefined when a later holder has removed the file. */
  async #holderOf(number: number): Promise<string | undefined> {
    try {
      // Own text: the id of a member
      return await readFile(this.#fileOf(number), 'latin1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  #fileOf(number: number): string {
    return path.join(this.#folder, String(number));
  }
}

/** Resolves to false when the name exists. */
async function isLinked(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function held(folder: string): ToolkitError {
  return new ToolkitError(
    'STATE_UNAVAILABLE',
    `Another process of this account has been writing in ${excerpt(folder)} for ten seconds. Repeat the call; if that process stands still, end it.`,
  );
}
