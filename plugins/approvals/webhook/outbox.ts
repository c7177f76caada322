import { type ApprovalRecord, isPlainObject, type StateChange } from '../../../kernel/index.ts';

/** Prefix of the entries of messages that are not delivered yet: `hook/<webhook>/<record>`. */
export const outboxPrefix = 'hook/';

/** Time that an entry is kept after the expiry of its record, in milliseconds: clocks of machines differ. */
const graceMs = 60_000;

/** An undelivered message. It holds nothing of the call: the message is made from the record when it is sent. Times are in epoch ms. */
export interface OutboxEntry {
  readonly expiresAt: number;
  /** Time of the next attempt. */
  readonly nextAt: number;
  readonly attempts: number;
  /** Member of the store that sends it now. @default none */
  readonly claimedBy?: string;
}

/** Returns the entries of a new record, to be written in one step with it: a message for each webhook. */
export function outboxEntries(
  { id, createdAt, expiresAt }: Pick<ApprovalRecord, 'id' | 'createdAt' | 'expiresAt'>,
  webhooks: readonly { readonly name: string }[],
): readonly StateChange[] {
  const value = writeEntry({ expiresAt, nextAt: createdAt, attempts: 0 });
  return webhooks.map(({ name }) => ({ key: `${outboxPrefix}${name}/${id}`, value, ttlMs: ttlOf(expiresAt, createdAt) }));
}

/** Returns the lifetime of an entry from now on, in milliseconds. */
export function ttlOf(expiresAt: number, now: number): number {
  return Math.max(1, Math.ceil(expiresAt - now)) + graceMs;
}

/** Returns the text of an entry. */
export function writeEntry({ expiresAt, nextAt, attempts, claimedBy }: OutboxEntry): string {
  return JSON.stringify({ expiresAt, nextAt, attempts, ...(claimedBy === undefined ? {} : { claimedBy }) });
}

/** Reads the text of an entry; undefined for anything else, such as that of a later version. */
export function readEntry(text: string): OutboxEntry | undefined {
  try {
    // Own text: `writeEntry` wrote it.
    const entry: unknown = JSON.parse(text);
    if (!isPlainObject(entry)) return undefined;
    const { expiresAt, nextAt, attempts, claimedBy } = entry;
    if (typeof expiresAt !== 'number' || typeof nextAt !== 'number' || typeof attempts !== 'number') return undefined;
    return { expiresAt, nextAt, attempts, ...(typeof claimedBy === 'string' ? { claimedBy } : {}) };
  } catch {
    return undefined;
  }
}
