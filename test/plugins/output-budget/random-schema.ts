import { randomNumbers } from '../../support/random.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A schema and a value that fits it. */
export interface Fitting {
  readonly schema: Schema;
  readonly value: unknown;
}

const letters = ['a', 'b ', 'ü', '語', '🔑', '"', '\\', '\n', '\u0001', '\ud800', 'words and more '];
const names = ['id', 'text', 'items', 'a/b', 'c~d', '', '0', '名', '__proto__', 'constructor', 'total'];

/** Generates schemas with objects in objects, lists, unions and references, and values of all sizes for them. */
export class RandomSchema {
  readonly #random: () => number;
  readonly #defs: Record<string, Schema> = {};

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  object(): { readonly schema: Schema; readonly value: Readonly<Record<string, unknown>> } {
    const { schema, value } = this.#object(3);
    return { schema: { ...schema, $defs: this.#defs }, value: value as Record<string, unknown> };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #oneOf<T>(things: readonly T[]): T {
    return things[this.#below(things.length)] as T;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #any(depth: number): Fitting {
    const kinds = [this.#text, this.#text, this.#number, this.#fixed, ...(depth === 0 ? [] : [this.#object, this.#list, this.#list])];
    const made = this.#oneOf(kinds).call(this, depth - 1);
    const way = this.#below(12);
    if (way === 0) {
      const name = `d${Object.keys(this.#defs).length}`;
      this.#defs[name] = made.schema;
      return { schema: { $ref: `#/$defs/${name}` }, value: made.value };
    }
    if (way === 1) return { schema: { anyOf: [{ type: 'null' }, made.schema] }, value: made.value };
    if (way === 2) return { schema: { allOf: [made.schema, {}] }, value: made.value };
    return made;
  }

  /** Short ones mostly, and some that are larger than any room. */
  #letters(): string {
    const length = this.#oneOf([0, 1, 5, 20, 20, 100, 1000, 5000]);
    const letter = this.#oneOf(letters);
    return this.#chance(0.5) ? letter.repeat(length) : Array.from({ length }, () => this.#oneOf(letters)).join('');
  }

  #text(): Fitting {
    const way = this.#below(10);
    if (way === 0) {
      const value = 'QUJD'.repeat(this.#oneOf([0, 5, 300, 2000]));
      return { schema: { type: 'string', pattern: '^(?:[A-Za-z0-9+/]{4})*$' }, value };
    }
    if (way === 1) return { schema: { type: 'string', pattern: '^[0-9a-f]{40}$' }, value: '0123456789'.repeat(4) };
    if (way === 2) return { schema: { type: 'string', format: 'date-time' }, value: '2025-01-31T10:20:30Z' };
    const value = this.#letters();
    const least = this.#chance(0.2) ? Math.min(5, [...value.toWellFormed()].length) : 0;
    return { schema: { type: 'string', ...(value.length >= least * 20 && least > 0 ? { minLength: least } : {}) }, value };
  }

  #number(): Fitting {
    return { schema: { type: 'number' }, value: this.#oneOf([0, -1, 1.5, 1e300, 1e-7, 123456789012]) };
  }

  #fixed(): Fitting {
    return this.#oneOf<Fitting>([
      { schema: { type: 'boolean' }, value: true },
      { schema: { enum: ['open', 'closed'] }, value: 'closed' },
      { schema: { const: 'the kind' }, value: 'the kind' },
      { schema: { type: 'null' }, value: null },
      { schema: {}, value: { any: this.#letters(), more: [this.#letters(), 1] } },
    ]);
  }

  #list(depth: number): Fitting {
    const item = this.#any(depth);
    const size = this.#oneOf(depth > 0 ? [0, 1, 3] : [0, 3, 10, 200]);
    const minItems = this.#chance(0.3) && size > 0 ? { minItems: Math.min(size, 2) } : {};
    if (this.#chance(0.2)) {
      const value = Array.from({ length: size }, (_, index) => `${index} ${'x'.repeat(this.#below(50))}`);
      return { schema: { type: 'array', items: { type: 'string' }, uniqueItems: true, ...minItems }, value };
    }
    return { schema: { type: 'array', items: item.schema, ...minItems }, value: Array.from({ length: size }, () => item.value) };
  }

  #object(depth: number): Fitting {
    const members = names.filter(() => this.#chance(0.4)).map((name) => [name, this.#any(depth)] as const);
    const declared = members.filter(() => this.#chance(0.8));
    const required = declared.filter(() => this.#chance(0.6)).map(([name]) => name);
    const many = this.#chance(0.1) ? Array.from({ length: 300 }, (_, index) => [`k${index}`, this.#below(1e9)] as const) : [];
    const isClosed = declared.length === members.length && many.length === 0 && this.#chance(0.5);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(declared.map(([name, { schema }]) => [name, schema])),
        ...(required.length === 0 ? {} : { required }),
        ...(isClosed ? { additionalProperties: false } : {}),
        ...(members.length > 0 && this.#chance(0.1) ? { minProperties: 1 } : {}),
      },
      value: Object.fromEntries([...members.map(([name, { value }]) => [name, value] as const), ...many]),
    };
  }
}
