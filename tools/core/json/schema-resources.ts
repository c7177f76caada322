import { isPlainObject, type JsonSchema, parseUrl, pointerSegments } from '../../../kernel/index.ts';

/** A `$ref` or `$dynamicRef` of a schema. */
export interface SchemaReference {
  /** Its path, such as `schema.properties.price.$ref`. */
  readonly path: string;
  readonly reference: string;
  /** Address of the resource around it. */
  readonly base: string;
  /** The schema that has it as a member, and its keyword there. */
  readonly node: Record<string, unknown>;
  readonly keyword: string;
}

/** Address of a schema without `$id`. */
export const unnamedAddress = 'schema:/';

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const applicators: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems'],
]);
const named: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);

/** The resources, anchors and references of schemas (JSON Schema 2020-12, Core 8.2). Reads only the places where a keyword expects a schema. */
export class SchemaResources {
  /** Schemas by address, without a fragment. */
  readonly resources = new Map<string, unknown>();
  /** All schemas that are no booleans, nested ones included. */
  readonly nodes: Record<string, unknown>[] = [];
  /** References of all added schemas. */
  readonly references: SchemaReference[] = [];
  /** Schemas by an address that ends in the name of an anchor. */
  readonly #anchors = new Map<string, unknown>();

  /** Adds a schema and returns its address: that of its `$id`, else `address`. `path` is its path in the parameters. */
  add(schema: JsonSchema | boolean, address: string, path: string): string {
    const base = idOf(schema, address);
    this.resources.set(base, schema);
    this.#collect(schema, base, path);
    return base;
  }

  /** Returns the schema at an absolute address. Undefined when there is none. */
  at(address: string): unknown {
    const [resource = '', fragment = ''] = address.split('#');
    if (!this.resources.has(resource)) return undefined;
    if (fragment === '') return this.resources.get(resource);
    if (!fragment.startsWith('/')) return this.#anchors.get(address);
    const target = pointerSegments(decoded(fragment)).reduce<unknown>(memberOf, this.resources.get(resource));
    return typeof target === 'boolean' || isPlainObject(target) ? target : undefined;
  }

  #collect(schema: unknown, outer: string, path: string): void {
    if (!isPlainObject(schema)) return;
    this.nodes.push(schema);
    const base = idOf(schema, outer);
    if (base !== outer) this.resources.set(base, schema);
    for (const keyword of ['$anchor', '$dynamicAnchor'])
      if (typeof schema[keyword] === 'string') this.#anchors.set(`${base}#${schema[keyword]}`, schema);
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (typeof reference === 'string') this.references.push({ path: `${path}.${keyword}`, reference, base, node: schema, keyword });
    }
    for (const [keyword, value] of Object.entries(schema)) {
      if (named.has(keyword) && isPlainObject(value))
        for (const [name, member] of Object.entries(value)) this.#collect(member, base, `${path}.${keyword}.${name}`);
      if (!applicators.has(keyword)) continue;
      if (Array.isArray(value)) value.forEach((item, index) => void this.#collect(item, base, `${path}.${keyword}[${index}]`));
      else this.#collect(value, base, `${path}.${keyword}`);
    }
  }
}

/** Returns the address of a schema by its `$id`, else the given one. */
export function idOf(schema: JsonSchema | boolean, address: string): string {
  return typeof schema === 'object' && typeof schema['$id'] === 'string' ? addressOf(schema['$id'], address) : address;
}

/** Returns an absolute address. A reference that cannot be resolved is returned as it is, and matches no resource. */
export function addressOf(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`;
  return parseUrl(reference, base)?.href.replace(/#$/, '') ?? reference;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
