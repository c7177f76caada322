import { isPlainObject } from '../schema/json.ts';
import { ManyStrings, type Needle, type NeedleMatch } from './many-strings.ts';
import { revealSecret, type Secret } from './secret.ts';

/** Values shorter than this are not masked: masking every "1" or "no" would destroy outputs and hide nothing. */
export const shortestMasked = 4;

/** Secrets of digits alone are masked as numbers, too, from six digits on: smaller numbers are counts, sizes and codes. */
const smallestNumber = 100_000;

interface Form extends Needle {
  /** Of the secret. */
  readonly name: string;
}

/**
 * Masks every secret it has been told of, in text and inside JSON values and keys, as `[secret NAME]`. A value is also masked in
 * the forms that a call derives from it: base64, also as a part of something longer, hexadecimal, URL-encoded and JSON-escaped, in the other
 * case (see `isDistinct`), and as a number of JSON.
 */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #known = new Set<string>();
  readonly #forms = new ManyStrings<Form>();
  readonly #numbers = new Map<number, string>();
  #longest = 0;

  add(secret: Secret): void {
    this.maskAlso(secret.name, revealSecret(secret));
  }

  /** A value composed from secrets, such as `user:token` before it becomes a Basic authorization (RFC 7617). */
  maskAlso(name: string, value: string): void {
    if (value.length < shortestMasked || this.#values.has(value)) return;
    this.#values.add(value);
    const isAnyCase = isDistinct(value);
    const number = numberOf(value);
    for (const text of writtenForms(value)) this.#addForm({ text, name, isAnyCase });
    for (const text of hexForms(value)) this.#addForm({ text, name, isAnyCase: true });
    for (const text of base64Forms(value)) this.#addForm({ text, name });
    if (number === undefined) return;
    this.#addForm({ text: String(number), name, isAnyCase });
    if (!this.#numbers.has(number)) this.#numbers.set(number, name);
  }

  #addForm(form: Form): void {
    const { text, isAnyCase = false } = form;
    const key = isAnyCase ? `any ${text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}` : `as is ${text}`;
    if (text.length < shortestMasked || this.#known.has(key)) return;
    this.#known.add(key);
    this.#forms.add(form);
    this.#longest = Math.max(this.#longest, text.length);
  }

  /** The length of the longest form that is masked. */
  get longest(): number {
    return this.#longest;
  }

  text(text: string): string {
    if (this.#values.size === 0 || text.length < shortestMasked) return text;
    const found = this.#forms.findIn(text);
    return found.length === 0 ? text : this.#replace(text, found);
  }

  /** Places that overlap are masked as one, under the name of the one that begins first. */
  #replace(text: string, found: readonly NeedleMatch<Form>[]): string {
    const inOrder = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
    const parts: string[] = [];
    let end = 0;
    for (const place of inOrder) {
      if (place.start >= end) parts.push(text.slice(end, place.start), maskFor(place.needle.name));
      end = Math.max(end, place.end);
    }
    return parts.join('') + text.slice(end);
  }

  /** The same value when nothing in it needed masking. A number that is a secret becomes a text. */
  value<T>(value: T): T {
    if (this.#values.size === 0) return value;
    return (typeof value === 'string' ? this.text(value) : this.#walk(value, new Set())) as T;
  }

  #walk(value: unknown, parents: Set<object>): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.#number(value);
    if (typeof value !== 'object' || value === null || parents.has(value)) return value;
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    parents.add(value);
    const result = Array.isArray(value) ? this.#walkArray(value, parents) : this.#walkObject(value, parents);
    parents.delete(value);
    return result;
  }

  #number(value: number): number | string {
    const name = this.#numbers.size === 0 ? undefined : this.#numbers.get(Math.abs(value));
    return name === undefined ? value : maskFor(name);
  }

  #walkArray(array: readonly unknown[], parents: Set<object>): readonly unknown[] {
    let masked: unknown[] | undefined;
    for (let index = 0; index < array.length; index++) {
      const item = this.#walk(array[index], parents);
      if (masked === undefined && item !== array[index]) masked = array.slice(0, index);
      masked?.push(item);
    }
    return masked ?? array;
  }

  #walkObject(object: Record<string, unknown>, parents: Set<object>): Record<string, unknown> {
    const members = Object.entries(object);
    let masked: [string, unknown][] | undefined;
    for (let index = 0; index < members.length; index++) {
      const [key, member] = members[index] as [string, unknown];
      const name = this.text(key);
      const value = this.#walk(member, parents);
      if (masked === undefined && (name !== key || value !== member)) masked = members.slice(0, index);
      masked?.push([name, value]);
    }
    // Not by assignment, which a member named __proto__ would escape.
    return masked === undefined ? object : Object.fromEntries(masked);
  }
}

function maskFor(name: string): string {
  return `[secret ${name}]`;
}

/**
 * Whether a value is unlike ordinary words, so that it is masked in the other case as well: from eight characters on. Letters alone need
 * sixteen, because "postgres" stands in "PostgreSQL".
 */
function isDistinct(value: string): boolean {
  return value.length >= 16 || (value.length >= 8 && !/^[a-z]*$/i.test(value));
}

/** The number that a reader of JSON makes of a secret of digits. */
function numberOf(value: string): number | undefined {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  return number >= smallestNumber ? number : undefined;
}

/** As it is, and as texts of some format write it. */
function writtenForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  return [value, ...withLowerDigits(urlForms(value)), json, inAscii(json)];
}

/** The bytes in UTF-8; also with every one of them percent-encoded, which RFC 3986 allows. */
function hexForms(value: string): string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [hex, hex.replace(/../g, '%$&')];
}

function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const base64 = bytes.toString('base64');
  const parts = [0, 1, 2].flatMap((offset) => base64Inside(bytes, offset));
  return [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), ...parts, ...withLowerDigits([encodeURIComponent(base64)])];
}

function withLowerDigits(encoded: readonly string[]): string[] {
  return [...encoded, ...encoded.map((text) => text.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase()))];
}

/** Every part of a URL has its own rule of what is encoded (URL Standard, percent-encode sets). */
function urlForms(value: string): string[] {
  const text = encodeURIComponent(value.toWellFormed());
  const url = new URL('http://host/');
  url.password = value;
  url.search = value;
  return [
    text,
    // What a URL makes of it in its query.
    text.replaceAll("'", '%27'),
    // RFC 3986, 2.3, to the letter.
    text.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    new URLSearchParams([['', value]]).toString().slice(1),
    url.password,
    url.search.slice(1),
  ];
}

function inAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Shorter ones are too common to mean anything. */
const shortestBase64 = 8;

/** What the base64 of a longer text looks like where these bytes begin `offset` bytes after a multiple of three: without the characters shared with their neighbours. */
function base64Inside(bytes: Buffer, offset: number): string[] {
  const whole = Math.floor((offset + bytes.length) / 3) * 4;
  const shared = offset === 0 ? 0 : 4;
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const inner = [padded.toString('base64'), padded.toString('base64url')].map((text) => text.slice(shared, whole));
  return inner.filter((text) => text.length >= shortestBase64);
}
