import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** True where the wall clock of a process can be set: Debian package faketime. */
export const canSetClocks = existsSync(library);

/** The wall clock of one process, which can be set while it runs. Its monotonic clock stays right. */
export class WallClock {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(offsetS = 0): Promise<WallClock> {
    const clock = new WallClock(await mkdtemp(path.join(os.tmpdir(), 'toolkit-clock-')));
    await clock.set(offsetS);
    return clock;
  }

  /** Environment variables of the process. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: library,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
    };
  }

  /** Sets the difference to the real time, in seconds. The process follows within a second. */
  async set(offsetS: number): Promise<void> {
    await writeFile(this.#file, `${offsetS < 0 ? '' : '+'}${offsetS}\n`);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return path.join(this.#folder, 'offset');
  }
}
