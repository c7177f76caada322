import { hkdfSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { excerpt, type Logger, messageOf, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { stateFolder } from '../project/account-folders.ts';
import { Cipher } from './cipher.ts';
import { keysInFolder } from './key-file.ts';
import { checkKey, type HostKeyTexts } from './key-text.ts';
import { keyVariables } from './key-variables.ts';
import { Seal } from './seal.ts';
import { SpentFolder } from './spent-folder.ts';
import { type SpentMemory, SpentNonces } from './spent-memory.ts';
import { SpentStore } from './spent-store.ts';

export interface HostKeysOptions {
  readonly logger: Pick<Logger, 'warn'>;
  /** Has the keys masked in whatever is written from now on. */
  readonly maskAlso: (name: string, value: string) => void;
  /** Remembers what was used, where other processes share it. @default a folder beside the key */
  readonly state?: StateStore;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** The keys, newest first, and whether others have them too, such as this host after a restart. */
interface LoadedKeys {
  readonly keys: readonly string[];
  readonly isKept: boolean;
}

const derivedBytes = 32;

/**
 * What this host signs with, so that it, or another process with the same key, knows it again: TOOLKIT_KEY, else a file in the state folder of the
 * account, which is made when it is first needed. For each purpose another key is derived (HKDF, RFC 5869). What was signed with the key before
 * (TOOLKIT_KEY_PREVIOUS, or the second line of the file) is still taken. Where no file can be made, the key is one of this process alone.
 */
export class HostKeys {
  /** Of the file and of what was used: no tool may read or write there (`extend.controlFiles`). */
  readonly folder: string;
  readonly #options: HostKeysOptions;
  readonly #given: Partial<HostKeyTexts>;
  #loaded: LoadedKeys | undefined;

  /** Reads no file. Throws CONFIG_INVALID for a variable whose key is too short. */
  constructor(options: HostKeysOptions) {
    const { env = process.env } = options;
    this.#options = options;
    this.folder = path.join(stateFolder(env), 'keys');
    this.#given = keysIn(env);
    this.#mask(this.#given);
  }

  /** Reads or makes the key now, where a server wants to know before the first client comes. Throws CONFIG_INVALID for a file that is not to be trusted. */
  load(): void {
    this.#keys();
  }

  /** Signs for this purpose, in a text such as `mcp session`. Nothing is read before it is used. `spent`: where that counts once, which is nowhere else. */
  seal(purpose: string, spent?: SpentMemory): Seal {
    const { now } = this.#options;
    const within = spent === undefined ? {} : { within: () => spent.id };
    return new Seal({ purpose, keys: this.#derived(purpose), ...within, ...(now === undefined ? {} : { now }) });
  }

  /** Enciphers for this purpose, such as `state`. The same: nothing is read before it is used. */
  cipher(purpose: string): Cipher {
    return new Cipher(this.#derived(purpose));
  }

  /** Whether others have the key too, such as this host after a restart. Reads or makes it. */
  get isKept(): boolean {
    return this.#keys().isKept;
  }

  #derived(purpose: string): () => readonly Buffer[] {
    let derived: readonly Buffer[] | undefined;
    return () => {
      derived ??= this.#keys().keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `toolkit v1 ${purpose}`, derivedBytes)));
      return derived;
    };
  }

  /**
   * Remembers what of that purpose was used, in the store that processes share, else beside the key: for all processes of this account, also after a restart. With a key of this process alone it
   * is in memory. Where the folder cannot be written nothing can be spent. `purpose` is a word. @param most nonces at the same time
   */
  spent(purpose: string, most?: number): SpentMemory {
    let opened: SpentMemory | undefined;
    const memory = (): SpentMemory => {
      opened ??= this.#openSpent(purpose, most);
      return opened;
    };
    return {
      get id() {
        return memory().id;
      },
      spend: (...given) => memory().spend(...given),
      has: (...given) => memory().has(...given),
    };
  }

  #openSpent(purpose: string, most?: number): SpentMemory {
    const { state, logger } = this.#options;
    if (state?.isShared === true) return new SpentStore(state, purpose, logger);
    if (!this.#keys().isKept) return new SpentNonces(most);
    const folder = path.join(this.folder, 'used', purpose);
    try {
      return new SpentFolder(folder, most);
    } catch (error) {
      this.#options.logger.warn(`what is used once cannot be remembered in ${excerpt(folder)}: ${excerpt(messageOf(error))}`);
      return { id: 'none', spend: () => 'unwritable', has: () => false };
    }
  }

  #keys(): LoadedKeys {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  #load(): LoadedKeys {
    const { current, previous } = this.#given;
    if (current !== undefined) return { keys: [current, ...(previous === undefined ? [] : [previous])], isKept: true };
    try {
      const found = { ...keysInFolder(this.folder), ...this.#given };
      this.#mask(found);
      return { keys: [found.current, ...(found.previous === undefined ? [] : [found.previous])], isKept: true };
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      this.#options.logger.warn(
        `there is no key of this host, so what is signed now, such as sessions, does not survive a restart: ${excerpt(messageOf(error))}. Set ${keyVariables.current}, or make ${excerpt(this.folder)} writable`,
      );
      return { keys: [randomBytes(derivedBytes).toString('base64url')], isKept: false };
    }
  }

  #mask(keys: Partial<HostKeyTexts>): void {
    for (const [name, key] of Object.entries(keys)) this.#options.maskAlso(keyVariables[name as keyof typeof keyVariables], key);
  }
}

function keysIn(env: Readonly<Record<string, string | undefined>>): Partial<HostKeyTexts> {
  const given = Object.entries(keyVariables).map(([name, variable]) => [name, variable, env[variable]?.trim() ?? ''] as const);
  const set = given.filter(([, , key]) => key !== '');
  for (const [, variable, key] of set) checkKey(variable, key);
  return Object.fromEntries(set.map(([name, , key]) => [name, key]));
}
