import { isDeepStrictEqual } from 'node:util';
import { isPlainObject } from '../../../../../kernel/index.ts';

/** Matches any value in an expectation. */
const wildcard = '*';

/** Returns the expectation with each `*` replaced by the received value. */
function fillWildcards(expected: unknown, received: unknown): unknown {
  if (expected === wildcard && received !== undefined) return received;
  if (Array.isArray(expected) && Array.isArray(received))
    return expected.map((item, index) => (index < received.length ? fillWildcards(item, received[index]) : item));
  if (!isPlainObject(expected) || !isPlainObject(received)) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [key, Object.hasOwn(received, key) ? fillWildcards(value, received[key]) : value]),
  );
}

/** True when the received value matches the expectation. The order of keys does not matter. */
export function matches(expected: unknown, received: unknown): boolean {
  return isDeepStrictEqual(fillWildcards(expected, received), received);
}

/** Returns the difference between the expected and the received value as lines of a diff. */
export async function diffLines(expected: unknown, received: unknown): Promise<readonly string[]> {
  const { structuredPatch } = await import('diff');
  const [before, after] = [fillWildcards(expected, received), received].map((value) => `${JSON.stringify(sortKeys(value), null, 2)}\n`);
  const { hunks } = structuredPatch('', '', before ?? '', after ?? '', '', '', { context: 2 });
  return hunks.flatMap(({ lines }, index) => [...(index === 0 ? [] : ['  …']), ...lines.filter((line) => !line.startsWith('\\'))]);
}

/** Returns the common parts of two runs, with `*` where they differ or where `former` has `*`. */
export function mergeRuns(one: unknown, other: unknown, former?: unknown): unknown {
  if (former === wildcard) return wildcard;
  if (isDeepStrictEqual(one, other) && former === undefined) return one;
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.map((item, index) => mergeRuns(item, other[index], Array.isArray(former) ? former[index] : undefined));
  if (isPlainObject(one) && isPlainObject(other) && isDeepStrictEqual(new Set(Object.keys(one)), new Set(Object.keys(other))))
    return Object.fromEntries(
      Object.entries(one).map(([key, value]) => [key, mergeRuns(value, other[key], isPlainObject(former) ? former[key] : undefined)]),
    );
  return isDeepStrictEqual(one, other) ? one : wildcard;
}

/** Sorts the keys of a value at any depth. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
