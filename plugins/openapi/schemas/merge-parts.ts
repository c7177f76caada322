import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { annotations, mergeSchemas } from './merge-schemas.ts';
import { setRequired } from './schema-keywords.ts';
import type { Note } from './value-keywords.ts';

/** Maximum schemas that are followed because a part of an `allOf` refers to them, each for the next. Deeper ones are not merged. */
export const maxFollowed = 12;

type Mutable = Record<string, unknown>;

/** The schemas to which parts refer, by their name in `$defs`. */
interface Definitions {
  /** Returns a converted schema; undefined while it is being converted. */
  readonly schemaOf: (name: string) => JsonSchema | undefined;
  /** Returns the place of a schema in the document; undefined for an unknown name. */
  readonly keyOf: (name: string) => string | undefined;
}

/** Merges the parts of an `allOf` into one schema, without the members that values of their direction do not have. */
export class PartsMerger {
  readonly #definitions: Definitions;
  /** Names of the members that converted objects do not have in their direction. */
  readonly #hidden = new WeakMap<object, ReadonlySet<string>>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Records members that values of a schema do not have. A part that requires one of them does not make the whole require it. */
  hide(schema: object, names: ReadonlySet<string>): void {
    if (names.size > 0) this.#hidden.set(schema, names);
  }

  /** Records the same members as for another schema. */
  hideSame(schema: object, other: object): void {
    this.hide(schema, this.#hidden.get(other) ?? new Set());
  }

  /** Merges parts that all hold. A single one that checks stays as it is, so that a reference stays one. */
  merge(parts: readonly JsonSchema[], key: string, note: Note): Mutable {
    if (parts.filter(checks).length <= 1) return Object.assign({}, ...parts);
    const contents = parts.map((part) => this.#contentOf(part, key) ?? part);
    const merged = mergeSchemas(
      contents.filter((part) => nameIn(part) === undefined),
      note,
    );
    const references = contents.filter((part) => nameIn(part) !== undefined);
    if (references.length > 0) merged['allOf'] = [...((merged['allOf'] as JsonSchema[] | undefined) ?? []), ...references];
    const hidden = new Set(contents.flatMap((part) => [...(this.#hidden.get(part) ?? [])]));
    if (hidden.size === 0) return merged;
    const { required, ...others } = merged;
    const members = isPlainObject(merged['properties']) ? merged['properties'] : {};
    setRequired(required, new Set([...hidden].filter((name) => !Object.hasOwn(members, name))), others, note);
    this.hide(others, hidden);
    return others;
  }

  /**
   * Returns the schema to which a part refers, with the keywords beside the reference, and without a union that leads back to the schema at `key`. Returns the
   * part itself when it is no reference; undefined for a reference whose schema is being converted.
   */
  #contentOf(part: JsonSchema, key: string, level = 0): JsonSchema | undefined {
    const name = nameIn(part);
    if (name === undefined) return part;
    if (level > maxFollowed) return undefined;
    const target = this.#definitions.schemaOf(name);
    const content = target === undefined ? undefined : this.#contentOf(target, key, level + 1);
    if (content === undefined) return undefined;
    const { $ref: _, ...beside } = part;
    const { description: _d, title: _t, default: _f, examples: _e, deprecated: _p, ...others } = content;
    const { anyOf } = others;
    const checking: Mutable = others;
    if (Array.isArray(anyOf) && anyOf.some((branch) => this.#isSchemaAt(branch, key))) delete checking['anyOf'];
    const whole = { ...checking, ...beside };
    this.hideSame(whole, content);
    return whole;
  }

  #isSchemaAt(branch: unknown, key: string): boolean {
    const name = isPlainObject(branch) ? nameIn(branch) : undefined;
    return name !== undefined && this.#definitions.keyOf(name) === key;
  }
}

/** True for a schema with more than annotations. */
export function checks(schema: JsonSchema): boolean {
  return Object.keys(schema).some((key) => !annotations.has(key));
}

/** Returns the name to which a schema refers in `$defs`. */
function nameIn({ $ref: reference }: JsonSchema): string | undefined {
  return typeof reference === 'string' ? reference.slice('#/$defs/'.length) : undefined;
}
