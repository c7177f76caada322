import type { JsonSchema } from '../../../kernel/index.ts';

/**
 * Returns the metaschema that has this address or holds a part with it, and its own address; undefined for any other address. Those of drafts
 * 4, 6, 7, 2019-09 and 2020-12 are known, and for the last the parts by vocabulary.
 */
export async function builtInSchema(address: string): Promise<{ readonly address: string; readonly schema: JsonSchema } | undefined> {
  const { Meta } = await import('typebox/schema');
  for (const [key, schema] of Object.entries(Meta as Readonly<Record<string, JsonSchema>>)) {
    const own = key.replace(/#$/, '');
    // The words of draft 3 are others, which say nothing here.
    if (own.includes('draft-03')) continue;
    const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly JsonSchema[]) : [];
    if (own === address || parts.some(({ $id }) => $id === address)) return { address: own, schema };
  }
  return undefined;
}
