import { describeValue, excerpt } from '../../../kernel/index.ts';
import type { StoredValues } from './remote-store.ts';

/** The stored value of a secret's name. */
export type StoredValue =
  | { readonly kind: 'value'; readonly value: string }
  /** A value is there, but unusable, or the name is misspelled. `problem` begins with a verb, and never shows the value. */
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'missing' };

/**
 * Finds the value of a name: `NAME`, then `TOOLKIT_NAME`, exact case. Whole numbers and booleans become text; an empty value counts as
 * missing.
 */
export function storedValue(values: StoredValues, name: string): StoredValue {
  const keys = [name, `TOOLKIT_${name}`];
  const present = keys.filter((key) => ![undefined, null, ''].some((nothing) => values.get(key) === nothing));
  for (const key of present) {
    const value = exactText(values.get(key));
    if (value !== undefined) return { kind: 'value', value };
  }
  const [unusable] = present;
  if (unusable !== undefined) {
    const raw = values.get(unusable);
    const received = typeof raw === 'number' ? 'a number that text alone keeps exactly' : describeValue(raw);
    return { kind: 'problem', problem: `has no usable value for "${unusable}": expected text, received ${received}. Write it as text.` };
  }
  const wanted = keys.map((key) => key.toLowerCase());
  const other = [...values.keys()].find((key) => !keys.includes(key) && wanted.includes(key.toLowerCase()));
  if (other === undefined) return { kind: 'missing' };
  return { kind: 'problem', problem: `has no "${name}", but it has "${excerpt(other, 100)}". Write the name in the same case.` };
}

/** Converts a value to text. Undefined for a number that JSON.parse may have changed: `1.10` becomes 1.1, and from 2^53 on digits are lost. */
function exactText(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  return typeof raw === 'boolean' || Number.isSafeInteger(raw) ? String(raw) : undefined;
}
