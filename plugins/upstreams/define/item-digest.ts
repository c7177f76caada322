import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Returns the digest of an item as a server sends it: SHA-256 of its canonical JSON (RFC 8785), so that the order of members does not count. */
export function itemDigest(item: unknown): string {
  return createHash('sha256')
    .update(canonicalize(item) ?? '')
    .digest('base64url');
}
