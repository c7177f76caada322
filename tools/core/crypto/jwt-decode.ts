import type { JsonObject } from '../../../kernel/index.ts';
import { readToken } from './jwt-token.ts';

interface DecodeResult {
  readonly header: JsonObject;
  readonly payload: JsonObject;
  /** Null without a usable `exp`. */
  readonly expires_at: string | null;
  readonly expired: boolean | null;
  readonly verified: false;
}

/** What a token says, true or not. Throws INVALID_PARAMETERS for what is no signed token. */
export async function decode({ token }: { readonly token: string }): Promise<DecodeResult> {
  const { header, payload, expiresAtSeconds } = await readToken(token);
  const expiresAtMs = expiresAtSeconds === undefined ? undefined : expiresAtSeconds * 1000;
  return {
    header,
    payload,
    expires_at: expiresAtMs === undefined ? null : isoTime(expiresAtMs),
    expired: expiresAtMs === undefined ? null : expiresAtMs <= Date.now(),
    verified: false,
  };
}

/** Null beyond the year 9999, where the four digits of RFC 3339 end. */
export function isoTime(epochMs: number): string | null {
  const time = new Date(epochMs);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : null;
}
