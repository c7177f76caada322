import { createHash } from 'node:crypto';
import { isPlainObject } from '../../../kernel/index.ts';

/**
 * Returns the digest (sha256, hex) of the definition behind a reason to ask (`Reason.version`). The order of members does not count: it is taken of
 * the JSON with sorted keys.
 */
export function versionDigest(definition: unknown): string {
  const text = JSON.stringify(definition, (_key, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
  return createHash('sha256').update(text).digest('hex');
}
