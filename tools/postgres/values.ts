import { parseArray, type TextArray } from './array-text.ts';
import { parseJson } from './json-text.ts';
import type { Type, ValueKind } from './types.ts';
import type { TextRow } from './wire.ts';

/** Converts rows to JSON values, column by column. */
export function jsonRows(rows: readonly TextRow[], types: readonly Type[]): readonly (readonly unknown[])[] {
  return rows.map((row) => row.map((text, index) => jsonValue(text, types[index] as Type)));
}

/** Converts a text of the server to a JSON value. */
export function jsonValue(text: string | null, { reading, isArray }: Type): unknown {
  if (text === null) return null;
  return isArray ? elementsOf(parseArray(text), reading) : scalarOf(text, reading);
}

function elementsOf(elements: TextArray, reading: ValueKind): unknown[] {
  return elements.map((element) => {
    if (element === null) return null;
    return typeof element === 'string' ? scalarOf(element, reading) : elementsOf(element, reading);
  });
}

function scalarOf(text: string, reading: ValueKind): unknown {
  switch (reading) {
    case 'boolean':
      return text === 't';
    case 'number': {
      const value = Number(text);
      // NaN and the infinities are no JSON.
      return Number.isFinite(value) ? value : text;
    }
    case 'json':
      return parseJson(text);
    case 'text':
      return text;
  }
}
