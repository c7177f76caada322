import { isPlainObject } from '../../../kernel/index.ts';
import { JsonSizes } from '../../shared/output-room/json-size.ts';
import type { ObjectKeys } from '../../shared/output-room/object-keys.ts';
import { longestText, shortestText } from './cut-text.ts';
import type { Place } from './place.ts';
import { type Claim, shareRoom, sumOf } from './shares.ts';

/** A part of a value, the constraints of its schema, and its pointer (RFC 6901). */
export interface Part {
  readonly value: unknown;
  readonly place: Place;
  readonly pointer: string;
}

/** An item of a list or a member of an object. */
interface Entry extends Claim {
  readonly key: string;
  readonly part: Part;
  /** Characters of its name and of a comma. */
  readonly around: number;
}

/** The names of an object's members, in its order. */
type Names = Readonly<Record<'needed' | 'declared' | 'others', readonly string[]>>;

/** The share of the room of its list or object that an optional entry gets before it is left out. */
const leastShare = 0.1;

/** Characters of the shortest member, `"":0,`, which limit the number of members. */
const leastMember = 5;

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
  least(part: Part): number {
    const { value, place, pointer } = part;
    if (typeof value === 'string') return this.#whole(this.#complete.has(pointer) ? value : shortestText(value, place));
    if (place.fixes(value)) return this.#whole(value);
    if (Array.isArray(value)) return Math.max(2, 1 + sumOf(this.#itemsNeeded(part, value).map((item) => 1 + this.#leastItem(part, item))));
    if (!isPlainObject(value)) return this.#whole(value);
    const needed = this.#names(part).needed.map((name) => this.#around(name) + this.least(memberOf(part, name)));
    return Math.max(2, 1 + sumOf(needed));
  }

  /** Cuts a part to at most `room` characters, which must not be less than its smallest size. */
  cut(part: Part, room: number): unknown {
    const { value, place, pointer } = part;
    if (this.#sizes.measure(value, room) <= room) return value;
    if (typeof value === 'string') {
      this.pointers.push(pointer);
      return longestText(value, place, room);
    }
    return Array.isArray(value) ? this.#cutList(part, value, room) : this.#cutObject(part, room);
  }

  /** Takes the first items, so that each has the same index as in the whole list. */
  #cutList(part: Part, list: readonly unknown[], room: number): readonly unknown[] {
    const entries = this.#itemsNeeded(part, list).map((item) => this.#itemEntry(part, item, room));
    const around = 1 + sumOf(entries.map((entry) => entry.around));
    const wishes = entries.map((entry) => ({ least: entry.least, whole: wanted(entry, room) }));
    const given = shareRoom(wishes, room - around);
    let left = room - around - sumOf(given);
    while (entries.length < list.length) {
      const entry = this.#itemEntry(part, itemOf(part, list, entries.length), room);
      const share = wanted(entry, room);
      if (share + entry.around > left) break;
      left -= share + entry.around;
      entries.push(entry);
      given.push(share);
    }
    if (entries.length < list.length) this.pointers.push(part.pointer);
    return this.#fill(entries, given, room).map(([, item]) => item);
  }

  /** Takes required members first, then declared ones, then the rest, of which large ones are left out first. */
  #cutObject(part: Part, room: number): Record<string, unknown> {
    const names = this.#names(part);
    const entries = names.needed.map((name) => this.#memberEntry(part, name, room));
    let left = room - 1 - sumOf(entries.map((entry) => entry.least + entry.around));
    for (const name of names.declared) {
      const entry = this.#memberEntry(part, name, room);
      if (entry.least + entry.around > left) continue;
      left -= entry.least + entry.around;
      entries.push(entry);
    }
    const least = entries.map((entry) => entry.least);
    const given = shareRoom(entries, sumOf(least) + Math.floor(left / 2), least);
    left -= sumOf(given) - sumOf(least);
    const others = names.others.slice(0, left / leastMember).map((name) => {
      const entry = this.#memberEntry(part, name, room);
      return { entry, share: wanted(entry, room) };
    });
    for (const { entry, share } of others.sort((a, b) => a.share - b.share)) {
      if (share + entry.around > left) continue;
      left -= share + entry.around;
      entries.push(entry);
      given.push(share);
    }
    const keys = this.#keys.of(part.value as object);
    if (entries.length < keys.length) this.pointers.push(part.pointer);
    const filled = new Map(this.#fill(entries, given, room));
    return Object.fromEntries(keys.filter((key) => filled.has(key)).map((key) => [key, filled.get(key)]));
  }

  /** Cuts the entries. Room that is left goes to all entries that can use it. */
  #fill(entries: readonly Entry[], given: readonly number[], room: number): [string, unknown][] {
    const shares = shareRoom(entries, room - 1 - sumOf(entries.map(({ around }) => around)), given);
    return entries.map(({ key, part }, index) => [key, this.cut(part, shares[index] ?? 0)]);
  }

  #itemsNeeded(part: Part, list: readonly unknown[]): readonly Part[] {
    const inside = `${part.pointer}/`;
    const named = [...this.#complete].filter((one) => one.startsWith(inside)).map((one) => Number(one.slice(inside.length).split('/')[0]));
    const count = this.#complete.has(part.pointer)
      ? list.length
      : Math.max(part.place.least('minItems'), ...named.map((index) => index + 1));
    return Array.from({ length: Math.min(count, list.length) }, (_, index) => itemOf(part, list, index));
  }

  #leastItem({ place }: Part, item: Part): number {
    return place.hasUniqueItems ? this.#whole(item.value) : this.least(item);
  }

  #itemEntry(list: Part, item: Part, room: number): Entry {
    return { key: '', part: item, around: 1, least: this.#leastItem(list, item), whole: this.#sizes.measure(item.value, room - 2) };
  }

  #memberEntry(object: Part, key: string, room: number): Entry {
    const part = memberOf(object, key);
    const around = this.#around(key);
    return { key, part, around, least: this.least(part), whole: this.#sizes.measure(part.value, room - 1 - around) };
  }

  #around(name: string): number {
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

  #sortNames({ value, place, pointer }: Part): Names {
    const names = { needed: [] as string[], declared: [] as string[], others: [] as string[] };
    const isComplete = this.#complete.has(pointer);
    for (const name of this.#keys.of(value as object)) {
      const isNeeded = isComplete || place.requires(name) || this.#isNamed(pointer, name);
      names[isNeeded ? 'needed' : place.declares(name) ? 'declared' : 'others'].push(name);
    }
    const missing = (): number => Math.max(0, place.least('minProperties') - names.needed.length);
    names.needed.push(...names.declared.splice(0, missing()));
    names.needed.push(...names.others.splice(0, missing()));
    return names;
  }

  #isNamed(pointer: string, name: string): boolean {
    if (this.#complete.size === 0) return false;
    const member = memberPointer(pointer, name);
    return [...this.#complete].some((one) => one === member || one.startsWith(`${member}/`));
  }

  #whole(value: unknown): number {
    return this.#sizes.measure(value, this.#limit);
  }
}

/** Returns the room that an entry gets first: all that it needs, or a share where it is large. */
function wanted({ least, whole }: Claim, room: number): number {
  return Math.min(whole, Math.max(least, Math.floor(room * leastShare)));
}

function itemOf({ place, pointer }: Part, list: readonly unknown[], index: number): Part {
  return { value: list[index], place: place.item(index), pointer: `${pointer}/${index}` };
}

function memberOf({ value, place, pointer }: Part, name: string): Part {
  return { value: (value as Record<string, unknown>)[name], place: place.member(name), pointer: memberPointer(pointer, name) };
}

/** Joins a pointer and a member name (RFC 6901, 3). */
function memberPointer(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
