import { isPlainObject } from '../json/json.ts';
import { type FoldedText, foldText, widestCharacter } from './fold-text.ts';
import { ManyStrings, type Needle } from './many-strings.ts';
import { revealSecret, type Secret } from './secret.ts';
import { plainForms, type SqueezedForm, squeezedForms } from './secret-forms.ts';
import { squeezedIndexes, squeezeText } from './squeeze-text.ts';

/** Minimum length of a masked value. Masking every "1" or "no" would destroy outputs and hide nothing. */
export const shortestMasked = 4;

/** Minimum secret of digits that is also masked as a number. Smaller numbers are counts, sizes and codes. */
const smallestNumber = 100_000;

interface NamedValue {
  /** The name of the secret. */
  readonly name: string;
}

/** A text: the original, or one with decoded escapes. */
type Reading = Pick<FoldedText, 'text'> & Partial<FoldedText>;

/** An occurrence of a secret in a text. */
interface Match extends NamedValue {
  readonly start: number;
  readonly end: number;
}

/**
 * Masks secrets as `[secret NAME]` in text, and in JSON values and keys. Also finds a secret that is escaped, up to two levels, in whole or in
 * part (`foldText`); in hexadecimal, base64 and base32, also inside a longer text and with blanks, line ends or colons in between
 * (`squeezeText`); with such separators in the value itself, from 16 letters and digits on; in the other case, unless it resembles a word; and as
 * a JSON number. The time is linear in the length of the text.
 */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #known = new Set<string>();
  readonly #plain = new ManyStrings<Needle & NamedValue>();
  readonly #squeezed = new ManyStrings<SqueezedForm & NamedValue>();
  readonly #numbers = new Map<number, string>();
  readonly #scratch = Buffer.allocUnsafe(1024);
  #longest = 0;

  add(secret: Secret): void {
    this.maskAlso(secret.name, revealSecret(secret));
  }

  /** Adds a value composed from secrets, such as `user:token` for Basic authorization (RFC 7617). */
  maskAlso(name: string, value: string): void {
    if (value.length < shortestMasked || this.#values.has(value)) return;
    this.#values.add(value);
    const number = numberOf(value);
    for (const form of plainForms(value)) if (this.#isNew('plain', form)) this.#plain.add({ ...form, name });
    for (const form of squeezedForms(value)) if (this.#isNew('squeezed', form)) this.#squeezed.add({ ...form, name });
    if (number === undefined) return;
    const text = String(number);
    if (this.#isNew('plain', { text })) this.#plain.add({ text, name });
    if (!this.#numbers.has(number)) this.#numbers.set(number, name);
  }

  #isNew(where: string, { text, isAnyCase = false }: Needle): boolean {
    const key = isAnyCase ? `${where} any ${text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}` : `${where} as is ${text}`;
    if (text.length < shortestMasked || this.#known.has(key)) return false;
    this.#known.add(key);
    this.#longest = Math.max(this.#longest, text.length);
    return true;
  }

  /** Maximum length of a text that is masked as one secret, in UTF-16 units: each character takes at most `widestCharacter`. */
  get longest(): number {
    return this.#longest * widestCharacter;
  }

  text(text: string): string {
    if (this.#values.size === 0 || text.length < shortestMasked) return text;
    const once = foldText(text);
    const twice = once === undefined ? undefined : foldText(once.text, once.starts);
    let found = this.#plainIn({ text });
    for (const read of [once ?? { text }, twice]) if (read !== undefined) found = withUncovered(found, this.#matchesIn(read));
    return found.length === 0 ? text : this.#replace(text, found);
  }

  /** Finds secrets in a decoded text. The indexes are those of the original text. */
  #matchesIn(read: Reading): Match[] {
    const squeezed = read.text.length < this.#squeezed.shortest ? [] : this.#squeezedIn(read);
    return read.starts === undefined ? squeezed : withUncovered(this.#plainIn(read), squeezed);
  }

  #plainIn({ text, starts }: Reading): Match[] {
    return this.#plain.findIn(text).map(({ start, end, needle: { name } }) => ({
      start: starts === undefined ? start : (starts[start] as number),
      end: starts === undefined ? end : (starts[end] as number),
      name,
    }));
  }

  #squeezedIn({ text, starts }: Reading): Match[] {
    const found = this.#squeezed.findIn(squeezeText(text, this.#scratch));
    if (found.length === 0) return [];
    const places = squeezedIndexes(text);
    const first = (index: number): number => (starts === undefined ? index : (starts[index] as number));
    return found.flatMap(({ start, end, needle: { name, lead, trail } }) => {
      // An escaped secret has a maximum length: see widestCharacter.
      for (let n = start + 1; n < end; n++) if (first(places[n] as number) - first(places[n - 1] as number) > widestCharacter) return [];
      let from = places[start] as number;
      let to = (places[end - 1] as number) + 1;
      for (let n = 0; n < lead.length && isSymbol(text[from - 1], lead[n]); n++) from--;
      for (let n = 0; n < trail.length && isSymbol(text[to], trail[n]); n++) to++;
      return [{ start: first(from), end: first(to), name }];
    });
  }

  /** Replaces the matches. Overlapping ones become one mask, with the name of the first. */
  #replace(text: string, found: readonly Match[]): string {
    const parts: string[] = [];
    let end = 0;
    for (const place of inOrder(found)) {
      if (place.start >= end) parts.push(text.slice(end, place.start), maskFor(place.name));
      end = Math.max(end, place.end);
    }
    return parts.join('') + text.slice(end);
  }

  /** Masks a JSON value. Returns the same value if nothing is masked. A number that is a secret becomes a text. */
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
    // Not by assignment: that would set the prototype for a member named __proto__.
    return masked === undefined ? object : Object.fromEntries(masked);
  }
}

/** Adds the matches of `more` that `found` does not cover. A decoded text contains most matches again, some with the end of a neighbour. */
function withUncovered(found: readonly Match[], more: readonly Match[]): Match[] {
  if (found.length === 0 || more.length === 0) return [...found, ...more];
  const all = inOrder(found);
  let next = 0;
  let covered = { start: -1, end: -1 };
  const added = inOrder(more).filter(({ start, end }) => {
    for (let place = all[next]; place !== undefined && place.start <= Math.max(start, covered.end); place = all[++next])
      covered = place.start <= covered.end ? { ...covered, end: Math.max(covered.end, place.end) } : place;
    return start < covered.start || end > covered.end;
  });
  return [...all, ...added];
}

function inOrder(places: readonly Match[]): Match[] {
  return [...places].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** True for a symbol of base64, also in its base64url spelling. */
function isSymbol(written: string | undefined, symbol: string | undefined): boolean {
  return (written === symbol && symbol !== undefined) || (symbol === '+' && written === '-') || (symbol === '/' && written === '_');
}

function maskFor(name: string): string {
  return `[secret ${name}]`;
}

/** Returns the number that a JSON parser reads for a secret of digits; undefined for another or a small one. */
function numberOf(value: string): number | undefined {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  return number >= smallestNumber ? number : undefined;
}
