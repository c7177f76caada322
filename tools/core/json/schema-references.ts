import { isPlainObject, type JsonSchema, parseUrl, pointerSegments } from '../../../kernel/index.ts';

export interface DanglingReference {
  /** Where it stands, such as `properties.price.$ref`. */
  readonly path: string;
  readonly reference: string;
}

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const applicators: ReadonlySet<string> = new Set([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems'],
]);
const named: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);

/** The address of a schema that has no `$id`. */
const unnamed = 'schema:/';

interface Reference extends DanglingReference {
  readonly base: string;
}

interface SchemaReferences {
  /** Schemas by their address, without a fragment. */
  readonly resources: Map<string, unknown>;
  /** Addresses that end in the name of an anchor. */
  readonly anchors: Set<string>;
  readonly references: Reference[];
}

/** The first reference (JSON Schema 2020-12, Core 8.2) that leads to nothing inside of the schema; undefined when there is none. */
export function danglingReference(schema: JsonSchema): DanglingReference | undefined {
  const found: SchemaReferences = { resources: new Map([[unnamed, schema]]), anchors: new Set(), references: [] };
  collect(schema, unnamed, '', found);
  return found.references.find((reference) => !leadsSomewhere(reference, found));
}

function collect(schema: unknown, outer: string, path: string, found: SchemaReferences): void {
  if (!isPlainObject(schema)) return;
  const base = typeof schema['$id'] === 'string' ? addressOf(schema['$id'], outer) : outer;
  if (base !== outer) found.resources.set(base, schema);
  for (const keyword of ['$anchor', '$dynamicAnchor'])
    if (typeof schema[keyword] === 'string') found.anchors.add(`${base}#${schema[keyword]}`);
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = schema[keyword];
    if (typeof reference === 'string') found.references.push({ path: join(path, keyword), reference, base });
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (named.has(keyword) && isPlainObject(value))
      for (const [name, member] of Object.entries(value)) collect(member, base, join(join(path, keyword), name), found);
    if (!applicators.has(keyword)) continue;
    if (Array.isArray(value)) value.forEach((item, index) => void collect(item, base, `${join(path, keyword)}[${index}]`, found));
    else collect(value, base, join(path, keyword), found);
  }
}

function leadsSomewhere({ reference, base }: Reference, { resources, anchors }: SchemaReferences): boolean {
  const address = addressOf(reference, base);
  const [resource = '', fragment = ''] = address.split('#');
  if (!resources.has(resource)) return false;
  if (fragment === '') return true;
  if (!fragment.startsWith('/')) return anchors.has(address);
  const target = pointerSegments(decoded(fragment)).reduce<unknown>(memberOf, resources.get(resource));
  return typeof target === 'boolean' || isPlainObject(target);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Absolute; what cannot be resolved stays as it is, and is found nowhere. */
function addressOf(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`;
  return parseUrl(reference, base)?.href.replace(/#$/, '') ?? reference;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
