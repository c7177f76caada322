import { type Logger, messageOf, sentence } from '../../../../../kernel/index.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { AcceptedToken } from './accepted-tokens.ts';
import { type RevokedToken, TokenRevocations } from './token-revocations.ts';

/** A server whose tokens may change. */
export interface TokenUser {
  /** Replaces the accepted tokens. Ends the sessions and requests of callers whose token is gone, and returns those tokens. */
  useTokens(tokens: readonly AcceptedToken[]): readonly RevokedToken[];
  /** Removes these tokens and ends the requests of their callers. Returns those that were accepted before. */
  dropTokens(gone: readonly RevokedToken[]): readonly RevokedToken[];
}

export interface TokensReloadOptions {
  /** Reads all tokens again. Throws for an invalid file. */
  readonly read: () => Promise<readonly AcceptedToken[]>;
  readonly server: TokenUser;
  readonly logger: Logger;
  readonly maskAlso: (token: string) => void;
  readonly cluster: Cluster | undefined;
}

/** Reloads the tokens of a running server. Removed tokens also end in the processes that share its sessions. */
export class TokensReload {
  readonly #options: TokensReloadOptions;
  readonly #news: TokenRevocations | undefined;

  constructor(options: TokensReloadOptions) {
    this.#options = options;
    const { cluster, server, logger } = options;
    this.#news =
      cluster &&
      new TokenRevocations(cluster, (gone) => {
        const dropped = server.dropTokens(gone);
        if (dropped.length > 0)
          logger.info(`another process no longer takes the token of ${namesOf(dropped)}: what ran for them has ended`);
      });
  }

  /** Reads the file again. Never throws: an invalid file changes nothing, and is logged. */
  async reload(): Promise<void> {
    const { read, server, logger, maskAlso } = this.#options;
    try {
      const tokens = await read();
      for (const { token } of tokens) if (token !== undefined) maskAlso(token);
      const gone = server.useTokens(tokens);
      logger.info(
        `tokens loaded again: ${tokens.length}${gone.length === 0 ? '' : `; gone is that of ${namesOf(gone)}: what ran for them has ended`}`,
      );
      if (gone.length > 0) await this.#news?.publish(gone);
    } catch (error) {
      logger.error(`${sentence(messageOf(error))} The tokens that were loaded before stay in use.`);
    }
  }

  close(): void {
    this.#news?.close();
  }
}

const maxNames = 10;

function namesOf(tokens: readonly RevokedToken[]): string {
  const names = tokens.slice(0, maxNames).map(({ name }) => `"${name}"`);
  return `${names.join(', ')}${tokens.length > maxNames ? ` and ${tokens.length - maxNames} more` : ''}`;
}
