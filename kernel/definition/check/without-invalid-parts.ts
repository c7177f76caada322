import type { TSchema } from 'typebox';
import type { Issue } from '../../errors.ts';
import { isPlainObject } from '../../json/json.ts';
import { findIssues } from '../../schema/check-value.ts';
import { pointerSegments } from '../../schema/validator-finding.ts';

/** Members that others refer to. Without them, valid references would be reported as issues. */
const foundations = ['/parameters', '/input_schema', '/execution'];

/**
 * Returns the definition without its invalid parts, so that the rest can be checked too. Never use it for calls. `fill` replaces missing
 * members. Returns undefined when too little remains.
 */
export function withoutInvalidParts<T>(schema: TSchema, definition: unknown, issues: readonly Issue[], fill: object = {}): T | undefined {
  if (issues.some(({ pointer = '' }) => foundations.includes(pointer))) return undefined;
  // First removes only the invalid part. If that is not enough, as for an item of a list, removes the whole key.
  for (const depth of [Number.POSITIVE_INFINITY, 1]) {
    const value = issues.reduce((rest, { pointer = '' }) => withoutInvalidPart(rest, pointerSegments(pointer), depth), definition);
    const copy = { ...fill, ...(value as object) };
    if (findIssues(schema, copy, 1).issues.length === 0) return copy as T;
  }
  return undefined;
}

/**
 * Returns the value without one invalid part. A parameter stays and accepts any value, because placeholders name it. Another key is removed as a
 * whole, because half of it would be reported as a second mistake.
 */
function withoutInvalidPart(value: unknown, segments: readonly string[], depth: number): unknown {
  const isParameter = segments[0] === 'parameters' && segments.length > 1;
  const isWhole = isParameter && (segments.length === 2 || depth === 1);
  if (isWhole) return replaced(value, segments.slice(0, 2), {});
  const isReferredTo = foundations.includes(`/${segments[0]}`);
  return replaced(value, isParameter ? segments : segments.slice(0, isReferredTo ? depth : 1), undefined);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key && rest.length > 0 ? replaced(item, rest, by) : item));
  if (!isPlainObject(value)) return value;
  const { [key]: member, ...others } = value;
  const next = rest.length === 0 ? by : replaced(member, rest, by);
  return next === undefined ? others : { ...others, [key]: next };
}
