import type { HttpRouteAccess, Logger } from '../../../kernel/index.ts';
import type { NewGrant } from '../grants/grant.ts';
import { maxTries, randomCode } from './confirmation-code.ts';
import type { ConnectAccounts } from './connect-accounts.ts';
import { reportFailure } from './connect-failure.ts';
import { randomText } from './connect-keys.ts';
import type { ConnectLinks } from './connect-links.ts';
import { callbackPath } from './connect-paths.ts';
import { namesOf } from './owner-names.ts';
import { type Begun, type ConnectStage, mayGoOn, type PendingConnect, type ReadConnect, type SentForm } from './pending-connect.ts';
import type { SignInFlow } from './sign-in/sign-in-flow.ts';
import type { UnconfirmedLogins } from './unconfirmed-logins.ts';

export interface ConnectFlowOptions {
  readonly links: ConnectLinks;
  readonly accounts: ConnectAccounts;
  readonly unconfirmed: Pick<UnconfirmedLogins, 'expect' | 'revoke'>;
  readonly access: HttpRouteAccess;
  readonly signIns: SignInFlow;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Takes a connect from stage to stage. */
export class ConnectFlow {
  readonly links: ConnectLinks;
  readonly signIns: SignInFlow;
  readonly #options: ConnectFlowOptions;

  constructor(options: ConnectFlowOptions) {
    this.links = options.links;
    this.signIns = options.signIns;
    this.#options = options;
  }

  /** Binds an unbound connect to a browser. Undefined when another browser was faster. */
  bind(read: ReadConnect, browser: string): Promise<ReadConnect | undefined> {
    return this.links.change(read, { ...read.connect, browser });
  }

  /** Begins the login at the provider. The form's key changes: its token begins nothing more. */
  async begin(read: ReadConnect, { browser, form }: SentForm): Promise<Begun> {
    const { owner, scopes, baseUrl } = read.connect;
    if (!mayGoOn(read.connect)) return { kind: 'changed' };
    try {
      const request = await this.#options.accounts.begin(owner, { redirectUri: `${baseUrl}${callbackPath}`, scopes, state: randomText() });
      const sent: PendingConnect = {
        ...this.asShown(read.connect),
        browser,
        formKey: randomText(),
        stage: { kind: 'sent', request, form },
      };
      return (await this.links.change(read, sent)) === undefined ? { kind: 'changed' } : { kind: 'begun', url: request.url };
    } catch (error) {
      const message = reportFailure(this.#options.logger, read.connect, error);
      // The call that waits ends with the reason.
      await this.links.change(read, { ...read.connect, browser, stage: { kind: 'failed', message } });
      return { kind: 'failed', message };
    }
  }

  /** Exchanges the code of a redirect, once. Undefined when another request was faster. Resolves to the connect in its next stage. */
  async finish(read: ReadConnect, redirect: URLSearchParams): Promise<ReadConnect | undefined> {
    const { stage, owner } = read.connect;
    if (stage.kind !== 'sent') return undefined;
    const exchanging = await this.links.change(read, { ...read.connect, stage: { kind: 'exchanging' } });
    if (exchanging === undefined) return undefined;
    const next = await this.#outcome(exchanging.connect, async () => {
      const grant = await this.#options.accounts.finish(owner, stage.request, redirect);
      if (this.asShown(read.connect).needsCode) return { kind: 'code', grant, code: randomCode(), triesLeft: maxTries };
      await this.#save(grant);
      this.#options.logger.info('account connected, by link', namesOf(owner));
      return { kind: 'done', ...(grant.tokens.account === undefined ? {} : { account: grant.tokens.account }) };
    });
    const changed = await this.links.change(exchanging, { ...exchanging.connect, stage: next });
    if (next.kind === 'code') {
      if (changed === undefined) await this.#options.unconfirmed.revoke(next.grant);
      else this.#options.unconfirmed.expect();
    }
    return changed ?? exchanging;
  }

  /** Returns the connect as its page shows it: a server that has several callers by now needs a code, unless the caller's person has signed in. */
  asShown(connect: PendingConnect): PendingConnect {
    const { needsCode, isSignedIn = false } = connect;
    return { ...connect, needsCode: !isSignedIn && (needsCode || this.#options.access.hasSeveralCallers()) };
  }

  titleOf({ owner }: PendingConnect): string {
    return this.#options.accounts.titleOf(owner.provider);
  }

  async #save(grant: NewGrant): Promise<void> {
    const { accounts, unconfirmed } = this.#options;
    try {
      await accounts.save(grant);
    } catch (error) {
      await unconfirmed.revoke(grant);
      throw error;
    }
  }

  async #outcome(connect: PendingConnect, work: () => Promise<ConnectStage>): Promise<ConnectStage> {
    try {
      return await work();
    } catch (error) {
      return { kind: 'failed', message: reportFailure(this.#options.logger, connect, error) };
    }
  }
}
