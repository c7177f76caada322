import type { JsonObject, JsonValue } from '../../../kernel/index.ts';
import { canonical } from './canonical.ts';
import { checkDocument } from './check-document.ts';

type Arrays = 'replace' | 'concat' | 'unique';

interface MergeParameters {
  readonly documents: readonly JsonValue[];
  readonly strategy: 'deep' | 'shallow' | 'merge_patch';
  readonly arrays: Arrays;
}

/** Merges documents; later ones win. Throws OUTPUT_TOO_LARGE. */
export function merge({ documents, strategy, arrays }: MergeParameters): { readonly result: JsonValue } {
  const step = { deep: mergeDeep, shallow: mergeShallow, merge_patch: applyMergePatch }[strategy];
  const result = documents.reduce((left, right) => step(left, right, arrays));
  checkDocument(result, { parameter: 'documents', advice: 'Merge fewer documents.' });
  return { result };
}

function mergeShallow(left: JsonValue, right: JsonValue, arrays: Arrays): JsonValue {
  if (isObject(left) && isObject(right)) return withMembers(left, right, (_, member) => member);
  return mergeLists(left, right, arrays);
}

function mergeDeep(left: JsonValue, right: JsonValue, arrays: Arrays): JsonValue {
  if (!isObject(left) || !isObject(right)) return mergeLists(left, right, arrays);
  return withMembers(left, right, (before, member) => (before === undefined ? member : mergeDeep(before, member, arrays)));
}

function mergeLists(left: JsonValue, right: JsonValue, arrays: Arrays): JsonValue {
  if (arrays === 'replace' || !Array.isArray(left) || !Array.isArray(right)) return right;
  const items: JsonValue[] = [...left, ...right];
  return arrays === 'concat' ? items : [...new Map(items.map((item) => [canonical(item), item])).values()];
}

/** Applies a merge patch (RFC 7396, section 2). */
function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  return withMembers(isObject(target) ? target : {}, patch, (before, member) =>
    member === null ? undefined : applyMergePatch(before ?? null, member),
  );
}

/** Returns the members of both. `combine` gives the value of each member of `right`; undefined leaves the member out. */
function withMembers(
  left: JsonObject,
  right: JsonObject,
  combine: (before: JsonValue | undefined, member: JsonValue) => JsonValue | undefined,
): JsonValue {
  const members = new Map(Object.entries(left));
  for (const [name, member] of Object.entries(right)) {
    const combined = combine(members.get(name), member);
    if (combined === undefined) members.delete(name);
    else members.set(name, combined);
  }
  return Object.fromEntries(members);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
