import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { descendantsOf, keyOf, type ProcessMark } from './processes.ts';

export type Victim = 'python' | 'command';

const victims: Readonly<Record<Victim, RegExp>> = { python: /worker\.py$/, command: /\bsleep 0\.3$|\bsoak-sleeper\b/ };

/** A call that began so long after a kill may still meet the process that is gone. In milliseconds. */
const lateMs = 10_000;

/** How long there is peace between two deeds, in milliseconds. */
const peaceMs = 1000;

/** Disturbances during the run: definitions are rewritten, broken and removed, and processes are killed. */
export class Disturbance {
  /** Every process that was seen below the servers. */
  readonly seen = new Map<string, ProcessMark>();
  readonly deeds = new Map<string, number>();
  readonly #tools: string;
  readonly #random: Random;
  readonly #own: ReadonlySet<string>;
  readonly #killedAt: Record<Victim, number> = { python: Number.NEGATIVE_INFINITY, command: Number.NEGATIVE_INFINITY };
  #version = 0;

  /** `own`: processes that are none of the servers'. */
  constructor(tools: string, random: Random, own: ReadonlySet<string>) {
    this.#own = own;
    this.#tools = tools;
    this.#random = random;
  }

  /** True when a call that began at `since` may have lost a process that was killed. */
  hasKilled(victim: Victim, since: number): boolean {
    return this.#killedAt[victim] + lateMs > since;
  }

  /** Notes which processes there are. */
  look(): void {
    for (const one of descendantsOf(process.pid)) if (!this.#own.has(keyOf(one))) this.seen.set(keyOf(one), one);
  }

  /** Goes on until this aborts. */
  async goOn(isOver: AbortSignal): Promise<void> {
    while (!isOver.aborted) {
      this.look();
      const { name, run } = this.#random.weighted(this.#all);
      await run();
      this.deeds.set(name, (this.deeds.get(name) ?? 0) + 1);
      await wait(peaceMs, undefined, { signal: isOver }).catch(() => {});
    }
    // What comes and goes is there, and nothing is broken, while figures are taken.
    await this.#mend();
  }

  readonly #all = [
    { name: 'definition changed', weight: 6, run: () => this.#write('soak_changing', this.#changing()) },
    { name: 'definition broken', weight: 2, run: () => this.#write('soak_changing', 'name: soak_changing\nexecution: { type: [') },
    { name: 'definition removed', weight: 2, run: () => rm(this.#place('soak_coming'), { force: true }) },
    { name: 'definition added', weight: 2, run: () => this.#write('soak_coming', coming) },
    { name: 'code written', weight: 1, run: () => this.#touchCode() },
    { name: 'Python killed', weight: 4, run: () => this.#kill('python') },
    { name: 'program killed', weight: 4, run: () => this.#kill('command') },
  ];

  async #mend(): Promise<void> {
    await this.#write('soak_changing', this.#changing());
    await this.#write('soak_coming', coming);
  }

  #changing(): string {
    return definition('soak_changing', `Is written anew, version ${++this.#version}.`);
  }

  /** All of it at one moment, as editors do. */
  async #write(tool: string, text: string): Promise<void> {
    await this.#replace(this.#place(tool), text);
  }

  async #replace(file: string, text: string): Promise<void> {
    const aside = path.join(this.#tools, `.${randomUUID()}`);
    await writeFile(aside, text);
    await rename(aside, file);
  }

  /** Threads and Python processes start anew, with the same code. */
  async #touchCode(): Promise<void> {
    const file = path.join(this.#tools, 'python/words.py');
    await this.#replace(file, await readFile(file, 'utf8'));
  }

  async #kill(victim: Victim): Promise<void> {
    const found = descendantsOf(process.pid).filter(({ command }) => victims[victim].test(command));
    if (found.length === 0) return;
    this.#killedAt[victim] = performance.now();
    try {
      process.kill(this.#random.oneOf(found).pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }

  #place(tool: string): string {
    return path.join(this.#tools, `function/${tool}.yaml`);
  }
}

const definition = (name: string, description: string): string =>
  `name: ${name}\ndescription: ${description}\nparameters: { text: { type: string, required: true, description: The text } }\nexecution: { type: function, code: './functions.js#echo', timeout_ms: 60000 }\nrisk: low\n`;

const coming = definition('soak_coming', 'Comes and goes.');
