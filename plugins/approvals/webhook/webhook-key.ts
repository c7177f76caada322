import { createSecretKey, type KeyObject } from 'node:crypto';

/** Prefix of a secret that is written as base64 (Standard Webhooks). */
const base64Prefix = 'whsec_';

/** Minimum size of a key that is written as base64, in bytes (Standard Webhooks, "Signature scheme"). */
const minKeyBytes = 24;

/**
 * Returns the key of a secret: the bytes that base64 after `whsec_` stands for, otherwise the text itself. Undefined for invalid base64, or too few
 * bytes.
 */
export function keyOf(secret: string): KeyObject | undefined {
  if (!secret.startsWith(base64Prefix)) return createSecretKey(Buffer.from(secret));
  const text = secret.slice(base64Prefix.length);
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isBase64 && bytes.length >= minKeyBytes ? createSecretKey(bytes) : undefined;
}
