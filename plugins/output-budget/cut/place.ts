import { checkValue, isPlainObject, type JsonSchema, pointerSegments } from '../../../kernel/index.ts';

/**
 * What a JSON Schema demands of one place in a value that fits it, as far as leaving something out could break it. Every schema that may
 * apply there counts, all branches of unions and conditions included: what is kept by it may be more than must be, and not less. What it
 * does not read (`not`, `contains`, `dependentRequired`, `$anchor`), only a check of the result can say.
 */
export class Place {
  readonly #schemas: readonly JsonSchema[];
  readonly #root: JsonSchema;
  readonly #textRules: readonly JsonSchema[];
  readonly #required: ReadonlySet<string>;
  readonly #declared: ReadonlySet<string>;
  readonly #members = new Map<string, Place>();
  #others: Place | undefined;
  #items: Place | undefined;

  constructor(schemas: readonly unknown[], root: JsonSchema) {
    this.#root = root;
    this.#schemas = [...applying(schemas, root)];
    this.#textRules = this.#schemas.flatMap(textRule);
    this.#required = new Set(this.#schemas.flatMap(({ required }) => (Array.isArray(required) ? (required as string[]) : [])));
    this.#declared = new Set(this.#schemas.flatMap(({ properties }) => (isPlainObject(properties) ? Object.keys(properties) : [])));
  }

  /** Whether a value may be one of those that the schema gives: there is no part of such a one. */
  fixes(value: unknown): boolean {
    const isSame = (one: unknown): boolean => one === value || (typeof one === 'object' && one !== null && typeof value === 'object');
    return this.#schemas.some((schema) => (Array.isArray(schema['enum']) && schema['enum'].some(isSame)) || isSame(schema['const']));
  }

  /** A list whose items differ: parts of them could be equal. */
  get hasUniqueItems(): boolean {
    return this.#schemas.some(({ uniqueItems }) => uniqueItems === true);
  }

  /** Something is said of what the text looks like. */
  get hasPattern(): boolean {
    return this.#textRules.some((rule) => Object.hasOwn(rule, 'pattern') || Object.hasOwn(rule, 'format'));
  }

  /** The largest value of a keyword such as `minItems`; 0 without one. */
  least(keyword: 'minItems' | 'minLength' | 'minProperties'): number {
    return this.#schemas.reduce((most, { [keyword]: value }) => (typeof value === 'number' ? Math.max(most, value) : most), 0);
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

  member(name: string): Place {
    const isOther = !this.declares(name) && this.#schemas.every(({ patternProperties }) => patternProperties === undefined);
    if (isOther) {
      this.#others ??= this.#at(this.#schemas.map(otherMembers));
      return this.#others;
    }
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const place = this.#at(this.#schemas.flatMap((schema) => memberSchemas(schema, name)));
    // Others have as many names as an output likes to have.
    if (this.declares(name)) this.#members.set(name, place);
    return place;
  }

  item(index: number): Place {
    const first = this.#schemas.flatMap(({ prefixItems }) => (Array.isArray(prefixItems) ? [prefixItems[index] as unknown] : []));
    this.#items ??= this.#at(this.#schemas.flatMap(({ items, unevaluatedItems }) => [items, unevaluatedItems]));
    return first.every((schema) => schema === undefined) ? this.#items : this.#at([...first, ...this.#items.#schemas]);
  }

  #at(schemas: readonly unknown[]): Place {
    return new Place(schemas, this.#root);
  }
}

/** Those that are objects, each once, with what they are composed of. */
function applying(schemas: readonly unknown[], root: JsonSchema, seen = new Set<JsonSchema>()): ReadonlySet<JsonSchema> {
  for (const schema of schemas) {
    if (!isPlainObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas } = schema;
    const parts = [allOf, anyOf, oneOf, isPlainObject(dependentSchemas) ? Object.values(dependentSchemas) : []].flat();
    applying([...parts, condition, then, otherwise, typeof $ref === 'string' ? referred(root, $ref) : undefined], root, seen);
  }
  return seen;
}

/** Undefined for what is no JSON pointer. */
function referred(root: JsonSchema, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return pointerSegments(reference.slice(1)).reduce<unknown>(
    (place, segment) => (typeof place === 'object' && place !== null ? (place as Record<string, unknown>)[segment] : undefined),
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
