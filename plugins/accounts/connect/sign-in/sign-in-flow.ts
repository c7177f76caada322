import { type CallerIssuer, excerpt, type Logger } from '../../../../kernel/index.ts';
import { reportFailure } from '../connect-failure.ts';
import { randomText } from '../connect-keys.ts';
import type { ConnectLinks } from '../connect-links.ts';
import { signInPath } from '../connect-paths.ts';
import { namesOf } from '../owner-names.ts';
import { type Begun, mayGoOn, type PendingConnect, type ReadConnect, type SentForm } from '../pending-connect.ts';
import type { SignIn } from './sign-in.ts';

export interface SignInFlowOptions {
  readonly links: ConnectLinks;
  /** @default none: nobody signs in */
  readonly signIn?: SignIn | undefined;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** A form of the page of a link. */
export interface SignInForm extends SentForm {
  /** Id of the link. */
  readonly id: string;
}

/** The outcome of a redirect of the issuer. */
export type SignedIn =
  | { readonly kind: 'same'; readonly id: string }
  /** Another request was faster. */
  | { readonly kind: 'changed' }
  /** The link has ended. */
  | { readonly kind: 'failed'; readonly message: string };

/** Lets the person of a link sign in at the issuer of this server, before the link leads to a provider. */
export class SignInFlow {
  readonly #options: SignInFlowOptions;

  constructor(options: SignInFlowOptions) {
    this.#options = options;
  }

  /** Returns the issuer at which the person of a connect must sign in first; undefined when it is done, or not possible. */
  issuerFor({ owner, isSignedIn = false }: PendingConnect): CallerIssuer | undefined {
    return isSignedIn ? undefined : this.#options.signIn?.issuerOf(owner.caller);
  }

  /** Begins the sign-in. The form's key changes: its token begins nothing more. */
  async begin(read: ReadConnect, issuer: CallerIssuer, { id, browser, form }: SignInForm): Promise<Begun> {
    const { links, signIn, logger } = this.#options;
    const { connect } = read;
    if (signIn === undefined || !mayGoOn(connect)) return { kind: 'changed' };
    try {
      const request = await signIn.begin(issuer, { redirectUri: `${connect.baseUrl}${signInPath}`, state: randomText() });
      const signing: PendingConnect = { ...connect, browser, formKey: randomText(), stage: { kind: 'signing', request, form, id } };
      return (await links.change(read, signing)) === undefined ? { kind: 'changed' } : { kind: 'begun', url: request.url };
    } catch (error) {
      const message = reportFailure(logger, connect, error);
      await links.change(read, { ...connect, browser, stage: { kind: 'failed', message } });
      return { kind: 'failed', message };
    }
  }

  /** Checks the redirect of the issuer, once. The link goes on when its person is the caller, else it ends. */
  async finish(read: ReadConnect, redirect: URLSearchParams): Promise<SignedIn> {
    const { links, signIn, logger } = this.#options;
    const { stage } = read.connect;
    const issuer = this.issuerFor(read.connect);
    if (stage.kind !== 'signing' || signIn === undefined || issuer === undefined) return { kind: 'changed' };
    const checking = await links.change(read, { ...read.connect, stage: { kind: 'checking' } });
    if (checking === undefined) return { kind: 'changed' };
    const message = await this.#problem(read.connect, () => signIn.finish(issuer, stage.request, redirect));
    const next: PendingConnect =
      message === undefined
        ? { ...checking.connect, isSignedIn: true, stage: { kind: 'open' } }
        : { ...checking.connect, stage: { kind: 'failed', message } };
    if ((await links.change(checking, next)) === undefined) return { kind: 'changed' };
    if (message !== undefined) return { kind: 'failed', message };
    logger.info('the person of a link has signed in, as its caller', namesOf(read.connect.owner));
    return { kind: 'same', id: stage.id };
  }

  /** Returns the reason why the link ends; undefined when its caller has signed in. */
  async #problem(connect: PendingConnect, finish: () => Promise<string>): Promise<string | undefined> {
    const { owner } = connect;
    const { logger } = this.#options;
    try {
      const signedIn = await finish();
      if (signedIn === owner.caller) return undefined;
      logger.warn('login by link refused: another person has signed in', { ...namesOf(owner), signedIn: excerpt(signedIn) });
      return 'You signed in as another person than the one who asked for this link. If somebody sent it to you, they would have used your account.';
    } catch (error) {
      return reportFailure(logger, connect, error);
    }
  }
}
