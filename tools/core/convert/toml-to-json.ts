import type { TomlTable } from 'smol-toml';
import { excerpt, messageOf } from '../../../kernel/index.ts';
import { badText } from '../json/bad-text.ts';
import { checkDocument, maxDocumentDepth, nestedTooDeeply } from '../json/check-document.ts';
import { withIsoDates } from './toml-dates.ts';

/** Converts TOML 1.1 to JSON. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export async function tomlToJson({ text: rawText }: { readonly text: string }): Promise<{ readonly data: unknown }> {
  const { parse } = await import('smol-toml');
  const text = rawText.replace(/^\uFEFF/, '');
  // The parser would take a second byte order mark for the first.
  if (text.startsWith('\uFEFF')) throw badText('TOML', 'only one byte order mark may stand at the beginning', { line: 1, column: 2 });
  const options = { integersAsBigInt: 'asNeeded', useLegacyDate: false, maxDepth: maxDocumentDepth } as const;
  try {
    const data = jsonOf(withIsoDates(() => parse(text, options)));
    checkDocument(data, { parameter: 'text', advice: 'Convert a part of it.' });
    return { data };
  } catch (error) {
    if (error instanceof RangeError) throw nestedTooDeeply('text');
    const { line, column } = error as { readonly line?: number; readonly column?: number };
    if (line === undefined || column === undefined) throw error;
    throw badText('TOML', problemOf(error), { line, column });
  }
}

/** Returns the message without the excerpt of the source that the library appends. */
function problemOf(error: unknown): string {
  const [first = ''] = messageOf(error).split('\n');
  return excerpt(first.replace('Invalid TOML document: ', ''));
}

/** Returns the JSON value. Integers beyond 2^53, `inf` and `nan` become texts. */
function jsonOf(value: TomlTable[string]): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member as TomlTable[string])]));
}
