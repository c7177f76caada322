import type { LinkOptions } from '../link/link.ts';
import { digest } from '../schema/digest.ts';

/** Returns the schema version: a digest that changes when execution types, encodings or definition keys change. */
export function schemaVersionOf({ executionTypes, encodings, keys }: LinkOptions): string {
  const types = [...executionTypes].map(([name, { schema, fingerprint }]) => [name, schema, fingerprint]);
  return digest([types.toSorted(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)), [...encodings].toSorted(), keys.description]);
}
