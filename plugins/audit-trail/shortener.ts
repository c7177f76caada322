import type { JsonValue } from '../../kernel/index.ts';

const maxCharacters = 1000;
const maxMembers = 100;
const maxKeyCharacters = 100;
const maxDepth = 8;

const none: string[] = [];

/** The parts cut from a record: JSON pointers (RFC 6901), each with the size that stayed. The list itself is bounded. */
export class Cuts {
  #entries: string[] = none;
  #remainingBytes: number;
  #more = 0;

  constructor(maxBytes: number) {
    this.#remainingBytes = maxBytes;
  }

  add(pointer: string, note: string): void {
    const entry = `${pointer.slice(0, 150)}: ${note}`.toWellFormed();
    const bytes = jsonBytes(entry) + 1;
    if (bytes > this.#remainingBytes) this.#more++;
    else {
      this.#remainingBytes -= bytes;
      if (this.#entries === none) this.#entries = [];
      this.#entries.push(entry);
    }
  }

  get entries(): readonly string[] {
    return this.#more === 0 ? this.#entries : [...this.#entries, `and ${this.#more} more`];
  }
}

/**
 * Makes JSON of any value, within a number of bytes that all its values share. It never throws: a call must not escape its record because its
 * parameters cannot be serialized. Long texts, long lists and deep nesting are cut and entered in `cuts`.
 */
export class Shortener {
  readonly #cuts: Cuts;
  #remainingBytes: number;

  constructor(maxBytes: number, cuts: Cuts) {
    this.#remainingBytes = maxBytes;
    this.#cuts = cuts;
  }

  /** Returns the value as JSON. Undefined for values that JSON leaves out. */
  value(value: unknown, pointer: string): JsonValue | undefined {
    try {
      return this.#convert(value, pointer, 0);
    } catch {
      // A getter or toJSON of an object that the host passed has thrown.
      this.#cuts.add(pointer, 'could not be read');
      return this.#charge('…');
    }
  }

  text(text: string, pointer: string): string {
    const whole = text.length <= maxCharacters ? text.toWellFormed() : undefined;
    if (whole !== undefined && jsonBytes(whole) <= this.#remainingBytes) {
      if (whole !== text) this.#cuts.add(pointer, 'lone surrogates replaced');
      return this.#charge(whole);
    }
    let kept = Math.min(text.length, maxCharacters);
    const head = (): string => `${text.slice(0, kept).toWellFormed()}…`;
    while (kept > 0 && jsonBytes(head()) > this.#remainingBytes) kept = Math.floor(kept * 0.8);
    this.#cuts.add(pointer, `${kept} of ${text.length} characters`);
    return this.#charge(head());
  }

  #charge<T extends JsonValue>(value: T): T {
    this.#remainingBytes -= jsonBytes(value);
    return value;
  }

  #convert(value: unknown, pointer: string, depth: number): JsonValue | undefined {
    if (value === null || typeof value === 'boolean') return this.#charge(value);
    if (typeof value === 'string') return this.text(value, pointer);
    if (typeof value === 'number') return Number.isFinite(value) ? this.#charge(value) : this.text(String(value), pointer);
    if (typeof value === 'bigint') return this.text(String(value), pointer);
    if (typeof value !== 'object') return undefined;
    if (depth === maxDepth) {
      this.#cuts.add(pointer, 'nested too deep');
      return this.#charge('…');
    }
    if (value instanceof Uint8Array) return this.#charge(`[${value.byteLength} bytes]`);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#convert(toJSON.call(value), pointer, depth + 1);
    this.#remainingBytes -= 2;
    return Array.isArray(value) ? this.#list(value, pointer, depth) : this.#object(value, pointer, depth);
  }

  #list(items: readonly unknown[], pointer: string, depth: number): JsonValue {
    const kept: JsonValue[] = [];
    for (const [index, item] of items.slice(0, maxMembers).entries()) {
      if (!this.#hasSlotFor(1)) break;
      kept.push(this.#convert(item, `${pointer}/${index}`, depth + 1) ?? this.#charge(null));
    }
    if (kept.length < items.length) this.#cuts.add(pointer, `${kept.length} of ${items.length} items`);
    return kept;
  }

  #object(object: object, pointer: string, depth: number): JsonValue {
    const kept: [string, JsonValue][] = [];
    const keys = Object.keys(object);
    let seen = 0;
    for (const key of keys.slice(0, maxMembers)) {
      const name = key.slice(0, maxKeyCharacters).toWellFormed();
      if (!this.#hasSlotFor(jsonBytes(name) + 2)) break;
      seen++;
      const memberPointer = `${pointer}/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
      if (name !== key) this.#cuts.add(memberPointer, `name of ${key.length} characters`);
      const value = this.#convert((object as Record<string, unknown>)[key], memberPointer, depth + 1);
      if (value !== undefined) kept.push([name, value]);
    }
    if (seen < keys.length) this.#cuts.add(pointer, `${seen} of ${keys.length} members`);
    return Object.fromEntries(kept);
  }

  /** Reserves this many bytes. False when a short value would not fit after them. */
  #hasSlotFor(bytes: number): boolean {
    if (this.#remainingBytes < bytes + 32) return false;
    this.#remainingBytes -= bytes;
    return true;
  }
}

const plainText = /^[ !#-[\]-~]*$/;

/** True when JSON needs no escapes for the text. */
export function isPlainText(text: string): boolean {
  return plainText.test(text);
}

/** Returns the text as JSON. */
export function nameText(text: string): string {
  return isPlainText(text) ? `"${text}"` : JSON.stringify(text);
}

function jsonBytes(value: JsonValue): number {
  if (typeof value === 'string' && isPlainText(value)) return value.length + 2;
  return Buffer.byteLength(JSON.stringify(value));
}
