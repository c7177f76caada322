import { excerpt, type Logger, messageOf } from '../../../kernel/index.ts';
import type { NewGrant } from '../grants/grant.ts';
import type { ConnectAccounts } from './connect-accounts.ts';
import { linkTtlMs } from './connect-changes.ts';
import type { ConnectLinks } from './connect-links.ts';
import { namesOf } from './owner-names.ts';

/** Time after the life of a code: the clock of the store may be another. */
const graceMs = 1000;

/** Time between two looks while codes wait, in milliseconds. */
const pollIntervalMs = 60_000;

export interface UnconfirmedLoginsOptions {
  readonly links: ConnectLinks;
  readonly accounts: Pick<ConnectAccounts, 'revoke'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Ends logins whose code nobody typed: their tokens are revoked, and leave the store. */
export class UnconfirmedLogins {
  readonly #options: UnconfirmedLoginsOptions;
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: UnconfirmedLoginsOptions) {
    this.#options = options;
  }

  /** Has the login that has just got its code end in time. A later process ends those of one that was killed. */
  expect(): void {
    if (this.#timer === undefined) this.#schedule(linkTtlMs + graceMs);
  }

  /** Ends the logins whose codes have expired, in the background. */
  sweep(): void {
    this.#sweep = this.#sweep.then(() => this.#endExpired());
  }

  /** Revokes tokens that nobody will use. A failure is logged: they are not stored. */
  async revoke(grant: NewGrant): Promise<void> {
    const { accounts, logger } = this.#options;
    try {
      await accounts.revoke(grant);
    } catch (error) {
      logger.warn(`the tokens of a dropped login were not revoked: ${excerpt(messageOf(error))}`, namesOf(grant.owner));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sweep;
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.sweep();
    }, delayMs).unref();
  }

  async #endExpired(): Promise<void> {
    const { links, logger } = this.#options;
    try {
      const waiting = await links.unconfirmed();
      for (const { read, isExpired } of waiting) {
        const { stage, owner } = read.connect;
        if (!isExpired || stage.kind !== 'code') continue;
        const ended = await links.change(read, { ...read.connect, stage: { kind: 'failed', message: 'Its code was not typed in time.' } });
        if (ended === undefined) continue;
        logger.info('login dropped: its code was not typed in time', namesOf(owner));
        await this.revoke(stage.grant);
      }
      if (waiting.some(({ isExpired }) => !isExpired) && this.#timer === undefined) this.#schedule(pollIntervalMs);
    } catch (error) {
      logger.warn(`logins whose codes have expired were not ended: ${excerpt(messageOf(error))}`);
    }
  }
}
