import { isPlainObject } from '../../../kernel/index.ts';
import { JsonSizes } from '../../shared/output-room/json-size.ts';
import type { ObjectKeys } from '../../shared/output-room/object-keys.ts';
import { longestText, shortestText } from './cut-text.ts';
import type { SchemaConstraints } from './schema-constraints.ts';
import { type Claim, shareRoom, sumOf } from './shares.ts';

/** A part of a value, the constraints of its schema, and its pointer (RFC 6901). */
export interface Part {
  readonly value: unknown;
  readonly constraints: SchemaConstraints;
  readonly pointer: string;
}

/** An item of a list or a member of an object. */
interface Entry extends Claim {
  readonly key: string;
  readonly part: Part;
  /** Characters of its name and of a comma. */
  readonly overhead: number;
}

/** The names of an object's members, in its order. */
type Names = Readonly<Record<'needed' | 'declared' | 'others', readonly string[]>>;

/** The share of the room of its list or object that an optional entry gets before it is left out. */
const minShare = 0.1;

/** Characters of the shortest member, `"":0,`, which limit the number of members. */
const minMemberLength = 5;

/** One pass through a value that is too long. */
export class Cutting {
  /** Pointers to texts, lists and objects that were cut. */
  readonly pointers: string[] = [];
  readonly #limit: number;
  readonly #sizes: JsonSizes;
  readonly #keys: ObjectKeys;
  /** Sorted names by object. They do not change while it is cut. */
  readonly #namesOf = new WeakMap<object, Names>();
  /** Pointers to parts that must be present and complete. */
  readonly #complete: ReadonlySet<string>;

  constructor(limit: number, complete: ReadonlySet<string>, keys: ObjectKeys) {
    this.#limit = limit;
    this.#keys = keys;
    this.#sizes = new JsonSizes(keys);
    this.#complete = complete;
  }

  /** Returns the smallest size that a part can be cut to; some number above the limit where that is larger. */
  minSize(part: Part): number {
    const { value, constraints, pointer } = part;
    if (typeof value === 'string') return this.#sizeOf(this.#complete.has(pointer) ? value : shortestText(value, constraints));
    if (constraints.isFixedValue(value)) return this.#sizeOf(value);
    if (Array.isArray(value))
      return Math.max(2, 1 + sumOf(this.#itemsNeeded(part, value).map((item) => 1 + this.#minItemSize(part, item))));
    if (!isPlainObject(value)) return this.#sizeOf(value);
    const needed = this.#names(part).needed.map((name) => this.#overheadOf(name) + this.minSize(memberOf(part, name)));
    return Math.max(2, 1 + sumOf(needed));
  }

  /** Cuts a part to at most `room` characters, which must not be less than its smallest size. */
  cut(part: Part, room: number): unknown {
    const { value, constraints, pointer } = part;
    if (this.#sizes.measure(value, room) <= room) return value;
    if (typeof value === 'string') {
      this.pointers.push(pointer);
      return longestText(value, constraints, room);
    }
    return Array.isArray(value) ? this.#cutList(part, value, room) : this.#cutObject(part, room);
  }

  /** Takes the first items, so that each has the same index as in the whole list. */
  #cutList(part: Part, list: readonly unknown[], room: number): readonly unknown[] {
    const entries = this.#itemsNeeded(part, list).map((item) => this.#itemEntry(part, item, room));
    const overhead = 1 + sumOf(entries.map((entry) => entry.overhead));
    const wishes = entries.map((entry) => ({ least: entry.least, whole: firstShare(entry, room) }));
    const shares = shareRoom(wishes, room - overhead);
    let remaining = room - overhead - sumOf(shares);
    while (entries.length < list.length) {
      const entry = this.#itemEntry(part, itemOf(part, list, entries.length), room);
      const share = firstShare(entry, room);
      if (share + entry.overhead > remaining) break;
      remaining -= share + entry.overhead;
      entries.push(entry);
      shares.push(share);
    }
    if (entries.length < list.length) this.pointers.push(part.pointer);
    return this.#cutEntries(entries, shares, room).map(([, item]) => item);
  }

  /** Takes required members first, then declared ones, then the rest, of which large ones are left out first. */
  #cutObject(part: Part, room: number): Record<string, unknown> {
    const names = this.#names(part);
    const entries = names.needed.map((name) => this.#memberEntry(part, name, room));
    let remaining = room - 1 - sumOf(entries.map((entry) => entry.least + entry.overhead));
    for (const name of names.declared) {
      const entry = this.#memberEntry(part, name, room);
      if (entry.least + entry.overhead > remaining) continue;
      remaining -= entry.least + entry.overhead;
      entries.push(entry);
    }
    const least = entries.map((entry) => entry.least);
    const shares = shareRoom(entries, sumOf(least) + Math.floor(remaining / 2), least);
    remaining -= sumOf(shares) - sumOf(least);
    const others = names.others.slice(0, remaining / minMemberLength).map((name) => {
      const entry = this.#memberEntry(part, name, room);
      return { entry, share: firstShare(entry, room) };
    });
    for (const { entry, share } of others.sort((a, b) => a.share - b.share)) {
      if (share + entry.overhead > remaining) continue;
      remaining -= share + entry.overhead;
      entries.push(entry);
      shares.push(share);
    }
    const keys = this.#keys.of(part.value as object);
    if (entries.length < keys.length) this.pointers.push(part.pointer);
    const filled = new Map(this.#cutEntries(entries, shares, room));
    return Object.fromEntries(keys.filter((key) => filled.has(key)).map((key) => [key, filled.get(key)]));
  }

  /** Cuts the entries. Room that is left goes to all entries that can use it. */
  #cutEntries(entries: readonly Entry[], minShares: readonly number[], room: number): [string, unknown][] {
    const shares = shareRoom(entries, room - 1 - sumOf(entries.map(({ overhead }) => overhead)), minShares);
    return entries.map(({ key, part }, index) => [key, this.cut(part, shares[index] ?? 0)]);
  }

  #itemsNeeded(part: Part, list: readonly unknown[]): readonly Part[] {
    const inside = `${part.pointer}/`;
    const named = [...this.#complete].filter((one) => one.startsWith(inside)).map((one) => Number(one.slice(inside.length).split('/')[0]));
    const count = this.#complete.has(part.pointer)
      ? list.length
      : Math.max(part.constraints.minimum('minItems'), ...named.map((index) => index + 1));
    return Array.from({ length: Math.min(count, list.length) }, (_, index) => itemOf(part, list, index));
  }

  #minItemSize({ constraints }: Part, item: Part): number {
    return constraints.hasUniqueItems ? this.#sizeOf(item.value) : this.minSize(item);
  }

  #itemEntry(list: Part, item: Part, room: number): Entry {
    return { key: '', part: item, overhead: 1, least: this.#minItemSize(list, item), whole: this.#sizes.measure(item.value, room - 2) };
  }

  #memberEntry(object: Part, key: string, room: number): Entry {
    const part = memberOf(object, key);
    const overhead = this.#overheadOf(key);
    return { key, part, overhead, least: this.minSize(part), whole: this.#sizes.measure(part.value, room - 1 - overhead) };
  }

  #overheadOf(name: string): number {
    return this.#sizes.ofKey(name, this.#limit) + 1;
  }

  /** Returns the names of an object's members: required ones, others in the schema, and the rest. Cached. */
  #names(part: Part): Names {
    const known = this.#namesOf.get(part.value as object);
    if (known !== undefined) return known;
    const names = this.#sortNames(part);
    this.#namesOf.set(part.value as object, names);
    return names;
  }

  #sortNames({ value, constraints, pointer }: Part): Names {
    const names = { needed: [] as string[], declared: [] as string[], others: [] as string[] };
    const isComplete = this.#complete.has(pointer);
    for (const name of this.#keys.of(value as object)) {
      const isNeeded = isComplete || constraints.requires(name) || this.#isNamed(pointer, name);
      names[isNeeded ? 'needed' : constraints.declares(name) ? 'declared' : 'others'].push(name);
    }
    const missing = (): number => Math.max(0, constraints.minimum('minProperties') - names.needed.length);
    names.needed.push(...names.declared.splice(0, missing()));
    names.needed.push(...names.others.splice(0, missing()));
    return names;
  }

  #isNamed(pointer: string, name: string): boolean {
    if (this.#complete.size === 0) return false;
    const member = memberPointer(pointer, name);
    return [...this.#complete].some((one) => one === member || one.startsWith(`${member}/`));
  }

  #sizeOf(value: unknown): number {
    return this.#sizes.measure(value, this.#limit);
  }
}

/** Returns the room that an entry gets first: all that it needs, or a share where it is large. */
function firstShare({ least, whole }: Claim, room: number): number {
  return Math.min(whole, Math.max(least, Math.floor(room * minShare)));
}

function itemOf({ constraints, pointer }: Part, list: readonly unknown[], index: number): Part {
  return { value: list[index], constraints: constraints.item(index), pointer: `${pointer}/${index}` };
}

function memberOf({ value, constraints, pointer }: Part, name: string): Part {
  return { value: (value as Record<string, unknown>)[name], constraints: constraints.member(name), pointer: memberPointer(pointer, name) };
}

/** Joins a pointer and a member name (RFC 6901, 3). */
function memberPointer(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
