import { hasMoreEntries } from './cost.ts';

/** Finding everything that is wrong takes microseconds an entry, many times what checking takes: of larger values a part is looked at. */
const wholeEntries = 20_000;

/** Of one list or object. Also where items are compared, for which the validator takes the square of their number. */
const sampledEntries = 1000;

/** A value, or the part of it that is looked at. */
export interface Sample {
  readonly value: unknown;
  /** The lists and objects of which entries were left out, by what stands for them in the part. */
  readonly cuts: ReadonlyMap<unknown, Cut>;
}

/** A list or object of which entries were left out. */
export interface Cut {
  /** RFC 6901. */
  readonly pointer: string;
  /** How many entries it has in truth. */
  readonly size: number;
}

/** Of a large value the first entries of each list and object, those near the top before what is nested in them. */
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
    // Not by assignment, which a member named __proto__ would escape.
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
