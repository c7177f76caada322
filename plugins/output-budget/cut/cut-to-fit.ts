import { checkValue, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import { ObjectKeys } from '../../shared/output-room/object-keys.ts';
import { Cutting } from './cutting.ts';
import { SchemaConstraints } from './schema-constraints.ts';

/** Limit of attempts in which parts are put back, because the schema requires them in a way that only a check finds. */
const maxAttempts = 5;

export interface CutValue {
  readonly output: JsonValue;
  /** Pointers to texts, lists and objects that were cut (RFC 6901). */
  readonly pointers: readonly string[];
}

/**
 * Returns a part of a JSON value that takes at most `limit` UTF-16 units as JSON and fits the schema, which the whole value
 * fits. Texts and lists lose their ends, objects lose optional members, and large values are cut before small ones.
 * Deterministic. Returns undefined where no part is found. The work grows with the limit and with the members of objects, not
 * with the length of texts and lists.
 */
export function cutToFit(schema: JsonSchema, value: unknown, limit: number): CutValue | undefined {
  const part = { value, constraints: new SchemaConstraints([schema], schema), pointer: '' };
  const complete = new Set<string>();
  const keys = new ObjectKeys();
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const cutting = new Cutting(limit, complete, keys);
    if (cutting.minSize(part) > limit) return undefined;
    const output = cutting.cut(part, limit) as JsonValue;
    const issues = checkValue(schema, output);
    if (issues.length === 0) return { output, pointers: cutting.pointers };
    for (const { pointer = '' } of issues) for (const one of suspectedCuts(cutting.pointers, pointer)) complete.add(one);
  }
  return undefined;
}

/**
 * Returns the cuts that may be the reason of an issue at a pointer: a cut at it, cuts inside of it, or the pointer itself
 * where it is missing.
 */
function suspectedCuts(cuts: readonly string[], pointer: string): readonly string[] {
  const inside = cuts.filter((cut) => cut.startsWith(`${pointer}/`));
  return cuts.includes(pointer) || inside.length === 0 ? [pointer] : inside;
}
