import { checkValue, isPlainObject, type JsonSchema, pointerSegments } from '../../../kernel/index.ts';

/**
 * The constraints of a JSON Schema on one part of a value that fits it, as far as leaving something out could break them.
 * Every schema that may apply counts, including all branches of unions and conditions: so more may be retained than necessary,
 * but not less. Keywords that it does not read (`not`, `contains`, `dependentRequired`, `$anchor`) show only when the result
 * is checked.
 */
export class SchemaConstraints {
  readonly #schemas: readonly JsonSchema[];
  readonly #root: JsonSchema;
  readonly #textRules: readonly JsonSchema[];
  readonly #required: ReadonlySet<string>;
  readonly #declared: ReadonlySet<string>;
  readonly #members = new Map<string, SchemaConstraints>();
  #others: SchemaConstraints | undefined;
  #items: SchemaConstraints | undefined;

  constructor(schemas: readonly unknown[], root: JsonSchema) {
    this.#root = root;
    this.#schemas = [...applicableSchemas(schemas, root)];
    this.#textRules = this.#schemas.flatMap(textRule);
    this.#required = new Set(this.#schemas.flatMap(({ required }) => (Array.isArray(required) ? (required as string[]) : [])));
    this.#declared = new Set(this.#schemas.flatMap(({ properties }) => (isPlainObject(properties) ? Object.keys(properties) : [])));
  }

  /** True when the value may be one of those listed by `enum` or `const`, which cannot be cut. */
  isFixedValue(value: unknown): boolean {
    const isSame = (one: unknown): boolean => one === value || (typeof one === 'object' && one !== null && typeof value === 'object');
    return this.#schemas.some((schema) => (Array.isArray(schema['enum']) && schema['enum'].some(isSame)) || isSame(schema['const']));
  }

  /** True for a list whose items must differ: parts of them could be equal. */
  get hasUniqueItems(): boolean {
    return this.#schemas.some(({ uniqueItems }) => uniqueItems === true);
  }

  /** True when the schema restricts the form of the text. */
  get hasPattern(): boolean {
    return this.#textRules.some((rule) => Object.hasOwn(rule, 'pattern') || Object.hasOwn(rule, 'format'));
  }

  /** Returns the largest value of a keyword such as `minItems`; 0 without one. */
  minimum(keyword: 'minItems' | 'minLength' | 'minProperties'): number {
    return this.#schemas.reduce((largest, { [keyword]: value }) => (typeof value === 'number' ? Math.max(largest, value) : largest), 0);
  }

  requires(name: string): boolean {
    return this.#required.has(name);
  }

  declares(name: string): boolean {
    return this.#declared.has(name);
  }

  fitsText(text: string): boolean {
    return this.#textRules.every((rule) => checkValue(rule, text).length === 0);
  }

  member(name: string): SchemaConstraints {
    const isOther = !this.declares(name) && this.#schemas.every(({ patternProperties }) => patternProperties === undefined);
    if (isOther) {
      this.#others ??= this.#nested(this.#schemas.map(otherMembers));
      return this.#others;
    }
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const constraints = this.#nested(this.#schemas.flatMap((schema) => memberSchemas(schema, name)));
    // Undeclared names are not cached: an output may have any number of them.
    if (this.declares(name)) this.#members.set(name, constraints);
    return constraints;
  }

  item(index: number): SchemaConstraints {
    const first = this.#schemas.flatMap(({ prefixItems }) => (Array.isArray(prefixItems) ? [prefixItems[index] as unknown] : []));
    this.#items ??= this.#nested(this.#schemas.flatMap(({ items, unevaluatedItems }) => [items, unevaluatedItems]));
    return first.every((schema) => schema === undefined) ? this.#items : this.#nested([...first, ...this.#items.#schemas]);
  }

  #nested(schemas: readonly unknown[]): SchemaConstraints {
    return new SchemaConstraints(schemas, this.#root);
  }
}

/** Returns the schemas that are objects, each once, with their subschemas for the same value. */
function applicableSchemas(schemas: readonly unknown[], root: JsonSchema, seen = new Set<JsonSchema>()): ReadonlySet<JsonSchema> {
  for (const schema of schemas) {
    if (!isPlainObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas } = schema;
    const parts = [allOf, anyOf, oneOf, isPlainObject(dependentSchemas) ? Object.values(dependentSchemas) : []].flat();
    applicableSchemas(
      [...parts, condition, then, otherwise, typeof $ref === 'string' ? resolveReference(root, $ref) : undefined],
      root,
      seen,
    );
  }
  return seen;
}

/** Returns the schema at a reference; undefined for one that is no JSON pointer. */
function resolveReference(root: JsonSchema, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return pointerSegments(reference.slice(1)).reduce<unknown>(
    (current, segment) => (typeof current === 'object' && current !== null ? (current as Record<string, unknown>)[segment] : undefined),
    root,
  );
}

function textRule({ pattern, format, minLength }: JsonSchema): JsonSchema[] {
  if (pattern === undefined && format === undefined && minLength === undefined) return [];
  return [
    {
      ...(pattern === undefined ? {} : { pattern }),
      ...(format === undefined ? {} : { format }),
      ...(minLength === undefined ? {} : { minLength }),
    },
  ];
}

function memberSchemas(schema: JsonSchema, name: string): unknown[] {
  const { properties, patternProperties } = schema;
  const named = isPlainObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(isPlainObject(patternProperties) ? patternProperties : {});
  const matching = patterns.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, member]) => member);
  const own = [...named, ...matching];
  return own.length > 0 ? own : [otherMembers(schema)];
}

function otherMembers({ additionalProperties, unevaluatedProperties }: JsonSchema): unknown {
  return additionalProperties ?? unevaluatedProperties;
}
