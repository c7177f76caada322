import { hash } from 'node:crypto';
import { isPlainObject, type Logger, ToolkitError } from '../../../kernel/index.ts';
import type { Cipher } from '../../shared/keys/cipher.ts';
import { pagesOf } from '../../shared/state/pages-of.ts';
import type { Grant, GrantOwner } from './grant.ts';
import { accountName } from './grant-errors.ts';
import type { GrantsStore } from './grants-store.ts';

/** Beginning of the keys of grants in the store. */
export const grantPrefix = 'grant/';

const pageSize = 500;

/** A grant, and the state of its refresh. */
export interface GrantRecord {
  readonly grant: Grant;
  /** The member that refreshes the grant. Its request may have been sent from here on. */
  readonly refreshedBy?: string;
  /** A request with this refresh token was sent, and has no answer: the provider may have replaced the token. @default false */
  readonly isUnanswered?: boolean;
  /** The owner has been told why only a new login helps. @default false */
  readonly isTold?: boolean;
}

/** A record as it stands in the store. */
export interface StoredRecord {
  readonly key: string;
  /** Its sealed text. */
  readonly text: string;
  readonly record: GrantRecord;
}

/** Returns one text for each owner. No part can pass for two: a JSON list quotes what separates its members. */
export function ownerText({ tenant, caller, provider, issuer, account }: GrantOwner): string {
  return JSON.stringify([tenant, caller, provider, issuer, account]);
}

/** Returns the key of an owner's grant. The keys of one caller begin alike; keys are not encrypted, so they have no name in clear. */
export function keyOf(owner: GrantOwner): string {
  return `${holderPrefix(owner)}${hash('sha256', ownerText(owner))}`;
}

function holderPrefix({ tenant, caller }: Pick<GrantOwner, 'tenant' | 'caller'>): string {
  return `${grantPrefix}${hash('sha256', JSON.stringify([tenant, caller])).slice(0, 32)}/`;
}

/** The records of grants in a store, each sealed for its own key. */
export class GrantRecords {
  readonly #store: GrantsStore;
  readonly #cipher: Cipher;
  readonly #logger: Pick<Logger, 'warn'>;
  /** Keys of the unreadable records that were reported. */
  readonly #reported = new Set<string>();

  constructor(store: GrantsStore, cipher: Cipher, logger: Pick<Logger, 'warn'>) {
    this.#store = store;
    this.#cipher = cipher;
    this.#logger = logger;
  }

  /** Throws STATE_UNAVAILABLE for a record that was changed, or sealed for another owner or with another key. */
  async read(owner: GrantOwner): Promise<StoredRecord | undefined> {
    const key = keyOf(owner);
    const text = await this.#store.get(key).catch((error: unknown) => {
      throw isUnreadable(error) ? unreadable(owner) : error;
    });
    if (text === undefined) return undefined;
    const record = this.#open(key, text);
    if (record === undefined) throw unreadable(owner);
    return { key, text, record };
  }

  /** Returns the sealed text of an owner's record, readable or not, to replace it. Deletes one that the store cannot decrypt. */
  async textOf(owner: GrantOwner): Promise<string | undefined> {
    const key = keyOf(owner);
    try {
      return await this.#store.get(key);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.#store.delete(key);
      return undefined;
    }
  }

  /** Returns the record of a text that `textOf` has returned; undefined for an unreadable one. */
  open(owner: GrantOwner, text: string): GrantRecord | undefined {
    return this.#open(keyOf(owner), text);
  }

  /** Returns the readable records of a caller, or of all. Reports each other one once. */
  async list({ tenant, caller }: Partial<GrantOwner> = {}): Promise<readonly GrantRecord[]> {
    const records: GrantRecord[] = [];
    const prefix = tenant === undefined || caller === undefined ? grantPrefix : holderPrefix({ tenant, caller });
    for await (const page of pagesOf(this.#store, prefix, pageSize, { onUnreadable: (key) => this.#report(key) }))
      for (const { key, value } of page) {
        const record = this.#open(key, value);
        if (record !== undefined) records.push(record);
        else this.#report(key);
      }
    return records;
  }

  /** Replaces the text of an owner (undefined: none). Resolves to the new record, or to undefined when the text has changed meanwhile. */
  async replace(owner: GrantOwner, expected: string | undefined, record: GrantRecord): Promise<StoredRecord | undefined> {
    const key = keyOf(owner);
    const text = this.#cipher.encrypt(JSON.stringify(record), key).toString('base64url');
    return (await this.#store.compareAndSet(key, expected, text)) ? { key, text, record } : undefined;
  }

  /** Deletes the record if it has this text. Resolves to true if it did. */
  delete(owner: GrantOwner, expected: string): Promise<boolean> {
    return this.#store.compareAndSet(keyOf(owner), expected, undefined);
  }

  #open(key: string, text: string): GrantRecord | undefined {
    const json = this.#cipher.decrypt(Buffer.from(text, 'base64url'), key);
    if (json === undefined) return undefined;
    // Own text: sealed with this key.
    const record: unknown = JSON.parse(json);
    return isPlainObject(record) && isPlainObject(record['grant']) ? (record as unknown as GrantRecord) : undefined;
  }

  #report(key: string): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#logger.warn(`the account stored as ${key} was changed, or written with another TOOLKIT_KEY: it is not listed`);
  }
}

/** True for a value that the store itself cannot decrypt. */
function isUnreadable(error: unknown): boolean {
  return ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE' && error.details['unreadable'] === true;
}

function unreadable(owner: GrantOwner): ToolkitError {
  const message = `${accountName(owner)} cannot be read: what is stored was changed, or written with another key. Give all processes the same TOOLKIT_KEY (the previous one as TOOLKIT_KEY_PREVIOUS), or log in again.`;
  return new ToolkitError('STATE_UNAVAILABLE', message, { retryable: false, provider: owner.provider });
}
