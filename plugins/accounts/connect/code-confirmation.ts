import { type Logger, ToolkitError } from '../../../kernel/index.ts';
import { isEqual } from '../../shared/keys/equal-texts.ts';
import type { GrantOwner } from '../grants/grant.ts';
import { maxTries, typedCode } from './confirmation-code.ts';
import type { ConnectAccounts } from './connect-accounts.ts';
import type { ConnectLinks } from './connect-links.ts';
import { namesOf } from './owner-names.ts';
import type { PendingConnect, ReadConnect } from './pending-connect.ts';
import type { UnconfirmedLogins } from './unconfirmed-logins.ts';

export interface CodeConfirmationOptions {
  readonly links: ConnectLinks;
  readonly accounts: Pick<ConnectAccounts, 'save'>;
  readonly unconfirmed: Pick<UnconfirmedLogins, 'revoke'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** A code that a caller has typed. */
export interface TypedCode extends Pick<GrantOwner, 'tenant' | 'caller'> {
  readonly code: string;
  /** @default any */
  readonly provider?: string;
}

/** A connected account. */
export interface ConnectedAccount {
  readonly owner: GrantOwner;
  /** Its name at the provider. */
  readonly account?: string;
  readonly scopes: readonly string[];
}

/** Writes grants whose code the caller has typed. */
export class CodeConfirmation {
  readonly #options: CodeConfirmationOptions;

  constructor(options: CodeConfirmationOptions) {
    this.#options = options;
  }

  /**
   * Writes the grant of the caller's login whose page shows the code. Throws INVALID_PARAMETERS: no login of this caller waits for a code, or
   * the code is wrong. A wrong code counts for each login that waits.
   */
  async confirm(typed: TypedCode): Promise<ConnectedAccount> {
    const code = typedCode(typed.code);
    const waiting = (await this.#options.links.waitingForCode(typed)).filter(
      ({ connect }) => typed.provider === undefined || connect.owner.provider === typed.provider,
    );
    if (waiting.length === 0) throw noCodeError(typed);
    const right = waiting.find(({ connect }) => hasCode(connect, code));
    if (right === undefined) throw wrongCodeError(typed, Math.max(...(await Promise.all(waiting.map((read) => this.#countTry(read))))));
    const saving = await this.#options.links.change(right, { ...right.connect, stage: { kind: 'saving' } });
    // Another try was faster: it is counted first.
    return saving === undefined ? this.confirm(typed) : this.#save(right, saving);
  }

  /** Returns the number of tries that are left after a wrong one. */
  async #countTry(read: ReadConnect): Promise<number> {
    const { links, logger, unconfirmed } = this.#options;
    for (let current: ReadConnect | undefined = read; current?.connect.stage.kind === 'code'; current = await links.read(read.digest)) {
      const { stage, owner } = current.connect;
      const triesLeft = stage.triesLeft - 1;
      const next: PendingConnect =
        triesLeft > 0
          ? { ...current.connect, stage: { ...stage, triesLeft } }
          : { ...current.connect, stage: { kind: 'failed', message: `A wrong code was typed ${maxTries} times.` } };
      if ((await links.change(current, next)) === undefined) continue;
      if (triesLeft === 0) {
        logger.warn(`login dropped: a wrong code was typed ${maxTries} times`, namesOf(owner));
        await unconfirmed.revoke(stage.grant);
      }
      return triesLeft;
    }
    return 0;
  }

  async #save(waiting: ReadConnect, saving: ReadConnect): Promise<ConnectedAccount> {
    const { links, accounts, logger } = this.#options;
    const { owner, stage } = waiting.connect;
    if (stage.kind !== 'code') throw noCodeError(owner);
    try {
      await accounts.save(stage.grant);
    } catch (error) {
      // The code may be typed again.
      await links.change(saving, waiting.connect);
      throw error;
    }
    const account = stage.grant.tokens.account;
    await links.change(saving, { ...saving.connect, stage: { kind: 'done', ...(account === undefined ? {} : { account }) } });
    logger.info('account connected, by the code of its page', namesOf(owner));
    return { owner, scopes: stage.grant.scopes, ...(account === undefined ? {} : { account }) };
  }
}

function hasCode({ stage }: PendingConnect, code: string): boolean {
  return stage.kind === 'code' && isEqual(stage.code, code);
}

function noCodeError({ caller }: Pick<GrantOwner, 'caller'>): ToolkitError {
  return new ToolkitError(
    'INVALID_PARAMETERS',
    `No login of the caller ${JSON.stringify(caller)} waits for a code. A code is valid for ten minutes, for the caller who began the login. Begin again, and open the new link.`,
  );
}

function wrongCodeError({ caller }: Pick<GrantOwner, 'caller'>, triesLeft: number): ToolkitError {
  const next =
    triesLeft > 0
      ? `${triesLeft} ${triesLeft === 1 ? 'try is' : 'tries are'} left: type the code as the page shows it.`
      : 'The login is dropped: begin again, and open the new link.';
  return new ToolkitError('INVALID_PARAMETERS', `The code is not that of a login of the caller ${JSON.stringify(caller)}. ${next}`, {
    triesLeft,
  });
}
