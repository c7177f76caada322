import type { Random } from '../../../../support/random.ts';

type Schema = Readonly<Record<string, unknown>>;

const names = ['alpha', 'beta', 'gamma', 'delta', 'type', '$ref', 'constructor', 'a-b', '@id'];
const definitionNames = ['Pet', 'Cat', 'Page.output', 'Node', 'Money'];
const texts = ['', 'Short text.', 'A long text with many words that says little. '.repeat(30), '<p>Tags</p> and \u001b[31mred\u001b[0m'];

/** Makes schemas as documents have them: references that may lead back, unions, parts of `allOf`, maps, enums, lists of types. */
export class SchemaMaker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns an object schema with `$defs`. */
  root(): Schema {
    const $defs = Object.fromEntries(definitionNames.map((name, index) => [name, this.#schema(0, index + 1)]));
    const more = this.#random.chance(0.15) ? { anyOf: [this.#object(1), this.#object(1)] } : {};
    return { ...this.#object(0), ...more, $defs };
  }

  /** `from`: the first definition to which the same value may be referred, so that no check is endless. */
  #schema(level: number, from: number): Schema {
    const made = this.#bare(level, from);
    return this.#random.chance(0.5) ? { ...made, description: this.#random.oneOf(texts) } : made;
  }

  #bare(level: number, from: number): Schema {
    const known = definitionNames.slice(from);
    if (level > 4 || known.length === 0) return { type: 'string' };
    const kinds: readonly (() => Schema)[] = [
      () => ({ $ref: `#/$defs/${this.#random.oneOf(known)}` }),
      () => this.#object(level),
      () => ({ type: 'array', items: this.#schema(level + 1, 0), ...(this.#random.chance(0.3) ? { minItems: 1, maxItems: 3 } : {}) }),
      () => this.#scalar(),
      () => this.#scalar(),
      () => ({ type: [this.#random.oneOf(['string', 'integer', 'object']), 'null'] }),
      () => ({ anyOf: Array.from({ length: 1 + this.#random.below(4) }, () => this.#schema(level + 1, from)) }),
      () => ({ oneOf: [this.#scalar(), { type: 'null' }] }),
      () => ({ allOf: [this.#object(level + 1), this.#object(level + 1)] }),
      () => ({ ...this.#object(level), anyOf: [{ required: ['alpha'] }, this.#object(level + 1)] }),
      () => ({ type: 'object', additionalProperties: this.#schema(level + 1, 0) }),
      () => ({ $ref: `#/$defs/${this.#random.oneOf(known)}`, ...this.#object(level) }),
      () => ({ const: this.#random.oneOf(['x', 3, null, true]) }),
      () => ({
        type: ['object', 'null'],
        properties: { alpha: this.#schema(level + 1, 0) },
        oneOf: [{ required: ['alpha'] }, { type: 'null' }],
      }),
      () => ({}),
    ];
    return this.#random.oneOf(kinds)();
  }

  #object(level: number): Schema {
    const properties = Object.fromEntries(
      names.filter(() => this.#random.chance(level === 0 ? 0.7 : 0.35)).map((name) => [name, this.#schema(level + 1, 0)]),
    );
    const required = Object.keys(properties).filter(() => this.#random.chance(0.3));
    return {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(this.#random.chance(0.3) ? { additionalProperties: false } : {}),
    };
  }

  #scalar(): Schema {
    return this.#random.oneOf<Schema>([
      { type: 'string' },
      { type: 'string', format: 'uuid-like', maxLength: 40 },
      { type: 'string', enum: ['red', 'green', 'blue'] },
      { type: 'string', enum: Array.from({ length: 90 }, (_, index) => `value-${index}`) },
      { enum: [1, 'one', null] },
      { type: 'integer', minimum: 2, maximum: 50 },
      { type: 'integer', enum: [1, 2, 3] },
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'boolean' },
      { type: ['integer', 'string'] },
    ]);
  }
}
