import type { Issue } from '../errors.ts';
import { maxIssues } from '../json/cost.ts';
import { describeValue, isPlainObject, type JsonSchema } from '../json/json.ts';
import { pathOf } from './check-value.ts';
import { patternExcess } from './pattern-excess.ts';
import { pointerSegments } from './validator-finding.ts';

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

type Kind = 'schema' | 'schemas' | 'named schemas' | 'text' | 'texts' | 'number' | 'count' | 'boolean' | 'list' | 'type';

/** The expected values of JSON Schema 2020-12 keywords. Other keywords may have any value. */
const keywords: Readonly<Record<string, Kind>> = {
  type: 'type',
  $ref: 'text',
  $defs: 'named schemas',
  properties: 'named schemas',
  patternProperties: 'named schemas',
  dependentSchemas: 'named schemas',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name, and this table is never awaited.
  then: 'schema',
  else: 'schema',
  required: 'texts',
  enum: 'list',
  pattern: 'text',
  format: 'text',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'count',
  maxLength: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'boolean',
  minProperties: 'count',
  maxProperties: 'count',
  title: 'text',
  description: 'text',
};

/** Keywords whose value may be null. */
const valueKeywords = ['const', 'default'];

const unvalued = 'has no value. A text with a comma inside { } needs quotes: what stands behind the comma is taken for a key';

const expected: Readonly<Record<Kind, string>> = {
  schema: 'a schema',
  schemas: 'a list of schemas',
  'named schemas': 'schemas by name',
  text: 'a text',
  texts: 'a list of texts',
  number: 'a number',
  count: 'a whole number from 0',
  boolean: 'true or false',
  list: 'a list',
  type: `one of ${types.join(', ')}, or a list of them`,
};

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  schema: () => true,
  schemas: (value) => Array.isArray(value) && value.length > 0,
  'named schemas': isPlainObject,
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  number: Number.isFinite,
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
  type: (value) => [value].flat().every((name) => types.includes(name as string)),
};

/**
 * Returns the issues of a JSON Schema, at most `maxIssues`. References must stay inside the schema: none is ever fetched. `isChecked` is true for
 * `$defs` of the schema that need no check.
 */
export function checkSchema(schema: JsonSchema, isChecked: ($defs: unknown) => boolean = () => false): readonly Issue[] {
  const reading = new Reading(schema);
  if (isChecked(schema['$defs'])) reading.beside$defs();
  else reading.schema(schema);
  return reading.issues;
}

/** True for an entry of `$defs` without an issue that refers only to entries of them: it needs no check in a schema that has the same entries. */
export function isSoundEntry($defs: JsonSchema, entry: unknown): boolean {
  const reading = new Reading({ $defs }, true);
  reading.schema(entry);
  return reading.issues.length === 0;
}

/** One pass through a schema. It builds a path only for an issue, because a start checks hundreds of schemas. */
class Reading {
  readonly issues: Issue[] = [];
  readonly #root: JsonSchema;
  /** The keys from the root to the current node. */
  readonly #keys: string[] = [];
  #anchors: ReadonlySet<string> | undefined;

  /** True when a reference must lead to `$defs`, which hold in every schema with these entries. */
  readonly #isEntry: boolean;

  constructor(root: JsonSchema, isEntry = false) {
    this.#root = root;
    this.#isEntry = isEntry;
  }

  /** Reads the root without its `$defs`. */
  beside$defs(): void {
    const { $defs: _checked, ...rest } = this.#root;
    this.schema(rest);
  }

  schema(schema: unknown): void {
    if (typeof schema === 'boolean') return;
    if (isPlainObject(schema)) this.#members(schema, (value, key) => this.#keyword(key, value));
    else this.#report(`expected a schema, received ${describeValue(schema)}`);
  }

  #members(members: object, visit: (value: unknown, key: string) => void): void {
    for (const [key, value] of Object.entries(members)) {
      this.#keys.push(key);
      visit(value, key);
      this.#keys.pop();
    }
  }

  #keyword(key: string, value: unknown): void {
    const kind = Object.hasOwn(keywords, key) ? keywords[key] : undefined;
    if (kind === undefined) {
      if (value === null && !valueKeywords.includes(key)) this.#report(unvalued);
    } else if (!fits[kind](value)) this.#report(`expected ${expected[kind]}, received ${describeValue(value)}`);
    else if (kind === 'schema') this.schema(value);
    else if (kind === 'schemas' || kind === 'named schemas')
      this.#members(value as object, (member, name) => {
        if (key !== 'patternProperties' || this.#isCompilable(name)) this.schema(member);
      });
    else if (key === '$ref' && !this.#isResolved(value as string))
      this.#report(`expected a reference to a place in this schema, such as "#/$defs/name", received ${describeValue(value)}`);
    else if (key === 'pattern' && this.#isCompilable(value as string) && !isPattern(value as string))
      this.#report(`expected a regular expression (ECMA-262), received ${describeValue(value)}`);
  }

  /** True for a pattern that can be compiled. V8 would end the process at a pattern with too deep nesting. */
  #isCompilable(pattern: string): boolean {
    const excess = patternExcess(pattern);
    if (excess !== undefined) this.#report(`is a regular expression ${excess}. Write it simpler`);
    return excess === undefined;
  }

  #isResolved(reference: string): boolean {
    if (this.#isEntry && !reference.startsWith('#/$defs/')) return false;
    if (reference === '#') return true;
    if (/^#[A-Za-z_]/.test(reference)) return this.#anchorNames().has(reference.slice(1));
    if (!reference.startsWith('#/')) return false;
    const target = pointerSegments(reference.slice(1)).reduce<unknown>((place, segment) => memberOf(place, segment), this.#root);
    return target !== undefined;
  }

  #anchorNames(): ReadonlySet<string> {
    this.#anchors ??= new Set([...JSON.stringify(this.#root).matchAll(/"\$anchor":"([^"]*)"/g)].map(([, name = '']) => name));
    return this.#anchors;
  }

  #report(message: string): void {
    if (this.issues.length >= maxIssues) return;
    const pointer = this.#keys.map((key) => `/${escaped(key)}`).join('');
    this.issues.push({ path: pathOf(pointer), pointer, message });
  }
}

/** Escapes a segment of a JSON pointer (RFC 6901, 3). */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

function memberOf(place: unknown, segment: string): unknown {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment)) return undefined;
  return (place as Record<string, unknown>)[segment];
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
