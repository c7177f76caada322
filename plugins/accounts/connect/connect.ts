import type { AccessRequest, HttpRouteAccess, Logger, StateStore } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import { ConnectAsk } from './ask.ts';
import { CodeConfirmation, type ConnectedAccount, type TypedCode } from './code-confirmation.ts';
import type { ConnectAccounts, ConnectHolder } from './connect-accounts.ts';
import { ConnectFlow } from './connect-flow.ts';
import { ConnectLinks } from './connect-links.ts';
import { linkUrl } from './connect-paths.ts';
import { ConnectRoutes } from './connect-routes.ts';

export interface ConnectOptions {
  /** The HTTP server that shows the pages. @default none, as on the command line: codes can be typed, and there are no links */
  readonly access?: HttpRouteAccess;
  readonly state: StateStore;
  readonly keys: Pick<HostKeys, 'cipher'>;
  readonly accounts: ConnectAccounts;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Logins by link. */
export interface Connect {
  /** The pages, for `extend.httpRoute`. */
  readonly routes: ConnectRoutes['routes'];
  /** Returns the link by which the holder's person connects an account; undefined while no HTTP server runs in this process. */
  link(holder: ConnectHolder, scopes: readonly string[]): Promise<string | undefined>;
  /** Asks the person of a call that failed with AUTH_REQUIRED (`CredentialSource.ask`). */
  ask(request: AccessRequest): Promise<boolean>;
  /** Writes the grant of the login whose code the caller has typed. */
  confirm(typed: TypedCode): Promise<ConnectedAccount>;
}

const noServer: HttpRouteAccess = { baseUrl: () => undefined, hasSeveralCallers: () => true };

/** Returns the logins by link of one kernel. Starts nothing. */
export function connect({ access = noServer, state, keys, accounts, logger }: ConnectOptions): Connect {
  const links = new ConnectLinks({ state, keys });
  const codes = new CodeConfirmation({ links, accounts, logger });
  const asking = new ConnectAsk(links, codes);
  return {
    routes: new ConnectRoutes(new ConnectFlow({ links, accounts, access, logger })).routes,
    link: async (holder, scopes) => {
      const baseUrl = access.baseUrl();
      if (baseUrl === undefined) return undefined;
      const owner = await accounts.ownerOf(holder);
      const { id, connect: made } = await links.open({ owner, scopes, baseUrl, needsCode: access.hasSeveralCallers() });
      return linkUrl(made.baseUrl, id);
    },
    ask: (request) => asking.ask(request),
    confirm: (typed) => codes.confirm(typed),
  };
}
