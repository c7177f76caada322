import { hash, timingSafeEqual } from 'node:crypto';
import { excerpt, ToolkitError } from '../../../../../kernel/index.ts';
import type { RevokedToken } from './token-revocations.ts';

/** A bearer token that opens the server. It has `token`, its value, or `sha256`, the SHA-256 of that in 64 hexadecimal digits. */
export interface AcceptedToken {
  /** The caller. */
  readonly name: string;
  readonly token?: string;
  readonly sha256?: string;
  readonly operator?: boolean;
}

interface KnownToken {
  readonly name: string;
  readonly digest: Buffer;
  readonly isOperator: boolean;
}

/** Accepted tokens of a running server. A single token is the operator's. */
export class AcceptedTokens {
  #tokens: readonly KnownToken[];

  constructor(tokens: readonly AcceptedToken[]) {
    this.#tokens = known(tokens);
  }

  /** Replaces the accepted tokens. Returns the removed ones. */
  replace(tokens: readonly AcceptedToken[]): readonly RevokedToken[] {
    const now = known(tokens);
    return this.#keep(now, ({ name, digest: own }) => now.some((token) => token.name === name && token.digest.equals(own)));
  }

  /** Removes these tokens. Returns those that were accepted before. */
  drop(gone: readonly RevokedToken[]): readonly RevokedToken[] {
    const isKept = ({ name, digest: own }: KnownToken): boolean =>
      !gone.some((token) => token.name === name && token.sha256 === own.toString('hex'));
    return this.#keep(this.#tokens.filter(isKept), isKept);
  }

  /** Finds the token that a request sent. Compares every token, in constant time. */
  find(sent: string | undefined): { readonly name: string; readonly isOperator: boolean } | undefined {
    const sentDigest = digest(sent ?? '');
    const match = this.#tokens.filter((token) => timingSafeEqual(token.digest, sentDigest))[0];
    return sent === undefined ? undefined : match;
  }

  #keep(tokens: readonly KnownToken[], isKept: (token: KnownToken) => boolean): readonly RevokedToken[] {
    const gone = this.#tokens.filter((token) => !isKept(token));
    this.#tokens = tokens;
    return gone.map(({ name, digest: own }) => ({ name, sha256: own.toString('hex') }));
  }
}

/** Returns the SHA-256 of its value. */
function tokenDigest({ token, sha256 = '' }: AcceptedToken): Buffer {
  return token === undefined ? Buffer.from(sha256, 'hex') : digest(token);
}

/** Returns the SHA-256 of a text. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Throws CONFIG_INVALID for tokens that cannot be sent, and for two with one value or one name. No message has a value. */
export function checkTokens(tokens: readonly AcceptedToken[]): void {
  const blank = tokens.find(({ token }) => token !== undefined && !/^[\x21-\x7e]+$/.test(token));
  if (blank !== undefined)
    throw invalid(
      `The token of the caller "${excerpt(blank.name)}" cannot be sent in a header: expected printable ASCII without blanks. Choose another.`,
    );
  const digests = tokens.map((token) => tokenDigest(token).toString('hex'));
  const shared = tokens.find((_, index) => digests.indexOf(digests[index] ?? '') !== index);
  if (shared !== undefined)
    throw invalid(`The token of the caller "${excerpt(shared.name)}" is that of another caller as well. Give each its own.`);
  const names = ['default', ...tokens.map(({ name }) => name).filter((name, index) => name !== 'default' || index > 0)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw invalid(`"tokens" names the caller "${excerpt(twice)}" twice ("default" is the caller of mcpToken). Give each its own name.`);
}

function invalid(message: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', message);
}

/** Returns the tokens with their digests. A single token is the operator's. */
function known(tokens: readonly AcceptedToken[]): readonly KnownToken[] {
  return tokens.map((token) => ({ name: token.name, digest: tokenDigest(token), isOperator: token.operator ?? tokens.length === 1 }));
}
