import type { JsonObject, JsonValue } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { badData, checkExact } from './exact-data.ts';

/** Converts a JSON object to TOML. Throws INVALID_PARAMETERS for values that TOML cannot hold, and OUTPUT_TOO_LARGE. */
export async function jsonToToml({ data }: { readonly data: JsonObject }): Promise<{ readonly text: string }> {
  const { stringify } = await import('smol-toml');
  checkExact(data, 'data');
  checkNulls(data, 'data');
  const text = stringify(data).trimStart();
  if (text.length > maxDocumentCharacters) throw documentTooLarge('Convert parts of the data.');
  return { text };
}

/** Refuses null: the library would silently leave out such a member. */
function checkNulls(value: JsonValue, path: string): void {
  if (value === null) throw badData(path, 'is null, for which TOML has no form. Take it out, or give an empty text');
  if (typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) checkNulls(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
}
