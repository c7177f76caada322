import { createHash } from 'node:crypto';
import { approvedArgument } from '../../../kernel/index.ts';

/** Names that every model API takes for a parameter, and templates for a placeholder. */
const valid = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Members that every JavaScript object inherits. */
const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']);

/**
 * Returns a name for a parameter that every model API takes: any other character becomes `_`, `filter[from]` so `filter_from`. Depends on the
 * written name alone.
 */
export function validName(written: string): string {
  const hash = (): string => createHash('sha256').update(written).digest('hex').slice(0, 6);
  if (valid.test(written) && !inherited.has(written) && written !== approvedArgument) return written;
  const plain = written.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  if (plain === '' || inherited.has(plain) || plain === approvedArgument) return `p_${hash()}`;
  const begun = /^[0-9]/.test(plain) ? `_${plain}` : plain;
  return begun.length <= 64 ? begun : `${begun.slice(0, 57)}_${hash()}`;
}

/** Gives each parameter of one tool its own name. */
export class ParameterNames {
  readonly #taken: Set<string>;

  /** `reserved`: placeholders that the service fills in. */
  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  isFree(name: string): boolean {
    return !this.#taken.has(name);
  }

  /** Returns a free name: the written one where that is possible, else one with `suffix`, such as the place, or a number. */
  take(written: string, suffix: string): string {
    const name = validName(written);
    const candidates = [name, `${name.slice(0, 50)}_${suffix}`];
    for (let index = 2; ; index++) {
      const candidate = candidates.shift() ?? `${name.slice(0, 50)}_${suffix}_${index}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }
}
