import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../../../kernel/index.ts';

/** Returns a value as plain JSON: without functions and undefined members. */
export function plainJson(value: object): JsonObject {
  // Own text: written in this line. No number: those of a definition are doubles already.
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** Returns the digest of a definition: SHA-256 of its canonical JSON (RFC 8785), so that the order of members does not count. */
export function definitionDigest(definition: JsonObject): string {
  return sha256(canonicalize(definition) ?? '');
}

/** Returns the digest of the files of a code, in the order of their paths; undefined without files. */
export function codeDigest(files: ReadonlyMap<string, string>): string | undefined {
  if (files.size === 0) return undefined;
  return sha256(JSON.stringify([...files].sort(([one], [other]) => (one < other ? -1 : 1))));
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64url')}`;
}
