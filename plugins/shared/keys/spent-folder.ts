import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { isOwn } from '../project/planted.ts';
import type { SpentMemory } from './spent-memory.ts';

/** How long a nonce is kept beyond its expiry, in milliseconds: a clock that is set back by less revives none. */
const keptMs = 3_600_000;

/** How often what has expired is removed at most, in milliseconds: the names of all that is kept are read for it. */
const sweepMs = 60_000;

/**
 * Remembers what was used in a folder, one empty file each, made with O_EXCL: of all processes that use the folder, one makes it, also after a
 * restart.
 */
export class SpentFolder implements SpentMemory {
  readonly id: string;
  readonly #folder: string;
  readonly #most: number;
  #count = 0;
  /** When the folder is read again. */
  #sweepAt = Number.NEGATIVE_INFINITY;

  /** Throws what the file system says where the folder cannot be written, or belongs to another account. `most` counts for one process, roughly for several. */
  constructor(folder: string, most = 10_000) {
    this.#folder = folder;
    this.#most = most;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(lstatSync(folder))) throw new Error(`${folder} belongs to another account`);
    chmodSync(folder, 0o700);
    // Another process may have the same number, in a container of its own.
    const probe = path.join(folder, `probe-${randomUUID()}`);
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
    this.id = idOf(folder);
  }

  spend(nonce: string, until: number, now: number): 'used' | 'full' | 'unwritable' | undefined {
    try {
      if (now >= this.#sweepAt || this.#count >= this.#most) this.#sweep(now);
      if (this.#count >= this.#most) return this.has(nonce, until) ? 'used' : 'full';
      const file = openSync(this.#fileOf(nonce, until), 'wx', 0o600);
      this.#count++;
      fsyncSync(file);
      closeSync(file);
      this.#syncFolder();
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code === 'EEXIST' ? 'used' : 'unwritable';
    }
  }

  has(nonce: string, until: number): boolean {
    return existsSync(this.#fileOf(nonce, until));
  }

  /** The expiry is signed with the nonce: what is used has one name. */
  #fileOf(nonce: string, until: number): string {
    return path.join(this.#folder, `${until}-${nonce}`);
  }

  /** Removes what has expired, and counts the rest. */
  #sweep(now: number): void {
    const names = readdirSync(this.#folder).filter((name) => /^\d/.test(name));
    const expired = names.filter((name) => Number(name.split('-')[0]) + keptMs <= now);
    for (const name of expired) rmSync(path.join(this.#folder, name), { force: true });
    this.#count = names.length - expired.length;
    this.#sweepAt = now + sweepMs;
  }

  /** A new name outlives a loss of power only when its folder has been written too. Windows opens no folders. */
  #syncFolder(): void {
    if (process.platform === 'win32') return;
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

/** What this folder is called by all who use it, in a file that appears whole. */
function idOf(folder: string): string {
  const file = path.join(folder, 'id');
  if (!existsSync(file)) {
    const made = path.join(folder, `id-${randomUUID()}`);
    writeFileSync(made, randomBytes(16).toString('hex'), { flag: 'wx', mode: 0o600 });
    try {
      linkSync(made, file);
    } catch (error) {
      // Another process was first.
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    } finally {
      rmSync(made, { force: true });
    }
  }
  // Own text: a note as it was written here
  return readFileSync(file, 'utf8');
}
