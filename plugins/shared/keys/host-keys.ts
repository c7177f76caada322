import { hkdfSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { excerpt, type Logger, messageOf, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { stateFolder } from '../project/account-folders.ts';
import { Cipher } from './cipher.ts';
import { keysInFolder } from './key-file.ts';
import { checkKey, type HostKeyTexts } from './key-text.ts';
import { keyVariables } from './key-variables.ts';
import { Seal } from './seal.ts';
import { UsedTokenFolder } from './used-token-folder.ts';
import { UsedTokenStore } from './used-token-store.ts';
import { UsedTokenMemory, type UsedTokens } from './used-tokens.ts';

export interface HostKeysOptions {
  readonly logger: Pick<Logger, 'warn'>;
  /** Masks a key in everything that is written from now on. */
  readonly maskAlso: (name: string, value: string) => void;
  /** Shared store that remembers used tokens. @default a folder beside the key */
  readonly state?: StateStore;
  /** Environment. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Clock, epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** The keys, newest first. `isPersistent`: true when they outlive this process, in a file or the environment. */
interface LoadedKeys {
  readonly keys: readonly string[];
  readonly isPersistent: boolean;
}

const derivedBytes = 32;

/**
 * Signing and encryption keys of this host. A later process or another one with the same key can verify its texts. The key is TOOLKIT_KEY,
 * else a file in the account's state folder, created on first use. Each purpose gets its own derived key (HKDF, RFC 5869). Texts of the
 * previous key are still accepted (TOOLKIT_KEY_PREVIOUS, or the second line of the file). When no file can be written, the key lives in
 * this process only.
 */
export class HostKeys {
  /** Folder of the key file and of used tokens. Tools must not read or write there (`extend.controlFiles`). */
  readonly folder: string;
  readonly #options: HostKeysOptions;
  readonly #given: Partial<HostKeyTexts>;
  #loaded: LoadedKeys | undefined;

  /** Reads no file. Throws CONFIG_INVALID when the key in a variable is too short. */
  constructor(options: HostKeysOptions) {
    const { env = process.env } = options;
    this.#options = options;
    this.folder = path.join(stateFolder(env), 'keys');
    this.#given = keysIn(env);
    this.#mask(this.#given);
  }

  /**
   * Reads or creates the key now, for a server that wants to fail before its first client. Throws CONFIG_INVALID for a file that is not to
   * be trusted.
   */
  load(): void {
    this.#keys();
  }

  /**
   * Returns a signer for a purpose, such as `mcp session`. Reads no key before its first use. `usedTokens`: binds the signatures to this
   * memory, so that each counts once and nowhere else.
   */
  seal(purpose: string, usedTokens?: UsedTokens): Seal {
    const { now } = this.#options;
    const within = usedTokens === undefined ? {} : { within: () => usedTokens.id };
    return new Seal({ purpose, keys: this.#derived(purpose), ...within, ...(now === undefined ? {} : { now }) });
  }

  /** Returns a cipher for a purpose, such as `state`. Reads no key before its first use. */
  cipher(purpose: string): Cipher {
    return new Cipher(this.#derived(purpose));
  }

  /** True when the key outlives this process. Reads or creates it. */
  get isPersistent(): boolean {
    return this.#keys().isPersistent;
  }

  #derived(purpose: string): () => readonly Buffer[] {
    let derived: readonly Buffer[] | undefined;
    return () => {
      derived ??= this.#keys().keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `toolkit v1 ${purpose}`, derivedBytes)));
      return derived;
    };
  }

  /**
   * Returns the memory of used tokens of a purpose (a word): in the shared store, else in a folder beside the key, for all processes of
   * this account and across restarts. A key of this process only has a memory in this process. When the folder cannot be written, no token
   * can be consumed.
   * @param maxTokens unexpired tokens at the same time
   */
  usedTokens(purpose: string, maxTokens?: number): UsedTokens {
    let opened: UsedTokens | undefined;
    const memory = (): UsedTokens => {
      opened ??= this.#openUsedTokens(purpose, maxTokens);
      return opened;
    };
    return {
      get id() {
        return memory().id;
      },
      consume: (...given) => memory().consume(...given),
      has: (...given) => memory().has(...given),
    };
  }

  #openUsedTokens(purpose: string, maxTokens?: number): UsedTokens {
    const { state, logger } = this.#options;
    if (state?.isShared === true) return new UsedTokenStore(state, purpose, logger);
    if (!this.#keys().isPersistent) return new UsedTokenMemory(maxTokens);
    const folder = path.join(this.folder, 'used', purpose);
    try {
      return new UsedTokenFolder(folder, maxTokens);
    } catch (error) {
      this.#options.logger.warn(`used tokens cannot be stored in ${excerpt(folder)}: ${excerpt(messageOf(error))}`);
      return { id: 'none', consume: () => 'unwritable', has: () => false };
    }
  }

  #keys(): LoadedKeys {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  #load(): LoadedKeys {
    const { current, previous } = this.#given;
    if (current !== undefined) return { keys: [current, ...(previous === undefined ? [] : [previous])], isPersistent: true };
    try {
      const found = { ...keysInFolder(this.folder), ...this.#given };
      this.#mask(found);
      return { keys: [found.current, ...(found.previous === undefined ? [] : [found.previous])], isPersistent: true };
    } catch (error) {
      if (ToolkitError.is(error)) throw error;
      this.#options.logger.warn(
        `this host has no key, so what is signed now, such as sessions, does not survive a restart: ${excerpt(messageOf(error))}. Set ${keyVariables.current}, or make ${excerpt(this.folder)} writable`,
      );
      return { keys: [randomBytes(derivedBytes).toString('base64url')], isPersistent: false };
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
