import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../project/account-folders.ts';
import { unsealed, writeSealed } from './sealed.ts';

/** Whole, or in parts. */
type Content = Uint8Array | readonly Uint8Array[];

const dayMs = 24 * 60 * 60 * 1000;

/** An entry that was written so long ago is removed: programs that are still used write theirs again. */
const maxAgeMs = 30 * dayMs;

/**
 * What this program has worked out and can work out again, kept between starts in a folder of this account that nobody else may enter. Whoever uses it says in
 * the key all that the content follows from; tools must leave `folder` alone (`extend.controlFiles`). Nothing in here fails: what cannot be
 * read, is not whole or belongs to somebody else is not there.
 */
export class HostCache {
  readonly folder: string;

  constructor(folder = cacheFolder()) {
    this.folder = folder;
  }

  /**
   * What was written under this key, if it is whole.
   * @param kind what it is, a word: `definitions`
   * @param key all that the content follows from, however long
   */
  read(kind: string, key: string): Buffer | undefined {
    try {
      if (!isPrivate(this.folder)) return undefined;
      const descriptor = openSync(this.#fileOf(kind, key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const found = fstatSync(descriptor);
        if (!found.isFile() || !isOwn(found.uid)) return undefined;
        return unsealed(key, readFileSync(descriptor));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return undefined;
    }
  }

  /**
   * Takes the place of what was there, at once and whole: other processes may read and write the same. Of a list of parts, which follow each
   * other, one is written after the other, and others get their turn between them. A function is asked for the content only where it can be
   * written. Never rejects.
   */
  async write(kind: string, key: string, content: Content | (() => Content)): Promise<void> {
    const file = this.#fileOf(kind, key);
    const unfinished = `${file}.${randomUUID()}`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      if (!isPrivate(this.folder)) return;
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        const given = typeof content === 'function' ? content() : content;
        await writeSealed(handle, key, given instanceof Uint8Array ? [given] : given);
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
      await this.#removeOld();
    } catch {
      await rm(unfinished, { force: true }).catch(() => {});
    }
  }

  #fileOf(kind: string, key: string): string {
    return path.join(this.folder, `${kind}-${createHash('sha256').update(key).digest('base64url')}`);
  }

  async #removeOld(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const file = path.join(this.folder, name);
      const { mtimeMs } = await stat(file);
      if (Date.now() - mtimeMs > maxAgeMs) await rm(file, { force: true });
    }
  }
}

/** A folder that this account alone may enter. Windows keeps the application data of an account from others. */
function isPrivate(folder: string): boolean {
  const { mode, uid, isDirectory } = factsOf(folder);
  return isDirectory && isOwn(uid) && (process.platform === 'win32' || (mode & 0o077) === 0);
}

function factsOf(folder: string): { mode: number; uid: number; isDirectory: boolean } {
  const found = lstatSync(folder);
  return { mode: found.mode, uid: found.uid, isDirectory: found.isDirectory() };
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
