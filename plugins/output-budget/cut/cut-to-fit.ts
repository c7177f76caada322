import { checkValue, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import { ObjectKeys } from '../../shared/output-room/object-keys.ts';
import { Cutting } from './cutting.ts';
import { Place } from './place.ts';

/** Times that something is put back because the schema asks for it in a way that only a check finds. */
const maxAttempts = 5;

export interface CutValue {
  readonly output: JsonValue;
  /** RFC 6901: the texts, lists and objects of which something is missing. */
  readonly pointers: readonly string[];
}

/**
 * A part of a JSON value that takes at most `limit` UTF-16 units as JSON and fits the schema, which the whole fits: texts and lists lose their
 * ends, objects lose members that need not be there, and what is large gives way to what is small. The same for the same value. Undefined
 * where none is found. The work grows with the limit and with the members of objects, not with the length of texts and lists.
 */
export function cutToFit(schema: JsonSchema, value: unknown, limit: number): CutValue | undefined {
  const part = { value, place: new Place([schema], schema), pointer: '' };
  const complete = new Set<string>();
  const keys = new ObjectKeys();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const cutting = new Cutting(limit, complete, keys);
    if (cutting.least(part) > limit) return undefined;
    const output = cutting.cut(part, limit) as JsonValue;
    const issues = checkValue(schema, output);
    if (issues.length === 0) return { output, pointers: cutting.pointers };
    for (const { pointer = '' } of issues) for (const one of suspects(cutting.pointers, pointer)) complete.add(one);
  }
  return undefined;
}

/** What may be why a place does not fit: that it was cut, or that what is inside of it was, or that it is not there. */
function suspects(cuts: readonly string[], pointer: string): readonly string[] {
  const inside = cuts.filter((cut) => cut.startsWith(`${pointer}/`));
  return cuts.includes(pointer) || inside.length === 0 ? [pointer] : inside;
}
