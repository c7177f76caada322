import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StateStore } from '../../../kernel/index.ts';
import type { Cipher } from '../../shared/keys/cipher.ts';

export interface ClientRecordsOptions {
  /** The store of all processes, where it is shared. */
  readonly state: Pick<StateStore, 'isShared' | 'get' | 'compareAndSet'>;
  readonly cipher: Cipher;
  /** The folder of sealed files, where no store is shared. */
  readonly folder: string;
}

/** Texts about registered clients, sealed: with them a process of this account, or of this store, refreshes what another one was given. */
export class ClientRecords {
  readonly #options: ClientRecordsOptions;

  constructor(options: ClientRecordsOptions) {
    this.#options = options;
  }

  /** Returns the text of a key. Undefined without one, and for one that was sealed with a key that this host no longer has. */
  async read(key: string): Promise<string | undefined> {
    const sealed = await this.#sealed(nameOf(key));
    return sealed === undefined ? undefined : this.#options.cipher.decrypt(Buffer.from(sealed, 'base64'), key);
  }

  /** Stores a text in place of `expected`. Returns the text that is stored then: that of another process when it was first. */
  async write(key: string, text: string, expected: string | undefined): Promise<string> {
    const name = nameOf(key);
    const before = await this.#sealed(name);
    const known = before === undefined ? undefined : this.#options.cipher.decrypt(Buffer.from(before, 'base64'), key);
    if (known !== undefined && known !== expected) return known;
    const sealed = this.#options.cipher.encrypt(text, key).toString('base64');
    if (await this.#replace(name, before, sealed)) return text;
    return (await this.read(key)) ?? text;
  }

  async #sealed(name: string): Promise<string | undefined> {
    const { state, folder } = this.#options;
    if (state.isShared) return state.get(`clients/${name}`);
    // Own text: sealed by this host.
    return readFile(path.join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }

  async #replace(name: string, before: string | undefined, sealed: string): Promise<boolean> {
    const { state, folder } = this.#options;
    if (state.isShared) return state.compareAndSet(`clients/${name}`, before, sealed);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = path.join(folder, `${name}.${randomUUID()}.part`);
    await writeFile(part, sealed, { mode: 0o600, flag: 'wx' });
    try {
      // A link fails where a file is: the first of two processes wins.
      if (before === undefined) await link(part, path.join(folder, name));
      else await rename(part, path.join(folder, name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(part, { force: true });
    }
  }
}

function nameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
