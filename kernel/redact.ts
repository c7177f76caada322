import { isPlainObject } from './json.ts';
import { revealSecret, type Secret } from './secrets.ts';

/** Values shorter than this are not masked: masking every "1" or "no" would destroy outputs and hide nothing. */
export const shortestMasked = 4;

/**
 * Masks every secret it has been told of, in text and inside JSON values and keys, as `[secret NAME]`. A value is also masked in
 * the forms a call derives from it: base64 (with and without padding, and URL-safe), URL-encoded and JSON-escaped.
 */
export class Redactor {
  readonly #names = new Map<string, string>();
  #pattern: RegExp | undefined;

  add(secret: Secret): void {
    this.addDerived(secret.name, revealSecret(secret));
  }

  /** A value composed from secrets, such as `user:token` before it becomes a Basic authorization (RFC 7617). */
  addDerived(name: string, value: string): void {
    for (const form of formsOf(value)) {
      if (form.length < shortestMasked || this.#names.has(form)) continue;
      this.#names.set(form, name);
      this.#pattern = undefined;
    }
  }

  text(text: string): string {
    if (this.#names.size === 0 || text.length < shortestMasked) return text;
    this.#pattern ??= patternOf(this.#names.keys());
    return text.replace(this.#pattern, (found) => `[secret ${this.#names.get(found)}]`);
  }

  /** The same value when nothing in it needed masking. */
  value<T>(value: T): T {
    return this.#names.size === 0 ? value : (this.#walk(value, new Set()) as T);
  }

  #walk(value: unknown, parents: Set<object>): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || parents.has(value)) return value;
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    parents.add(value);
    const result = Array.isArray(value) ? this.#walkArray(value, parents) : this.#walkObject(value, parents);
    parents.delete(value);
    return result;
  }

  #walkArray(array: readonly unknown[], parents: Set<object>): readonly unknown[] {
    const masked = array.map((item) => this.#walk(item, parents));
    return masked.some((item, index) => item !== array[index]) ? masked : array;
  }

  #walkObject(object: Record<string, unknown>, parents: Set<object>): Record<string, unknown> {
    let changed = false;
    const masked: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(object)) {
      const maskedKey = this.text(key);
      const maskedMember = this.#walk(member, parents);
      changed ||= maskedKey !== key || maskedMember !== member;
      masked[maskedKey] = maskedMember;
    }
    return changed ? masked : object;
  }
}

function formsOf(value: string): Set<string> {
  const base64 = Buffer.from(value, 'utf8').toString('base64');
  return new Set([
    value,
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(value, 'utf8').toString('base64url'),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams([['', value]]).toString().slice(1),
    JSON.stringify(value).slice(1, -1),
  ]);
}

function patternOf(forms: Iterable<string>): RegExp {
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((form) => form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'), 'g');
}
