import { hasMoreEntries } from '../json/cost.ts';

/** Maximum entries of a value that is checked completely. Finding all issues takes microseconds for each entry, much longer than a check. */
const wholeEntries = 20_000;

/** Maximum entries of one list or object in a sample. Also the limit for `uniqueItems`, which the validator checks in quadratic time. */
const sampledEntries = 1000;

/** A value, or the part of it that is checked. */
export interface Sample {
  readonly value: unknown;
  /** The shortened lists and objects, by their part in the sample. */
  readonly cuts: ReadonlyMap<unknown, Cut>;
}

/** A shortened list or object. */
export interface Cut {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** Number of entries of the whole list or object. */
  readonly size: number;
}

/** Returns the first entries of each list and object of a large value, outer ones before nested ones. */
export function sampleOf(value: unknown, comparesItems: boolean): Sample {
  if (!hasMoreEntries(value, comparesItems ? sampledEntries : wholeEntries)) return { value, cuts: new Map() };
  const cuts = new Map<unknown, Cut>();
  let remaining = wholeEntries;
  const begun: { readonly from: object; readonly to: unknown[] | Record<string, unknown>; readonly pointer: string }[] = [];
  const copyOf = (part: unknown, pointer: string): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const to = Array.isArray(part) ? [] : {};
    begun.push({ from: part, to, pointer });
    return to;
  };
  const top = copyOf(value, '');
  for (const { from, to, pointer } of begun) {
    const keys = Object.keys(from);
    const kept = keys.slice(0, Math.min(remaining, sampledEntries));
    remaining -= kept.length;
    if (kept.length < keys.length) cuts.set(to, { pointer, size: keys.length });
    // Not by assignment: that would set the prototype for a member named __proto__.
    for (const key of kept)
      Object.defineProperty(to, key, {
        value: copyOf((from as Record<string, unknown>)[key], `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return { value: top, cuts };
}
