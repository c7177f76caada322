import { LongWork } from '../time/long-work.ts';
import type { MaybePromise } from '../time/maybe-promise.ts';
import { costLimits } from './cost.ts';
import { atOnce, deepFreeze, isLarge, isPlainObject, type JsonValue, setMember, toJsonValue, weightOf } from './json.ts';

/** Converts a part of a value, each member on its own. The converted parts of a list or object are joined again. */
export type PartWork = (part: unknown) => unknown;

/** Splits a text into parts that are converted one after another and joined again. */
export type TextParts = (text: string) => Iterable<string>;

/**
 * Converts a JSON value: at once if it is small, else in slices, with event-loop yields in between. Returns the same value if no part changes. A
 * long text is one part unless `parts` splits it. A value that is nested too deep is one part too.
 */
export function inSlices<T>(value: T, work: PartWork, parts?: TextParts): MaybePromise<T> {
  return isLarge(value) ? (new SlicedWork(work, parts).of(value, 1) as Promise<T>) : (work(value) as T);
}

/** Does the same as `toJsonValue`, in slices. */
export function jsonInSlices(value: unknown): MaybePromise<JsonValue> {
  const json = inSlices(value, toJsonValue) as MaybePromise<JsonValue>;
  // Converts the whole value for the error, which has the path of the wrong part.
  return json instanceof Promise ? json.catch(() => toJsonValue(value)) : json;
}

/** Freezes a JSON value in depth and returns it. */
export function freezeInSlices<T>(value: T): MaybePromise<T> {
  return isLarge(value) ? freezeParts(value, new LongWork()).then(() => value) : deepFreeze(value);
}

async function freezeParts(value: unknown, work: LongWork): Promise<void> {
  if (work.isDue) await work.yieldToEventLoop();
  if (typeof value !== 'object' || value === null || !isLarge(value)) return void deepFreeze(value);
  Object.freeze(value);
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === 'object' && member !== null) await freezeParts(member, work);
  }
}

class SlicedWork {
  readonly #work: PartWork;
  readonly #parts: TextParts | undefined;
  readonly #long = new LongWork();

  constructor(work: PartWork, parts: TextParts | undefined) {
    this.#work = work;
    this.#parts = parts;
  }

  async of(value: unknown, depth: number): Promise<unknown> {
    await this.#evict();
    if (typeof value === 'string') return this.#text(value);
    if (depth > costLimits.depth || typeof value !== 'object' || value === null) return this.#work(value);
    if (Array.isArray(value)) return this.#list(value, depth);
    return isPlainObject(value) && typeof value['toJSON'] !== 'function' ? this.#object(value, depth) : this.#work(value);
  }

  async #evict(): Promise<void> {
    if (this.#long.isDue) await this.#long.yieldToEventLoop();
  }

  async #text(text: string): Promise<unknown> {
    if (this.#parts === undefined) return this.#work(text);
    const done: string[] = [];
    let isSame = true;
    for (const part of this.#parts(text)) {
      const made = this.#work(part) as string;
      isSame &&= made === part;
      done.push(made);
      await this.#evict();
    }
    return isSame ? text : done.join('');
  }

  async #list(list: readonly unknown[], depth: number): Promise<unknown> {
    const done: unknown[] = [];
    let isSame = true;
    for (let start = 0; start < list.length; ) {
      const end = start + fitting(list.length - start, (index) => list[start + index]);
      const part = list.slice(start, Math.max(end, start + 1));
      const made = end === start ? [await this.of(part[0], depth + 1)] : (this.#work(part) as unknown[]);
      isSame &&= made === part || (part.length === 1 && made[0] === part[0]);
      for (const item of made) done.push(item);
      start += part.length;
      await this.#evict();
    }
    return isSame ? list : done;
  }

  async #object(object: Readonly<Record<string, unknown>>, depth: number): Promise<unknown> {
    const keys = Object.keys(object);
    const done: Record<string, unknown>[] = [];
    let isSame = true;
    for (let start = 0; start < keys.length; ) {
      const end = start + fitting(keys.length - start, (index) => [keys[start + index], object[keys[start + index] as string]]);
      const names = keys.slice(start, Math.max(end, start + 1));
      const part = membersOf(object, names);
      const made = end === start ? await this.#member(part, names[0] as string, depth) : (this.#work(part) as Record<string, unknown>);
      isSame &&= made === part;
      done.push(made);
      start += names.length;
      await this.#evict();
    }
    return isSame ? object : this.#together(done);
  }

  /** Converts a member that is large itself. */
  async #member(part: Readonly<Record<string, unknown>>, key: string, depth: number): Promise<Record<string, unknown>> {
    // Only the name: a number is never converted.
    const [name = key] = Object.keys(this.#work({ [key]: 0 }) as object);
    const value = await this.of(part[key], depth + 1);
    if (name === key && value === part[key]) return part as Record<string, unknown>;
    const made: Record<string, unknown> = {};
    setMember(made, name, value);
    return made;
  }

  async #together(parts: readonly Readonly<Record<string, unknown>>[]): Promise<Record<string, unknown>> {
    const whole: Record<string, unknown> = {};
    for (const part of parts) {
      for (const key of Object.keys(part)) setMember(whole, key, part[key]);
      await this.#evict();
    }
    return whole;
  }
}

/** Returns the number of members to convert together; 0 when the first one is too large. */
function fitting(count: number, member: (index: number) => unknown): number {
  let weight = 0;
  for (let index = 0; index < count; index++) {
    weight += weightOf(member(index), atOnce);
    if (weight > atOnce) return index;
  }
  return count;
}

function membersOf(object: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const key of keys) setMember(members, key, object[key]);
  return members;
}
