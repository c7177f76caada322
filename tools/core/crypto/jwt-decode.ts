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

/** Returns the content of a token without verifying it. Throws INVALID_PARAMETERS for anything but a signed token. */
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

/** Returns null after the year 9999: RFC 3339 has four digits. */
export function isoTime(epochMs: number): string | null {
  const time = new Date(epochMs);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : null;
}
