import { isPlainObject } from '../../../kernel/index.ts';
import type { Located, Resolver } from '../document/resolve.ts';
import { withSegments } from './located.ts';

/** Maximum UTF-16 units of an example. */
const maxLength = 2000;

const maxDepth = 8;

/** Maximum elements and attributes. */
const maxNodes = 100;

/** Names of XML (XML 1.0, 2.3), without characters beyond ASCII. */
const xmlName = /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/;

interface Parts {
  readonly attributes: string[];
  readonly children: string[];
}

/**
 * Returns an example of a body in XML, as the schema and its `xml` objects describe it (OAS 3.0, 4.7.26): names, attributes, wrapped lists, namespaces and prefixes.
 * Values are those of the document (example, default, enum), else of the type. `name`: of the root element where the schema has none. Undefined for a schema of
 * which no element can be made, and for a longer example.
 */
export function xmlExample(schema: Located, resolver: Resolver, name = 'root'): string | undefined {
  const writer = new XmlWriter(resolver);
  const text = writer.element(schema, nameOf(schema, name), 0);
  return text === '' || text.length > maxLength ? undefined : text;
}

class XmlWriter {
  readonly #resolver: Resolver;
  readonly #open = new Set<unknown>();
  #remaining = maxNodes;

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  /** Returns an element. Empty for a schema in itself, for a name that XML does not allow, and beyond the limits. */
  element(given: Located, defaultName: string, depth: number): string {
    const schema = this.#followed(given);
    const { value } = schema ?? {};
    if (schema === undefined || !isPlainObject(value) || this.#open.has(value) || depth > maxDepth || this.#remaining-- <= 0) return '';
    this.#open.add(value);
    const text = this.#written(schema, value, defaultName, depth);
    this.#open.delete(value);
    return text;
  }

  #written(schema: Located, value: Readonly<Record<string, unknown>>, defaultName: string, depth: number): string {
    const xml = xmlOf(value);
    const tag = tagOf(xml, defaultName);
    if (tag === undefined) return '';
    const items = value['items'];
    if (value['type'] === 'array' || isPlainObject(items)) {
      const item = this.element(
        withSegments(schema, items, 'items'),
        typeof xml['name'] === 'string' && xml['wrapped'] !== true ? xml['name'] : defaultName,
        depth + 1,
      );
      return xml['wrapped'] === true ? `<${tag}${namespaceOf(xml)}>${item}</${tag}>` : item;
    }
    const parts: Parts = { attributes: [], children: [] };
    this.#addMembers(schema, parts, depth);
    const head = `${tag}${namespaceOf(xml)}${parts.attributes.join('')}`;
    const content = parts.children.length > 0 || parts.attributes.length > 0 ? parts.children.join('') : escaped(exampleOf(value));
    return content === '' ? `<${head}/>` : `<${head}>${content}</${tag}>`;
  }

  /** Adds the members of an object, those of the parts of `allOf` too, and of the first branch of a union. */
  #addMembers(schema: Located, parts: Parts, depth: number): void {
    const { value } = schema;
    if (!isPlainObject(value) || depth > maxDepth) return;
    const branch = ['oneOf', 'anyOf'].flatMap((key) => (Array.isArray(value[key]) ? [[key, 0, value[key][0]] as const] : [])).slice(0, 1);
    const all = Array.isArray(value['allOf']) ? value['allOf'].map((part, index) => ['allOf', index, part] as const) : [];
    for (const [key, index, part] of [...all, ...branch]) {
      const target = this.#followed(withSegments(schema, part, key, index));
      if (target === undefined || (target.value !== part && this.#open.has(target.value))) continue;
      this.#open.add(target.value);
      this.#addMembers(target, parts, depth + 1);
      this.#open.delete(target.value);
    }
    for (const [name, member] of Object.entries(isPlainObject(value['properties']) ? value['properties'] : {}))
      this.#addMember(withSegments(schema, member, 'properties', name), name, parts, depth);
  }

  #addMember(given: Located, name: string, { attributes, children }: Parts, depth: number): void {
    const schema = this.#followed(given);
    const { value } = schema ?? {};
    if (schema === undefined || !isPlainObject(value) || value['readOnly'] === true) return;
    const xml = xmlOf(value);
    const tag = tagOf(xml, name);
    if (xml['attribute'] !== true) children.push(this.element(given, name, depth + 1));
    else if (tag !== undefined && this.#remaining-- > 0) attributes.push(` ${tag}="${escaped(exampleOf(value))}"`);
  }

  #followed(schema: Located): Located | undefined {
    const target = this.#resolver.follow(schema);
    return typeof target === 'string' ? undefined : target;
  }
}

/** Returns the name of the root element: that of the component to which the schema refers. */
function nameOf({ value, pointer }: Located, name: string): string {
  const reference = isPlainObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : pointer;
  const own = /\/(?:schemas|definitions)\/([^/]+)$/.exec(reference)?.[1] ?? '';
  return xmlName.test(own) ? own : name;
}

function xmlOf({ xml }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isPlainObject(xml) ? xml : {};
}

function tagOf({ name, prefix }: Readonly<Record<string, unknown>>, defaultName: string): string | undefined {
  const own = typeof name === 'string' ? name : defaultName;
  if (!xmlName.test(own)) return undefined;
  return typeof prefix === 'string' && xmlName.test(prefix) ? `${prefix}:${own}` : own;
}

function namespaceOf({ namespace, prefix }: Readonly<Record<string, unknown>>): string {
  if (typeof namespace !== 'string' || namespace.length > 200) return '';
  const colon = typeof prefix === 'string' && xmlName.test(prefix) ? `:${prefix}` : '';
  return ` xmlns${colon}="${escaped(namespace)}"`;
}

/** Returns a value as text: the document's own, else one of the type. */
function exampleOf(value: Readonly<Record<string, unknown>>): string {
  const { example, default: byDefault, enum: values, examples, type } = value;
  const own = [example, ...(Array.isArray(examples) ? examples : []), byDefault, ...(Array.isArray(values) ? values : [])];
  const found = own.find((one) => ['string', 'number', 'boolean'].includes(typeof one));
  if (found !== undefined) return String(found).slice(0, 100);
  if (type === 'integer' || type === 'number') return '0';
  if (type === 'boolean') return 'true';
  return type === 'object' ? '' : 'string';
}

/** Escapes markup, and leaves out characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  const allowed = text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
