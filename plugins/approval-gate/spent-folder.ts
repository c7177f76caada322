import { hkdfSync } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isOwn } from '../shared/project/planted.ts';
import type { SpentMemory } from './spent-nonces.ts';

/** How long a nonce is kept beyond its expiry, in milliseconds: a clock that is set back by less revives none. */
const keptMs = 3_600_000;

/**
 * Remembers what was used in a folder, one empty file each, made with O_EXCL: of all processes that have the key, one makes it, also after a
 * restart. The name of the folder comes from the key and does not give it away (HKDF, RFC 5869).
 */
export class SpentFolder implements SpentMemory {
  readonly #folder: string;
  readonly #most: number;

  /** Throws what the file system says where the folder cannot be written, or belongs to another account. */
  constructor(key: string | Uint8Array, stateFolder: string, most = 10_000) {
    const name = Buffer.from(hkdfSync('sha256', key, '', 'toolkit used approval tokens', 16)).toString('hex');
    this.#folder = path.join(stateFolder, 'approvals', name);
    this.#most = most;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (!isOwn(lstatSync(this.#folder))) throw new Error(`${this.#folder} belongs to another account`);
    chmodSync(this.#folder, 0o700);
    const probe = path.join(this.#folder, `probe-${process.pid}`);
    closeSync(openSync(probe, 'w', 0o600));
    rmSync(probe);
  }

  spend(nonce: string, until: number, now: number): 'used' | 'full' | 'unwritable' | undefined {
    try {
      if (this.#sweep(now) >= this.#most) return 'full';
      // The expiry is signed with the nonce: a token has one name.
      const file = openSync(path.join(this.#folder, `${until}-${nonce}`), 'wx', 0o600);
      fsyncSync(file);
      closeSync(file);
      this.#syncFolder();
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code === 'EEXIST' ? 'used' : 'unwritable';
    }
  }

  /** Removes what has expired. Gives how many are left. */
  #sweep(now: number): number {
    const names = readdirSync(this.#folder);
    const expired = names.filter((name) => Number(name.split('-')[0]) + keptMs <= now);
    for (const name of expired) rmSync(path.join(this.#folder, name), { force: true });
    return names.length - expired.length;
  }

  /** A new name outlives a loss of power only when its folder has been written too. Windows opens no folders. */
  #syncFolder(): void {
    if (process.platform === 'win32') return;
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}
