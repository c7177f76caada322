import { hasMoreEntries } from './cost.ts';

/** Finding everything that is wrong takes microseconds an entry, many times what checking takes: of larger values a part is looked at. */
const wholeEntries = 20_000;

/** Of one list or object. Also where items are compared, for which the validator takes the square of their number. */
const sampledEntries = 1000;

/** A value, or the part of it that is looked at. */
export interface Sample {
  readonly value: unknown;
  /** Something was left out. */
  readonly isPart: boolean;
  /** Whether entries of this list or object of the part were left out. */
  readonly isCut: (part: unknown) => boolean;
}

/** Of a large value the first entries of each list and object, those near the top before what is nested in them. */
export function sampleOf(value: unknown, comparesItems: boolean): Sample {
  if (!hasMoreEntries(value, comparesItems ? sampledEntries : wholeEntries)) return { value, isPart: false, isCut: () => false };
  const cut = new Set<unknown>();
  let left = wholeEntries;
  const begun: { readonly from: object; readonly to: unknown[] | Record<string, unknown> }[] = [];
  const copyOf = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const to = Array.isArray(part) ? [] : {};
    begun.push({ from: part, to });
    return to;
  };
  const top = copyOf(value);
  for (const { from, to } of begun) {
    const keys = Object.keys(from);
    const kept = keys.slice(0, Math.min(left, sampledEntries));
    left -= kept.length;
    if (kept.length < keys.length) cut.add(to);
    // Not by assignment, which a member named __proto__ would escape.
    for (const key of kept)
      Object.defineProperty(to, key, {
        value: copyOf((from as Record<string, unknown>)[key]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return { value: top, isPart: cut.size > 0, isCut: (part) => cut.has(part) };
}
