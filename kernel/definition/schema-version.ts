import { digest } from './digest.ts';
import type { LinkOptions } from './link.ts';

/** Another text when a definition may mean something else. */
export function schemaVersionOf({ executionTypes, encodings, keys }: LinkOptions): string {
  const types = [...executionTypes].map(([name, { schema, fingerprint }]) => [name, schema, fingerprint]);
  return digest([types.toSorted(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)), [...encodings].toSorted(), keys.description]);
}
