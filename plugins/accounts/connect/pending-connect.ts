import type { SignInRequest } from '../../shared/oauth/sign-in.ts';
import type { AuthorizationRequest } from '../../shared/oauth/types.ts';
import type { GrantOwner, NewGrant } from '../grants/grant.ts';

/** The progress of a connect. */
export type ConnectStage =
  /** The link was made; the person has not gone on to the provider. */
  | { readonly kind: 'open' }
  /** The person is at the issuer of this server. `form`: as in `sent`. `id`: that of the link, to which the person comes back. */
  | { readonly kind: 'signing'; readonly request: SignInRequest; readonly form: string; readonly id: string }
  /** The person is back from there, and the code of that redirect is exchanged. */
  | { readonly kind: 'checking' }
  /** The person is at the provider. `form`: SHA-256 of the token of the form that began it. */
  | { readonly kind: 'sent'; readonly request: AuthorizationRequest; readonly form: string }
  /** The person is back, and the code of the redirect is exchanged. */
  | { readonly kind: 'exchanging' }
  /** The person has logged in, and the caller must type the code of the page. */
  | { readonly kind: 'code'; readonly grant: NewGrant; readonly code: string; readonly triesLeft: number }
  /** The code was right, and the grant is written. */
  | { readonly kind: 'saving' }
  /** The grant is written. `account`: its name at the provider. */
  | { readonly kind: 'done'; readonly account?: string }
  /** The login failed. `message`: the reason, for the person. */
  | { readonly kind: 'failed'; readonly message: string };

/** A login that a caller began and a person goes through in a browser. Secret. */
export interface PendingConnect {
  readonly owner: GrantOwner;
  readonly scopes: readonly string[];
  /** Public origin of the server that made the link. */
  readonly baseUrl: string;
  /** True when a link alone does not connect: the caller must type a code. */
  readonly needsCode: boolean;
  /** True when the person has signed in at the issuer of this server, as the caller. @default false */
  readonly isSignedIn?: boolean;
  /** Random key of the form tokens. It changes with each sent form. */
  readonly formKey: string;
  /** SHA-256 of the cookie of the only browser that may go on. @default no browser has opened the link */
  readonly browser?: string;
  readonly stage: ConnectStage;
}

/** A pending connect as it was read. */
export interface ReadConnect {
  /** SHA-256 of the link's id. */
  readonly digest: string;
  /** The stored text. A change applies to this text only. */
  readonly text: string;
  readonly connect: PendingConnect;
}

/** Returns the state of the redirect that a connect waits for. */
export function expectedState({ stage }: PendingConnect): string | undefined {
  return stage.kind === 'sent' || stage.kind === 'signing' ? stage.request.state : undefined;
}

/** True while the person may go on from the page of the link. */
export function mayGoOn({ stage }: PendingConnect): boolean {
  return stage.kind === 'open' || stage.kind === 'signing' || stage.kind === 'sent';
}

/** A valid form. Both are SHA-256: `browser` of the cookie, `form` of the token. */
export interface SentForm {
  readonly browser: string;
  readonly form: string;
}

/** The outcome of a sent form. */
export type Begun =
  | { readonly kind: 'begun'; readonly url: string }
  /** Another request was faster. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly message: string };

/** True for a connect that has ended, well or not. */
export function isEnded({ stage }: PendingConnect): boolean {
  return stage.kind === 'done' || stage.kind === 'failed';
}
