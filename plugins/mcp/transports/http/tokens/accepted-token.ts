import { hash } from 'node:crypto';
import { excerpt, ToolkitError } from '../../../../../kernel/index.ts';

/** A bearer token that opens the server. It has `token`, its value, or `sha256`, the SHA-256 of that in 64 hexadecimal digits. */
export interface AcceptedToken {
  /** The caller. */
  readonly name: string;
  readonly token?: string;
  readonly sha256?: string;
  readonly operator?: boolean;
}

/** Returns the SHA-256 of its value. */
export function tokenDigest({ token, sha256 = '' }: AcceptedToken): Buffer {
  return token === undefined ? Buffer.from(sha256, 'hex') : digest(token);
}

/** Returns the SHA-256 of a text. */
export function digest(text: string): Buffer {
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
