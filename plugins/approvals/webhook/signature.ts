import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A message and the headers that its signature covers (Standard Webhooks, https://www.standardwebhooks.com). */
export interface SignedParts {
  /** Id of the message: the same for each attempt to send it. No dots. */
  readonly id: string;
  /** Time of sending, in epoch seconds. */
  readonly timestamp: number;
  /** The body as it is sent. */
  readonly body: string;
}

/** A request whose headers are those of a signed message. */
export interface SignedRequest extends SignedParts {
  /** Signatures of 32 bytes each. */
  readonly signatures: readonly Buffer[];
}

/** Maximum difference between the time of sending and the clock of the receiver, in seconds. */
export const toleranceSeconds = 300;

/** Maximum length of the header with signatures: each has 47 characters. */
const maxSignatureCharacters = 1024;

/** Returns the headers of a message that is signed with each of the keys. */
export function signedHeaders(parts: SignedParts, keys: readonly KeyObject[]): Readonly<Record<string, string>> {
  return {
    'webhook-id': parts.id,
    'webhook-timestamp': String(parts.timestamp),
    'webhook-signature': keys.map((key) => `v1,${signatureOf(parts, key).toString('base64')}`).join(' '),
  };
}

/** Returns the signed parts of a request; undefined where a header is missing or malformed. Signatures of other versions are left out. */
export function signedRequest(headers: Readonly<Record<string, string>>, body: string): SignedRequest | undefined {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signature = '' } = headers;
  // A dot would make two messages of one signature.
  if (!/^[\w~:+/=-]{1,200}$/.test(id) || !/^[1-9]\d{0,11}$/.test(timestamp) || signature.length > maxSignatureCharacters) return undefined;
  const signatures = signature
    .split(' ')
    .filter((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one))
    .map((one) => Buffer.from(one.slice(3), 'base64'));
  return signatures.length === 0 ? undefined : { id, timestamp: Number(timestamp), body, signatures };
}

/** Returns true when one of the keys has signed the request. Compares in constant time. */
export function isSignedBy({ signatures, ...parts }: SignedRequest, keys: readonly KeyObject[]): boolean {
  const matches = keys.flatMap((key) => {
    const expected = signatureOf(parts, key);
    return signatures.map((signature) => timingSafeEqual(signature, expected));
  });
  return matches.includes(true);
}

/** Returns true for a time of sending within the tolerance. `now`: epoch ms. */
export function isTimely({ timestamp }: SignedParts, now: number): boolean {
  return Math.abs(now / 1000 - timestamp) <= toleranceSeconds;
}

function signatureOf({ id, timestamp, body }: SignedParts, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
}
