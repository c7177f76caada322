import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';

/** Texts that fit most formats and patterns. */
const texts = [
  '2026-01-01T00:00:00Z',
  '2026-01-01',
  'https://example.com/a',
  'ada@example.com',
  'a'.repeat(40),
  'a'.repeat(64),
  '1',
  'a',
  'A1',
  '#aabbcc',
];

/** Outputs of tools whose schemas leave a choice that no value can be made up for. */
export const knownOutputs: Readonly<Record<string, unknown>> = {
  fs_hash_file: {
    algorithm: 'sha256',
    files: Array.from({ length: 200 }, (_, index) => ({ path: `folder/file-${index}.txt`, digest: 'a'.repeat(64), size: index })),
    total: 200,
    truncated: false,
    same: [['folder/file-1.txt', 'folder/file-2.txt']],
  },
  fs_stat: {
    files: Array.from({ length: 200 }, (_, index) => ({
      path: `folder/file-${index}.txt`,
      exists: true,
      type: 'file',
      size: index,
      mode: '0644',
    })),
    total: 200,
    truncated: false,
  },
};

/** A value of the size that is asked for and that fits the schema, as far as types, formats and required members go. Unlike one in every text. */
export class LongOutput {
  readonly #root: JsonSchema;
  readonly #fits: (schema: JsonSchema, value: unknown) => boolean;
  #count = 0;

  constructor(root: JsonSchema, fits: (schema: JsonSchema, value: unknown) => boolean) {
    this.#root = root;
    this.#fits = fits;
  }

  get value(): unknown {
    return this.#valueOf(this.#root, 0);
  }

  #valueOf(schema: unknown, depth: number): unknown {
    const { type, enum: values, properties, items, required, not, ...more } = this.#joined(schema);
    if ('const' in more) return more['const'];
    if (Array.isArray(values)) return values[0];
    const kinds = [type ?? (properties !== undefined ? 'object' : items !== undefined ? 'array' : 'string')].flat();
    const kind = kinds.find((one) => one === 'array' || one === 'object') ?? kinds.find((one) => one !== 'null') ?? 'null';
    if (kind === 'array') return Array.from({ length: this.#lengthOf(more, depth) }, () => this.#valueOf(items, depth + 1));
    if (kind !== 'object') return this.#plain(this.#joined(schema), kind, depth);
    const refused = isPlainObject(not) ? ((not['required'] as string[] | undefined) ?? []) : [];
    const wanted = [...((required as string[] | undefined) ?? []), ...(depth < 4 ? Object.keys(properties ?? {}) : [])];
    const names = [...new Set(wanted)].filter((name) => !refused.includes(name));
    return Object.fromEntries(names.map((name) => [name, this.#valueOf((properties as JsonSchema | undefined)?.[name], depth + 1)]));
  }

  /** A schema with what it refers to, what it is composed of, and the first of what it leaves to choose. */
  #joined(schema: unknown): JsonSchema {
    if (!isPlainObject(schema)) return {};
    const { $ref, allOf, oneOf, anyOf, ...own } = schema;
    const referred = typeof $ref === 'string' ? [(this.#root['$defs'] as JsonSchema | undefined)?.[$ref.split('/').at(-1) ?? '']] : [];
    const first = [oneOf, anyOf].flatMap((all) =>
      Array.isArray(all) ? [all.find((one) => isPlainObject(one) && one['type'] !== 'null') as unknown] : [],
    );
    const parts = [...referred, ...(Array.isArray(allOf) ? (allOf as unknown[]) : []), ...first].map((part) => this.#joined(part));
    const all = [own as JsonSchema, ...parts];
    return {
      ...Object.assign({}, ...parts.toReversed()),
      ...own,
      ...(all.some((one) => one['properties'] !== undefined)
        ? { properties: Object.assign({}, ...all.toReversed().map((one) => one['properties'])) }
        : {}),
      required: all.flatMap((one) => (Array.isArray(one['required']) ? (one['required'] as string[]) : [])),
    };
  }

  #lengthOf({ minItems, maxItems }: JsonSchema, depth: number): number {
    return Math.min((maxItems as number | undefined) ?? 1000, Math.max((minItems as number | undefined) ?? 0, depth < 2 ? 12 : 2));
  }

  #plain(schema: JsonSchema, kind: unknown, depth: number): unknown {
    if (kind === 'boolean') return false;
    if (kind === 'null') return null;
    if (kind === 'integer' || kind === 'number') return Math.max(1, (schema['minimum'] as number | undefined) ?? 1);
    const long = `line ${this.#count++}\n"of" a long text\n`.repeat(depth < 2 ? 160 : 8);
    return [long, ...texts].find((text) => this.#fits(schema, text)) ?? long;
  }
}
