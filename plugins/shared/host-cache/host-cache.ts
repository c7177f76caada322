import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../project/account-folders.ts';
import { verifyChecksum, writeWithChecksum } from './checksum.ts';

/** Content as a whole or in consecutive parts. */
type Content = Uint8Array | readonly Uint8Array[];

const dayMs = 24 * 60 * 60 * 1000;

/** Maximum age of an entry. Older ones are removed: programs in use write theirs again. */
const maxAgeMs = 30 * dayMs;

/**
 * Cache of results that this program can compute again, kept between starts in a private folder of this account. The key must hold
 * everything that the content depends on. Tools must not access `folder` (`extend.controlFiles`). Never throws: unreadable, incomplete and
 * foreign entries count as missing.
 */
export class HostCache {
  readonly folder: string;

  constructor(folder = cacheFolder()) {
    this.folder = folder;
  }

  /**
   * Returns the content under this key, if it is complete.
   * @param kind a word for the kind of content: `definitions`
   * @param key everything that the content depends on, of any length
   */
  read(kind: string, key: string): Buffer | undefined {
    try {
      if (!isPrivate(this.folder)) return undefined;
      const descriptor = openSync(this.#fileOf(kind, key), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      try {
        const found = fstatSync(descriptor);
        if (!found.isFile() || !isOwn(found.uid)) return undefined;
        return verifyChecksum(key, readFileSync(descriptor));
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return undefined;
    }
  }

  /**
   * Replaces the entry atomically: other processes may read and write it at the same time. Yields to the event loop between parts. Calls a
   * content function only when the entry can be written. Never rejects.
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
        await writeWithChecksum(handle, key, given instanceof Uint8Array ? [given] : given);
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

/** True for a folder that only this account may enter. Windows protects the application data of an account itself. */
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
