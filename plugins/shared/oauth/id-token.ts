import { isPlainObject, type JsonObject, readJson } from '../../../kernel/index.ts';
import { strictUtf8 } from '../text/utf8.ts';

/** Signatures that oauth4webapi knows. */
export const signingAlgorithms: readonly string[] = [
  'RS256',
  'PS256',
  'ES256',
  'EdDSA',
  'Ed25519',
  'RS384',
  'PS384',
  'ES384',
  'RS512',
  'PS512',
  'ES512',
];

/**
 * Returns an id_token whose claims the library can read, else undefined: one that is encrypted, or signed with a shared secret. It only names
 * the account for people, and the server may leave it out as well.
 */
export function withReadableIdToken(token: string | undefined): string | undefined {
  if (token?.split('.').length !== 3) return undefined;
  return signingAlgorithms.includes(String(partOf(token, 0)?.['alg'])) ? token : undefined;
}

/** Returns the issuer that an id_token names, unchecked. */
export function issuerIn(token: string): string | undefined {
  const issuer = partOf(token, 1)?.['iss'];
  return typeof issuer === 'string' && issuer !== '' ? issuer : undefined;
}

function partOf(token: string, index: number): JsonObject | undefined {
  try {
    const value = readJson(strictUtf8(Buffer.from(token.split('.')[index] ?? '', 'base64url')) ?? '');
    return isPlainObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
