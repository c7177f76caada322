import type { JsonObject, JsonValue } from '../../../kernel/index.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';
import { checkExact, refused } from './exact-data.ts';

/** A JSON object as TOML. Throws INVALID_PARAMETERS for what TOML has no form for, and OUTPUT_TOO_LARGE. */
export async function jsonToToml({ data }: { readonly data: JsonObject }): Promise<{ readonly text: string }> {
  const { stringify } = await import('smol-toml');
  checkExact(data, 'data');
  checkNulls(data, 'data');
  const text = stringify(data).trimStart();
  if (text.length > maxDocumentCharacters) throw documentTooLarge('Convert parts of the data.');
  return { text };
}

/** The library would leave out a member that is null without a word. */
function checkNulls(value: JsonValue, path: string): void {
  if (value === null) throw refused(path, 'is null, for which TOML has no form. Take it out, or give an empty text');
  if (typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) checkNulls(member, Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`);
}
