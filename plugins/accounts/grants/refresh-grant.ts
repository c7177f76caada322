import { setTimeout } from 'node:timers/promises';
import { type Liveness, type Logger, messageOf, ToolkitError } from '../../../kernel/index.ts';
import type { TokenSet } from '../../shared/oauth/types.ts';
import type { Grant, GrantOwner, RefreshGrant } from './grant.ts';
import type { ChangeListener, GrantChanges } from './grant-changes.ts';
import { busyError, closedError, endedError } from './grant-errors.ts';
import { type GrantRecords, keyOf, type StoredRecord } from './grant-records.ts';
import { refreshFailure } from './refresh-failure.ts';
import { hasChanged, isStillSent, refreshed } from './refreshed-grant.ts';

/** Time limit of one token request, in milliseconds. */
const requestLimitMs = 15_000;

/** Time for which other processes wait: the answer must also be written and read. */
const defaultLeaseMs = requestLimitMs + 2000;

/** Interval at which a wait asks for the life of the process that refreshes, in milliseconds. */
const livenessIntervalMs = 1000;

/** Longest interval at which a wait reads the store without a report of a change, in milliseconds. A thousand waits must not keep it busy. */
const maxReadIntervalMs = 8000;

/** Time for which an answer is kept in memory while the store is unreachable, and delay of each retry, in milliseconds. */
const unwrittenLimitMs = 60_000;
const retryDelayMs = 250;

export interface GrantRefreshOptions {
  readonly records: GrantRecords;
  readonly changes: GrantChanges;
  readonly join: () => Liveness;
  readonly refresh: RefreshGrant;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  /** Time for which a refresh of another process is waited for, in milliseconds. @default 17000 */
  readonly leaseMs?: number;
}

/**
 * Refreshes a grant once over all processes. A process claims the grant in its record before it sends the request, by compare-and-set, and its
 * answer replaces the record that it claimed, before the new access token is used. The claim of a dead process is taken over; its request
 * may have been sent.
 */
export class GrantRefresh {
  readonly #options: GrantRefreshOptions;
  readonly #closing = new AbortController();

  constructor(options: GrantRefreshOptions) {
    this.#options = options;
  }

  /**
   * Returns the grant after a refresh by this process or another one, or as it was replaced meanwhile; with `needsLogin` when only a new login
   * helps. Undefined when it was deleted. `seen`: the record as it was read, whose access token is no longer good enough.
   */
  async run(seen: StoredRecord): Promise<Grant | undefined> {
    const member = this.#options.join();
    await member.enter();
    try {
      const claimed = await this.#claim(seen, member);
      return claimed !== undefined && 'record' in claimed ? await this.#send(claimed) : claimed;
    } finally {
      member.leave();
    }
  }

  /** Waits until no living process refreshes the owner's grant, as long as losers of a claim do. */
  async idle(owner: GrantOwner): Promise<void> {
    const { records, changes, join, leaseMs = defaultLeaseMs } = this.#options;
    const deadline = performance.now() + leaseMs;
    for (;;) {
      const change = changes.listen(keyOf(owner));
      try {
        const text = await records.textOf(owner);
        const refreshedBy = text === undefined ? undefined : records.open(owner, text)?.refreshedBy;
        const remainingMs = deadline - performance.now();
        if (refreshedBy === undefined || remainingMs <= 0 || (await join().isDead(refreshedBy))) return;
        await change.within(Math.min(remainingMs, livenessIntervalMs));
      } finally {
        change.end();
      }
    }
  }

  /** Lets what was sent finish, and begins nothing more. */
  close(): void {
    this.#closing.abort();
  }

  /** Returns the claimed record, or the grant that another process has written. */
  async #claim(seen: StoredRecord, member: Liveness): Promise<StoredRecord | Grant | undefined> {
    const { records, changes, leaseMs = defaultLeaseMs } = this.#options;
    const { grant } = seen.record;
    const { owner } = grant;
    // Most records are still as they were read: those need no second read.
    const isFree = seen.record.refreshedBy === undefined && !this.#closing.signal.aborted;
    const first = isFree ? await this.#take(seen, member) : undefined;
    if (first !== undefined) return first;
    const deadline = performance.now() + leaseMs;
    for (let readMs = livenessIntervalMs; ; readMs = Math.min(2 * readMs, maxReadIntervalMs)) {
      if (this.#closing.signal.aborted) throw closedError();
      const change = changes.listen(keyOf(owner));
      try {
        const stored = await records.read(owner);
        if (stored === undefined || hasChanged(stored.record.grant, grant)) return stored?.record.grant;
        const { refreshedBy } = stored.record;
        if (refreshedBy !== undefined && !(await member.isDead(refreshedBy))) {
          if (performance.now() >= deadline) throw busyError(owner, leaseMs);
          await untilRead(change, () => member.isDead(refreshedBy), Math.min(deadline, performance.now() + readMs));
          continue;
        }
        const claimed = await this.#take(stored, member);
        if (claimed !== undefined) return claimed;
      } finally {
        change.end();
      }
    }
  }

  /** Claims a record that no living process has claimed. Undefined when it has changed. */
  #take({ text, record }: StoredRecord, { id }: Liveness): Promise<StoredRecord | undefined> {
    // The one before may have sent its request.
    const isUnanswered = record.isUnanswered === true || record.refreshedBy !== undefined;
    return this.#options.records.replace(record.grant.owner, text, { ...record, refreshedBy: id, isUnanswered });
  }

  /** Sends the refresh, and once more when it has no answer: a provider that did not act, or that does not rotate, answers then. */
  async #send(claimed: StoredRecord): Promise<Grant | undefined> {
    const { grant } = claimed.record;
    const isRotating = grant.tokens.refreshToken !== undefined;
    let isUnanswered = claimed.record.isUnanswered === true;
    for (let isAgain = false; ; isAgain = true) {
      let tokens: TokenSet;
      try {
        tokens = await this.#options.refresh(grant, AbortSignal.timeout(requestLimitMs));
      } catch (error) {
        const failure = refreshFailure(error);
        if (failure === 'unanswered' && isRotating) {
          isUnanswered = true;
          if (!isAgain) continue;
        }
        if (failure === 'ended' && isRotating) return this.#end(claimed, isUnanswered ? 'lost' : 'refused');
        await this.#release(claimed, isUnanswered);
        throw failure === 'ended' ? endedError(grant.owner) : error;
      }
      return this.#write(claimed, tokens);
    }
  }

  /** Writes the answer. Retries while the store is unreachable: a rotated refresh token that is not written is lost. */
  async #write(claimed: StoredRecord, tokens: TokenSet): Promise<Grant | undefined> {
    const { records } = this.#options;
    const { grant: sent } = claimed.record;
    const deadline = performance.now() + unwrittenLimitMs;
    let stored = claimed;
    for (;;) {
      try {
        const grant = refreshed(stored.record.grant, tokens);
        if ((await records.replace(sent.owner, stored.text, { grant })) !== undefined) return grant;
        const found = await records.read(sent.owner);
        // Its own write, whose answer was lost.
        if (found?.record.grant.tokens.accessToken === tokens.accessToken) return found.record.grant;
        // A process that took this one for dead may have marked the token that was sent.
        if (found === undefined || !isStillSent(found.record.grant, sent)) return found?.record.grant;
        stored = found;
      } catch (error) {
        const isOver = performance.now() >= deadline || this.#closing.signal.aborted;
        if (isOver || !ToolkitError.is(error) || !error.retryable) throw error;
        await setTimeout(retryDelayMs);
      }
    }
  }

  /** Marks that only a new login helps, unless the grant has changed since the request. */
  async #end(claimed: StoredRecord, reason: 'refused' | 'lost'): Promise<Grant | undefined> {
    const { records, now } = this.#options;
    const { grant } = claimed.record;
    const ended: Grant = { ...grant, version: grant.version + 1, needsLogin: { since: now(), reason } };
    const written = await records.replace(grant.owner, claimed.text, { grant: ended });
    return written === undefined ? (await records.read(grant.owner))?.record.grant : ended;
  }

  /** Gives the claim back. A failure is harmless: the claim of a member that has left is taken over. */
  async #release(claimed: StoredRecord, isUnanswered: boolean): Promise<void> {
    const { records, logger } = this.#options;
    const { grant } = claimed.record;
    const record = { grant, ...(isUnanswered ? { isUnanswered } : {}) };
    await records.replace(grant.owner, claimed.text, record).catch((error: unknown) => {
      logger.warn(`the refresh of an account at ${grant.owner.provider} could not be given back: ${messageOf(error)}`);
    });
  }
}

/** Waits for a change of a claimed record, or the death of its claimant, until `readAt` of the monotonic clock at the latest. */
async function untilRead(change: ChangeListener, isDead: () => Promise<boolean>, readAt: number): Promise<void> {
  for (;;) {
    const remainingMs = readAt - performance.now();
    if (remainingMs <= 0 || (await change.within(Math.min(remainingMs, livenessIntervalMs))) || (await isDead())) return;
  }
}
