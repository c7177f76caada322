import { describeValue, isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import type { Located, Resolver } from '../document/resolve.ts';
import type { Dialect } from '../operations/operation.ts';
import type { ConversionNotes } from './conversion-notes.ts';
import { DefinitionNames } from './definition-names.ts';
import { Directions, keyOf } from './directions.ts';
import { withItemEnum } from './item-enum.ts';
import { withSegments } from './located.ts';
import { checks, maxFollowed, PartsMerger } from './merge-parts.ts';
import type { Direction } from './schema-converter.ts';
import {
  type Inner,
  isNullable,
  membersOf,
  setAnnotations,
  setExtraMembers,
  setItems,
  setOtherMembers,
  setRequired,
  withNull,
} from './schema-keywords.ts';
import { enumOf, impliedType, limitsOf, type Note, typesOf } from './value-keywords.ts';

/** Maximum levels of schemas inside each other. A deeper part accepts any value. */
const maxLevels = 40;

type Mutable = Record<string, unknown>;
type Raw = Readonly<Record<string, unknown>>;

interface Definition {
  readonly name: string;
  readonly schema: Located;
  readonly direction: Direction;
  state: 'queued' | 'running' | 'done';
}

/** A schema that is being converted. */
interface Place {
  readonly located: Located;
  readonly direction: Direction;
  readonly inner: Inner;
  readonly note: Note;
}

/** Annotations that may stand beside a reference before 3.1, and mean what they say. */
const besideReference: ReadonlySet<string> = new Set(['description', 'title', 'default', 'deprecated', 'example', 'examples']);

/** Converts schemas of a document one by one. A reference becomes one to `$defs`, whose schemas are each converted once. */
export class SchemaConversion {
  /** Converted schemas by name. Those to which they refer follow with `convertQueued`. */
  readonly definitions = new Map<string, Mutable>();
  /** Names of the schemas that were converted since the list was emptied. */
  readonly added: string[] = [];
  /** Schemas with a default, which is checked when all schemas are there. */
  readonly withDefault: { readonly schema: Mutable; readonly located: Located }[] = [];
  readonly #resolver: Resolver;
  readonly #dialect: Dialect;
  readonly #notes: ConversionNotes;
  readonly #directions: Directions;
  readonly #names: DefinitionNames;
  readonly #byName = new Map<string, Definition>();
  readonly #queued: Definition[] = [];
  #running = 0;
  /** Equal schemas without parts, once each: documents repeat them by thousands. */
  readonly #leaves = new Map<string, JsonSchema>();
  readonly #parts: PartsMerger;

  constructor(resolver: Resolver, dialect: Dialect, notes: ConversionNotes, base: string) {
    this.#resolver = resolver;
    this.#dialect = dialect;
    this.#notes = notes;
    this.#directions = new Directions(resolver);
    this.#names = new DefinitionNames(base);
    this.#parts = new PartsMerger({ schemaOf: (name) => this.#converted(name), keyOf: (name) => this.#keyOfDefinition(name) });
  }

  /** Converts all schemas to which the converted ones refer. */
  convertQueued(): void {
    for (let next = this.#queued.pop(); next !== undefined; next = this.#queued.pop()) if (next.state === 'queued') this.#define(next);
  }

  /** Converts one schema. `level`: the number of schemas around it. */
  convert(located: Located, direction: Direction, level = 0): JsonSchema | boolean {
    const { value } = located;
    if (typeof value === 'boolean') return value;
    const note: Note = (message) => this.#notes.add(located, message);
    if (!isPlainObject(value)) {
      if (value !== undefined && value !== null) note(`expected a schema, received ${describeValue(value)}: any value is accepted`);
      return {};
    }
    if (level > maxLevels) {
      note(`is nested deeper than ${maxLevels} levels: any value is accepted`);
      return {};
    }
    const inner: Inner = (part, ...segments) => this.convert(withSegments(located, part, ...segments), direction, level + 1);
    const place: Place = { located, direction, inner, note };
    const schema = typeof value['$ref'] === 'string' ? this.#reference(value, place) : this.#schema(value, place);
    if (Object.hasOwn(schema, 'default')) this.withDefault.push({ schema, located });
    return this.#shared(schema);
  }

  #define(definition: Definition): void {
    definition.state = 'running';
    this.#running++;
    const made = this.convert(definition.schema, definition.direction);
    // A copy, as it may change, and equal schemas are one object.
    const schema: Mutable = typeof made === 'boolean' ? (made ? {} : { not: {} }) : { ...made };
    if (typeof made !== 'boolean') this.#parts.hideSame(schema, made);
    this.definitions.set(definition.name, schema);
    this.added.push(definition.name);
    this.#running--;
    definition.state = 'done';
  }

  #reference(raw: Raw, place: Place): Mutable {
    const { $ref: reference, ...beside } = raw;
    const target = this.#resolver.resolve(reference as string, place.located);
    const kept = this.#dialect === '3.1' ? beside : Object.fromEntries(Object.entries(beside).filter(([key]) => besideReference.has(key)));
    const others = Object.keys(kept).length === 0 ? {} : this.#schema(kept, place);
    if (typeof target === 'string') {
      place.note(`its reference leads nowhere (${target}): any value is accepted`);
      return others;
    }
    const schema = { $ref: `#/$defs/${this.#referred(target, place.direction).name}`, ...others };
    return isNullable(raw) ? withNull(schema) : schema;
  }

  #referred(target: Located, direction: Direction): Definition {
    const name = this.#names.nameOf(target, this.#directions.differs(target) ? direction : undefined);
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const definition: Definition = { name, schema: target, direction, state: 'queued' };
    this.#byName.set(name, definition);
    this.#queued.push(definition);
    return definition;
  }

  /** Returns the converted schema of a definition, converted first where it waits for that; undefined while it is being converted. */
  #converted(name: string): JsonSchema | undefined {
    const definition = this.#byName.get(name);
    if (definition?.state === 'queued' && this.#running < maxFollowed) this.#define(definition);
    return this.definitions.get(name);
  }

  #keyOfDefinition(name: string): string | undefined {
    const definition = this.#byName.get(name);
    return definition === undefined ? undefined : keyOf(definition.schema);
  }

  #schema(written: Raw, place: Place): Mutable {
    const { inner, note } = place;
    const out: Mutable = {};
    const isFile = typeof written['type'] === 'string' && written['type'].toLowerCase() === 'file';
    const combines = ['allOf', 'anyOf', 'oneOf'].some((key) => Array.isArray(written[key]));
    const implied = combines ? undefined : impliedType(written);
    let types = typesOf(written['type'], note) ?? (implied === undefined ? undefined : [implied]);
    const raw = withItemEnum(written, types, note);
    if (Object.hasOwn(raw, 'enum')) {
      const found = enumOf(raw['enum'], isNullable(raw) && types !== undefined ? [...types, 'null'] : types, note);
      if (found.values !== undefined) out['enum'] = found.values;
      types = found.types;
    }
    if (types !== undefined) out['type'] = types.length === 1 ? types[0] : types;
    if (Object.hasOwn(raw, 'const')) out['const'] = raw['const'];
    Object.assign(out, limitsOf(isFile ? { ...raw, format: 'binary' } : raw, note));
    setAnnotations(raw, out);
    setExtraMembers(raw, inner, out, note);
    setOtherMembers(raw, inner, out, note);
    const hidden = this.#setMembers(raw, place, out);
    setItems(raw, inner, out);
    this.#setConditions(raw, inner, out);
    const whole = this.#combined(raw, place, out, hidden);
    return isNullable(raw) ? withNull(whole) : whole;
  }

  #setMembers(raw: Raw, { located, direction, inner, note }: Place, out: Mutable): ReadonlySet<string> {
    const hidden = new Set<string>();
    if (raw['properties'] !== undefined && raw['properties'] !== null) {
      const shown = membersOf(raw['properties'], note).filter(([name, member]) => {
        const isHidden = this.#directions.isHidden(withSegments(located, member, 'properties', name), direction);
        if (isHidden) hidden.add(name);
        return !isHidden;
      });
      out['properties'] = Object.fromEntries(shown.map(([name, member]) => [name, inner(member, 'properties', name)]));
    }
    // A parameter of 2.0 is its own schema, and says of itself that it is required.
    if (raw['in'] === undefined) setRequired(raw['required'], hidden, out, note);
    return hidden;
  }

  /** Converts `not` and `if` where they stay as they are: a part that accepts more would make the whole accept less. */
  #setConditions(raw: Raw, inner: Inner, out: Mutable): void {
    const exact = (key: string): JsonSchema | undefined => {
      if (!isPlainObject(raw[key]) || JSON.stringify(raw[key]).includes('"$ref"')) return undefined;
      const before = this.#notes.count;
      const schema = inner(raw[key], key);
      return this.#notes.count === before && isPlainObject(schema) && Object.keys(schema).length > 0 ? schema : undefined;
    };
    const not = exact('not');
    if (not !== undefined) out['not'] = not;
    const condition = exact('if');
    if (condition === undefined) return;
    out['if'] = condition;
    for (const key of ['then', 'else']) if (isPlainObject(raw[key])) out[key] = inner(raw[key], key);
  }

  /** Adds `anyOf` and `oneOf` as unions, and merges `allOf`. Branches of `oneOf` overlap in documents, so that "exactly one" would refuse right values. */
  #combined(raw: Raw, { located, inner, note }: Place, own: Mutable, hidden: ReadonlySet<string>): Mutable {
    const unions = ['anyOf', 'oneOf'].flatMap((key) => {
      const parts = raw[key];
      if (!Array.isArray(parts) || parts.length === 0) return [];
      const branches = parts.map((part, index) => inner(part, key, index));
      return branches.some((branch) => branch === true || (isPlainObject(branch) && !checks(branch))) ? [] : [branches];
    });
    const allOf = Array.isArray(raw['allOf']) ? raw['allOf'].map((part, index) => inner(part, 'allOf', index)).filter(isPlainObject) : [];
    const [union, second] = unions;
    const whole: Mutable = second === undefined ? own : { ...own, allOf: [{ anyOf: union }, { anyOf: second }] };
    if (union !== undefined && second === undefined) {
      if (union.length === 1 && isPlainObject(union[0])) allOf.push(union[0]);
      else whole['anyOf'] = union;
    }
    this.#parts.hide(whole, hidden);
    return allOf.length === 0 ? whole : this.#parts.merge([...allOf, whole], keyOf(located), note);
  }

  #shared(schema: Mutable): JsonSchema {
    if (Object.values(schema).some((value) => typeof value === 'object' && value !== null && !isListOfScalars(value))) return schema;
    const text = JSON.stringify(schema);
    const known = this.#leaves.get(text) ?? schema;
    this.#leaves.set(text, known);
    return known;
  }
}

function isListOfScalars(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}
