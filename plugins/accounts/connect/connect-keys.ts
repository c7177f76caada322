import { createHash, randomBytes } from 'node:crypto';
import type { GrantOwner } from '../grants/grant.ts';

/** Returns 128 random bits as text. */
export function randomText(): string {
  return randomBytes(16).toString('base64url');
}

/** True for a text that `randomText` may have made. */
export function isRandomText(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the key of a connect, by the SHA-256 of its id. */
export function pendingKey(digest: string): string {
  return `connect/pending/${digest}`;
}

/** Returns the key of the entry without which a link has expired. */
export function liveKey(digest: string): string {
  return `connect/live/${digest}`;
}

/** Returns the key by which a redirect finds its connect. */
export function stateKey(state: string): string {
  return `connect/state/${sha256(state)}`;
}

/** Returns the prefix of the keys of a caller's connects that wait for a code. */
export function codePrefix({ tenant, caller }: Pick<GrantOwner, 'tenant' | 'caller'>): string {
  return `connect/code/${sha256(JSON.stringify([tenant, caller]))}/`;
}

/** Prefix of the keys of all connects whose code was not typed yet. They outlive the codes. */
export const unconfirmedPrefix = 'connect/unconfirmed/';

/** Returns the key of the link that an owner gets again. */
export function ownerKey({ tenant, caller, provider, issuer, account }: GrantOwner): string {
  return `connect/owner/${sha256(JSON.stringify([tenant, caller, provider, issuer, account]))}`;
}
