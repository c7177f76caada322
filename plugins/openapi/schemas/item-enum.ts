import { isPlainObject } from '../../../kernel/index.ts';
import type { Note } from './value-keywords.ts';

type Raw = Readonly<Record<string, unknown>>;

/**
 * Returns a schema whose `enum` is at its items, where it lists values of them: no list is equal to one (JSON Schema 2020-12, Validation,
 * 6.1.2), and documents write it beside `type: array`. Items with an `enum` of their own keep it. Any other schema is returned as it is.
 */
export function withItemEnum(raw: Raw, types: readonly string[] | undefined, note: Note): Raw {
  const { enum: values, items, ...others } = raw;
  const isList = types?.includes('array') === true && types.every((type) => type === 'array' || type === 'null');
  const isOfItems = Array.isArray(values) && values.some((value) => value !== null) && !values.some(Array.isArray);
  if (!isList || !isOfItems || !(items === undefined || isPlainObject(items))) return raw;
  note('its enum lists values of its items, and is read as theirs');
  if (items?.['enum'] !== undefined) return { ...others, items };
  const listed = { enum: values.filter((value) => value !== null) };
  return { ...others, items: items?.['$ref'] === undefined ? { ...items, ...listed } : { allOf: [items, listed] } };
}
