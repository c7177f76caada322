import { randomBytes } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';
import { sha256 } from './digest.ts';

/** Time in which a code counts, in milliseconds. */
export const codeTtlMs = 10 * 60_000;

const codeBytes = 16;

/** Number of digits of a code, which has five bits in each. */
const codeLength = Math.ceil((codeBytes * 8) / 5);

const unused = 'unused';

/** Codes that each let one person in, once over all processes of the store. The store has their SHA-256 only. */
export class OneTimeCodes {
  readonly #state: Pick<StateStore, 'set' | 'compareAndSet'>;

  constructor(state: Pick<StateStore, 'set' | 'compareAndSet'>) {
    this.#state = state;
  }

  /** Returns a new code of 128 random bits, in lower-case letters and digits. */
  async create(): Promise<string> {
    const code = BigInt(`0x${randomBytes(codeBytes).toString('hex')}`)
      .toString(32)
      .padStart(codeLength, '0');
    await this.#state.set(keyOf(code), unused, { ttlMs: codeTtlMs });
    return code;
  }

  /** Resolves to true for a code that counts, which it then no longer does. Of several that ask at the same time one gets it. */
  consume(code: string): Promise<boolean> {
    return this.#state.compareAndSet(keyOf(code), unused, undefined);
  }
}

/** Returns the code in the text of a person, who may have copied blanks or typed capitals; undefined for a text that is none. */
export function codeIn(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase();
  return /^[0-9a-v]{26}$/.test(code) ? code : undefined;
}

/** By its digest: the store compares keys, and must not show by its time how much of a guess is right. */
function keyOf(code: string): string {
  return `code/${sha256(code)}`;
}
