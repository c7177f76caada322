import { excerpt, isPlainObject, parseUrl, pointerSegments, subschemaKeywords } from '../../../kernel/index.ts';
import { SchemaRefusal } from './schema-refusal.ts';

export type Node = Readonly<Record<string, unknown>>;

/** A part of a schema with its own `$id`: references without an address lead inside it. */
interface Resource {
  readonly base: string;
  readonly root: Node;
  readonly anchors: Map<string, Node>;
}

/** The address of a schema without `$id`. */
const ownAddress = 'https://schema.invalid/';

const { single, lists, named, definitions } = subschemaKeywords;
const singleKeywords = new Set<string>([...single, 'additionalItems']);
const namedKeywords = new Set<string>([...named, ...definitions, 'dependencies']);

/** Returns the schemas directly below a node, those of older drafts included. */
export function subschemasOf(node: Node): readonly Node[] {
  const found: Node[] = [];
  const take = (value: unknown): void => {
    if (isPlainObject(value)) found.push(value);
  };
  for (const [key, value] of Object.entries(node)) {
    if (singleKeywords.has(key)) take(value);
    if ((lists as ReadonlySet<string>).has(key) && Array.isArray(value)) value.forEach(take);
    if (namedKeywords.has(key) && isPlainObject(value)) Object.values(value).forEach(take);
  }
  return found;
}

/** The addresses and anchors inside one schema. Nothing outside of it is ever fetched. */
export class SchemaResources {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<Node, Resource>();
  /** True when `id` is an address, as in draft-04. */
  readonly #hasOldIds: boolean;

  constructor(root: Node, hasOldIds: boolean) {
    this.#hasOldIds = hasOldIds;
    const own: Resource = { base: ownAddress, root, anchors: new Map() };
    this.#resources.set(ownAddress, own);
    this.#add(root, own);
  }

  /** Returns the schema to which a reference of a node leads. Throws SchemaRefusal where there is none. */
  targetOf(node: Node, reference: string): Node | boolean {
    const [address = '', fragment = ''] = splitOnce(reference, '#');
    const own = this.#resourceOf.get(node);
    const resource = address === '' ? own : this.#resources.get(addressOf(address, own?.base ?? ownAddress) ?? '');
    if (resource === undefined)
      throw new SchemaRefusal(`refers to "${excerpt(reference, 100)}", which is outside of it: nothing is fetched for a schema`);
    const target = targetIn(resource, decoded(fragment));
    if (typeof target === 'boolean') return target;
    if (!isPlainObject(target)) throw new SchemaRefusal(`refers to "${excerpt(reference, 100)}", where there is no schema`);
    // A reference may lead to a place that no keyword of a schema has.
    if (!this.#resourceOf.has(target)) this.#add(target, resource);
    return target;
  }

  #add(node: Node, outer: Resource): void {
    const id = node['$id'] ?? (this.#hasOldIds ? node['id'] : undefined);
    let resource = outer;
    if (typeof id === 'string') {
      const [address = '', fragment] = splitOnce(id, '#');
      const base = address === '' ? undefined : addressOf(address, outer.base);
      if (base !== undefined) {
        resource = { base, root: node, anchors: new Map() };
        if (!this.#resources.has(base)) this.#resources.set(base, resource);
      }
      // Up to draft-07 an `$id` of a fragment is an anchor.
      if (fragment !== undefined && fragment !== '') setFirst(resource.anchors, fragment, node);
    }
    for (const key of ['$anchor', '$dynamicAnchor']) if (typeof node[key] === 'string') setFirst(resource.anchors, node[key], node);
    this.#resourceOf.set(node, resource);
    for (const child of subschemasOf(node)) this.#add(child, resource);
  }
}

function targetIn({ root, anchors }: Resource, fragment: string): unknown {
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return anchors.get(fragment);
  return pointerSegments(fragment).reduce<unknown>(
    (place, segment) =>
      typeof place === 'object' && place !== null && Object.hasOwn(place, segment) ? (place as Node)[segment] : undefined,
    root,
  );
}

function setFirst<T>(map: Map<string, T>, key: string, value: T): void {
  if (!map.has(key)) map.set(key, value);
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function addressOf(address: string, base: string): string | undefined {
  return parseUrl(address, base)?.href;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
