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
import { isOwnedByThisAccount } from '../project/untrusted-location.ts';
import type { UsedTokens } from './used-tokens.ts';

/** Time that a token is remembered beyond its expiry, in milliseconds: setting the clock back by less revives none. */
const graceMs = 3_600_000;

/** Minimum interval between removals of expired tokens, in milliseconds. Each reads all file names. */
const sweepIntervalMs = 60_000;

/**
 * Remembers used tokens in a folder, one empty file each. Files are created with O_EXCL, so that of all processes that share the folder,
 * one consumes a token, across restarts too.
 */
export class UsedTokenFolder implements UsedTokens {
  readonly id: string;
  readonly #folder: string;
  readonly #maxTokens: number;
  #count = 0;
  /** Time of the next removal of expired tokens. */
  #sweepAt = Number.NEGATIVE_INFINITY;

  /**
   * Throws file system errors when the folder cannot be written, and an Error when it belongs to another account. `maxTokens` is exact for
   * one process, approximate for several.
   */
  constructor(folder: string, maxTokens = 10_000) {
    this.#folder = folder;
    this.#maxTokens = maxTokens;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnedByThisAccount(lstatSync(folder))) throw new Error(`${folder} belongs to another account`);
    chmodSync(folder, 0o700);
    // Not the process id: another container may have the same one.
    const probe = path.join(folder, `probe-${randomUUID()}`);
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
    this.id = idOf(folder);
  }

  consume(nonce: string, until: number, now: number): 'used' | 'full' | 'unwritable' | undefined {
    try {
      if (now >= this.#sweepAt || this.#count >= this.#maxTokens) this.#sweep(now);
      if (this.#count >= this.#maxTokens) return this.has(nonce, until) ? 'used' : 'full';
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

  /** Returns the file of a token. The expiry is signed with the nonce, so each token has one name. */
  #fileOf(nonce: string, until: number): string {
    return path.join(this.#folder, `${until}-${nonce}`);
  }

  /** Removes expired tokens, and counts the rest. */
  #sweep(now: number): void {
    const names = readdirSync(this.#folder).filter((name) => /^\d/.test(name));
    const expired = names.filter((name) => Number(name.split('-')[0]) + graceMs <= now);
    for (const name of expired) rmSync(path.join(this.#folder, name), { force: true });
    this.#count = names.length - expired.length;
    this.#sweepAt = now + sweepIntervalMs;
  }

  /** Flushes the folder: a new name survives a power loss only then. Windows cannot open folders. */
  #syncFolder(): void {
    if (process.platform === 'win32') return;
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

/** Reads or creates the id of the folder, which all its processes share. The file appears atomically. */
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
  // Own text: an id written by this program
  return readFileSync(file, 'utf8');
}
