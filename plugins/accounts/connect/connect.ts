import type { AccessRequest, HttpRouteAccess, HttpRouteRequest, HttpRouteResponse, Logger } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import type { GrantOwner } from '../grants/grant.ts';
import { ConnectPages } from './answer-pages.ts';
import { ConnectAsk, type ConnectAskOptions } from './ask.ts';
import { CodeConfirmation, type ConnectedAccount, type TypedCode } from './code-confirmation.ts';
import type { ConnectAccounts, ConnectHolder } from './connect-accounts.ts';
import { ConnectFlow } from './connect-flow.ts';
import { ConnectLinks, type OpenLink } from './connect-links.ts';
import { linkUrl } from './connect-paths.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { SignInFlow } from './sign-in/sign-in-flow.ts';
import type { ConnectStore } from './timed-store.ts';
import { UnconfirmedLogins } from './unconfirmed-logins.ts';

export interface ConnectOptions {
  /** The HTTP server that shows the pages. @default none, as on the command line: codes can be typed, and there are no links */
  readonly access?: HttpRouteAccess;
  /** The store of all processes of this server. See `openConnectStore`. */
  readonly state: ConnectStore;
  readonly keys: Pick<HostKeys, 'cipher'>;
  readonly accounts: ConnectAccounts;
  /** Sign-ins at the issuer of this server. @default none: callers type codes */
  readonly signIn?: SignIn;
  /** Asks without a link, where no HTTP server runs. @default the error goes to the caller */
  readonly askHere?: ConnectAskOptions['askHere'];
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Logins by link. */
export interface Connect {
  /** Answers a request to one of the `connectRoutes`. */
  handle(request: HttpRouteRequest): Promise<HttpRouteResponse>;
  /** Returns the link by which the holder's person connects an account; undefined while no HTTP server runs in this process. */
  link(holder: ConnectHolder, scopes: readonly string[]): Promise<string | undefined>;
  /** Asks the person of a call that failed with AUTH_REQUIRED (`CredentialSource.ask`). */
  ask(request: AccessRequest): Promise<boolean>;
  /** Writes the grant of the login whose code the caller has typed. */
  confirm(typed: TypedCode): Promise<ConnectedAccount>;
  /** Ends what runs in the background. Call it before the store is closed. */
  close(): Promise<void>;
}

const noServer: HttpRouteAccess = { baseUrl: () => undefined, hasSeveralCallers: () => true, issuers: () => [] };

/** Returns the logins by link of one kernel. Starts nothing. */
export function connect({ access = noServer, state, keys, accounts, signIn, askHere, logger }: ConnectOptions): Connect {
  const links = new ConnectLinks({ state, keys });
  const unconfirmed = new UnconfirmedLogins({ links, accounts, logger });
  const codes = new CodeConfirmation({ links, accounts, unconfirmed, logger });
  const signIns = new SignInFlow({ links, signIn, logger });
  const pages = new ConnectPages(new ConnectFlow({ links, accounts, unconfirmed, access, signIns, logger }));
  const open = async (owner: GrantOwner, scopes: readonly string[]): Promise<OpenLink | undefined> => {
    const baseUrl = access.baseUrl();
    if (baseUrl === undefined) return undefined;
    // Those of a process that was killed.
    unconfirmed.sweep();
    return links.open({ owner, scopes, baseUrl, needsCode: access.hasSeveralCallers() });
  };
  const asking = new ConnectAsk({ links, codes, accounts, open, askHere });
  return {
    handle: (request) => pages.handle(request),
    link: async (holder, scopes) => {
      const link = await open(await accounts.ownerOf(holder), scopes);
      return link === undefined ? undefined : linkUrl(link);
    },
    ask: (request) => asking.ask(request),
    confirm: (typed) => codes.confirm(typed),
    close: () => unconfirmed.close(),
  };
}
