import type { JsonSchema } from '../../../kernel/index.ts';

/**
 * Returns the metaschema with this address, or the one that holds a part with it, and its own address. Undefined for any other address.
 * Knows drafts 4, 6, 7, 2019-09 and 2020-12, and the vocabulary parts of the last.
 */
export async function builtInSchema(address: string): Promise<{ readonly address: string; readonly schema: JsonSchema } | undefined> {
  const { Meta } = await import('typebox/schema');
  for (const [key, schema] of Object.entries(Meta as Readonly<Record<string, JsonSchema>>)) {
    const own = key.replace(/#$/, '');
    // Draft 3 has other keywords, which mean nothing here.
    if (own.includes('draft-03')) continue;
    const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly JsonSchema[]) : [];
    if (own === address || parts.some(({ $id }) => $id === address)) return { address: own, schema };
  }
  return undefined;
}
