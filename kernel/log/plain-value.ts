import { types } from 'node:util';
import { isPlainObject } from '../json/json.ts';
import { boundedText, type Masking, unmasked } from './bounded-text.ts';
import { freeKey } from './free-key.ts';
import { classOf, isError, jsonOf, read, unreadable } from './read-value.ts';
import type { RecordLimits } from './record-limits.ts';

/** Converts values to JSON values, and counts how much of a record they fill. */
export class PlainValue {
  readonly #limits: RecordLimits;
  readonly #masking: Masking;
  readonly #keepsStacks: boolean;
  readonly #parents = new Set<object>();
  #room: number;

  constructor(limits: RecordLimits, masking: Masking = unmasked, keepsStacks = false) {
    this.#limits = limits;
    this.#masking = masking;
    this.#keepsStacks = keepsStacks;
    this.#room = limits.total;
  }

  visit(value: unknown): unknown {
    if (this.#room <= 0) return this.#note('[left out: the record is full]');
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        this.#room -= 8;
        return Number.isFinite(value) ? this.#masking.mask(value) : String(value);
      case 'bigint':
        // The digits of a huge bigint would take too long to compute.
        return BigInt.asIntN(32_768, value) === value ? this.#text(String(value)) : this.#note('[bigint of more than 32768 bits]');
      case 'symbol':
        return this.#text(String(value));
      case 'object':
      case 'function':
        return value === null ? null : this.#object(value);
      default:
        this.#room -= 4;
        return value;
    }
  }

  #text(text: string): string {
    return this.#note(boundedText(text, Math.min(this.#limits.text, this.#room), this.#masking));
  }

  /** Adds a short text without secrets. */
  #note(text: string): string {
    this.#room -= text.length + 2;
    return text;
  }

  #object(value: object): unknown {
    this.#room -= 2;
    if (this.#parents.has(value)) return this.#note('[circular]');
    if (this.#parents.size >= this.#limits.depth) return this.#note(`[nested deeper than ${this.#limits.depth} levels]`);
    this.#parents.add(value);
    try {
      return this.#converted(value);
    } catch (error) {
      return this.#text(unreadable(error));
    } finally {
      this.#parents.delete(value);
    }
  }

  #converted(value: object): unknown {
    if (typeof value === 'function') return this.#text(`[function ${read(value, 'name') || 'without a name'}]`);
    if (Array.isArray(value)) return this.#list(value.length, value.values());
    if (isError(value)) return this.#members(this.#errorMembers(value));
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return this.#text(`[${classOf(value)}, ${value.byteLength} bytes]`);
    if (value instanceof Date) return this.#note(Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString());
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.visit(toJSON.call(value));
    return isPlainObject(value) ? this.#members(value) : this.#instance(value);
  }

  /** Converts an instance of a class, whose members may not be its whole content. */
  #instance(value: object): unknown {
    if (value instanceof Map) {
      const isNamed = value.size <= this.#limits.members && [...value.keys()].every((key) => typeof key === 'string');
      return isNamed ? this.#members(Object.fromEntries(value)) : this.#list(value.size, value.entries());
    }
    if (value instanceof Set) return this.#list(value.size, value.values());
    if (types.isBoxedPrimitive(value)) return this.visit(value.valueOf());
    if (value instanceof RegExp) return this.#text(String(value));
    return Object.keys(value).length === 0 ? this.#text(`[${classOf(value)}]`) : this.#members(value);
  }

  #errorMembers(error: Error): Record<string, unknown> {
    const shown = new Map(['name', 'message'].map((key) => [key, read(error, key)]));
    const own = jsonOf(error) ?? error;
    for (const key of Object.keys(own)) if (!shown.has(key)) shown.set(key, read(own, key));
    for (const key of ['errors', 'cause']) if (!shown.has(key)) shown.set(key, read(error, key));
    shown.set('stack', this.#keepsStacks ? read(error, 'stack') : undefined);
    return Object.fromEntries(shown);
  }

  #list(length: number, items: Iterator<unknown>): unknown[] {
    const limit = this.#limitOf(length);
    const result: unknown[] = [];
    while (result.length < limit && this.#room > 0) result.push(this.visit(items.next().value) ?? null);
    if (result.length < length) result.push(this.#note(`[${length - result.length} more items]`));
    return result;
  }

  #members(value: object): Record<string, unknown> {
    const names = namesOf(value, this.#limits.members);
    const limit = this.#limitOf(names.length);
    const result = new Map<string, unknown>();
    const add = (key: string, member: unknown): void => {
      const own = freeKey(key, (taken) => result.has(taken));
      if (member !== undefined) result.set(own, member);
    };
    let count = 0;
    while (count < limit && this.#room > 0) {
      const name = names[count++] as PropertyKey;
      add(this.#text(String(name)), this.visit(read(value, name)));
    }
    if (count < names.length) add('…', this.#note(`[${names.length - count} more members]`));
    // Not by assignment: that would set the prototype for a member named __proto__.
    return Object.fromEntries(result);
  }

  /** Returns how many of `count` entries to show: with the note about the others, at most the limit. */
  #limitOf(count: number): number {
    return count <= this.#limits.members ? count : this.#limits.members - 1;
  }
}

/** Returns the names and symbols of an object; with more than `limit` names, only the names. */
function namesOf(value: object, limit: number): PropertyKey[] {
  const names = Object.keys(value);
  const symbols = names.length > limit ? [] : Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return names;
  return [...names, ...symbols.filter((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol))];
}
