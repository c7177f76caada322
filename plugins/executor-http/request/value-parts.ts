import {
  asText,
  isPlainObject,
  type Lookup,
  placeholdersIn,
  refuseValue,
  renderText,
  renderValue,
  writeMarked,
} from '../../../kernel/index.ts';
import type { ValuePart } from '../definition/multipart.ts';
import { isJsonType } from './body-type.ts';
import { deepMembers, flatTexts, isList, isStructured, itemsOf } from './styles/items.ts';

/** A part of a multipart body that is no file. */
export interface TextPart {
  readonly name: string;
  readonly content: Uint8Array;
  readonly type?: string;
}

const delimiters = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' } as const;

/** Returns the parts of a value without a description: a list becomes a repeated name, an object JSON, null nothing. */
export function plainParts(name: string, value: unknown): readonly TextPart[] {
  return presentItems(value).map((item) =>
    isPlainObject(item) ? partOf(name, writeMarked(item) ?? '', 'application/json') : partOf(name, asText(item)),
  );
}

/** Returns the parts of a described value. Throws INVALID_PARAMETERS for a value that its type or style cannot carry. */
export function describedParts(name: string, description: ValuePart, lookup: Lookup): readonly TextPart[] {
  const { value: template, content_type: typeTemplate, style, explode } = description;
  const value = renderValue(template, lookup);
  if (value === undefined || value === null) return [];
  const parameter = placeholdersIn(template)[0] ?? name;
  if (typeTemplate !== undefined) {
    const type = renderText(typeTemplate, lookup);
    if (type !== undefined)
      return typedParts(
        name,
        explode === false ? [value] : presentItems(value),
        requireMediaType(placeholdersIn(typeTemplate)[0] ?? name, type),
        parameter,
      );
  }
  if (style === undefined && explode === undefined) return plainParts(name, value);
  return styledParts(name, value, description, parameter);
}

function typedParts(name: string, items: readonly unknown[], type: string, parameter: string): readonly TextPart[] {
  return items.map((item) => {
    if (isJsonType(type)) return partOf(name, writeMarked(item) ?? '', type);
    return isStructured(item)
      ? refuseValue(parameter, `a text, because the part is declared as ${type}`)
      : partOf(name, asText(item), type);
  });
}

function styledParts(
  name: string,
  value: unknown,
  { style = 'form', explode = style === 'form' }: ValuePart,
  parameter: string,
): readonly TextPart[] {
  if (style === 'deepObject') return deepMembers(name, value).map(([path, text]) => partOf(path, text));
  if (!isStructured(value)) return [partOf(name, asText(value))];
  if (explode && isList(value)) return itemsOf(value).map((text) => partOf(name, text));
  // Each member as it would be alone: no style says how a list or an object inside of it is written (RFC 6570, 2.3).
  if (explode && !isList(value)) return Object.entries(value).flatMap(([key, member]) => plainParts(key, member));
  const texts = flatTexts(value);
  const delimiter = delimiters[style];
  // Nothing is encoded here, so it could not be told from the separator.
  if (texts.some((text) => text.includes(delimiter))) refuseValue(parameter, `items without "${delimiter}", which separates them`);
  return texts.length === 0 ? [] : [partOf(name, texts.join(delimiter))];
}

/** Returns a media type for use in the header of a part, or refuses it (RFC 9110, 8.3.1). */
export function requireMediaType(name: string, type: string): string {
  const isOne = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=("[^"\\\r\n]*"|[^\s;"]+))*$/.test(type);
  return isOne ? type : refuseValue(name, 'a media type, such as text/csv');
}

function presentItems(value: unknown): readonly unknown[] {
  return [value].flat().filter((item) => item !== undefined && item !== null);
}

function partOf(name: string, text: string, type?: string): TextPart {
  return { name, content: Buffer.from(text), ...(type === undefined ? {} : { type }) };
}
