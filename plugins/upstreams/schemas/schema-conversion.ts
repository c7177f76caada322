import { excerpt, isPlainObject } from '../../../kernel/index.ts';
import { usablePattern } from '../../shared/schemas/usable-pattern.ts';
import { kindOf, valueIssue } from './keyword-kinds.ts';
import { modernForm } from './modern-form.ts';
import { holdsPathKey } from './path-keys.ts';
import { type Draft, laterKeywordNote } from './schema-draft.ts';
import type { SchemaNotes } from './schema-notes.ts';
import { SchemaRefusal } from './schema-refusal.ts';
import type { Node, SchemaResources } from './schema-resources.ts';

type Mutable = Record<string, unknown>;

/** A node to which references lead, as it stands in the converted schema. */
interface Place {
  pointer?: string;
  converted?: Mutable;
}

/** Maximum characters of all patterns of one schema: the time of each is examined. */
const maxPatterns = 50_000;

/** Keywords that are resolved, or stand for another one. Their absence changes no verdict. */
const silent: ReadonlySet<string> = new Set(['$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary']);

/** A pointer of which nobody reads a part in another way: no character needs an escape. */
const plainPointer = /^[\w$./-]*$/;

/** One pass through a schema. Each node is read once; references are set when all have their places. */
export class SchemaConversion {
  /** All converted nodes. */
  readonly nodes: Mutable[] = [];
  readonly #resources: SchemaResources;
  readonly #draft: Draft | undefined;
  readonly #notes: SchemaNotes;
  /** Nodes to which references lead, with their places in the converted schema. */
  readonly #places: Map<Node, Place>;
  readonly #references: { readonly from: Mutable; readonly to: Node }[] = [];
  /** Objects of which a pattern for names is left out: other members cannot be refused. */
  readonly #opened = new Set<Mutable>();
  /** Characters of patterns so far. */
  #patterns = 0;

  constructor(resources: SchemaResources, draft: Draft | undefined, notes: SchemaNotes, targets: Iterable<Node>) {
    this.#resources = resources;
    this.#draft = draft;
    this.#notes = notes;
    this.#places = new Map([...targets].map((node) => [node, {}]));
  }

  /** Converts the root with all to which it refers. Returns it with the targets of references, by the nodes that have them. */
  convert(root: Node): { readonly schema: Mutable; readonly targets: ReadonlyMap<Node, Node> } {
    const schema = this.#node(root, '') as Mutable;
    const own = isPlainObject(schema['$defs']) ? schema['$defs'] : {};
    const added: Mutable = {};
    const targets = new Map<Node, Node>();
    let number = 0;
    // The list grows while parts are added.
    for (let index = 0; index < this.#references.length; index++) {
      const { from, to } = this.#references[index] as { readonly from: Mutable; readonly to: Node };
      const place = this.#placeOf(to);
      if (place.pointer === undefined) {
        let name = '';
        do name = `part_${++number}`;
        while (Object.hasOwn(own, name));
        added[name] = this.#fill(to, `/$defs/${name}`);
      }
      from['$ref'] = `#${place.pointer}`;
      if (place.converted !== undefined) targets.set(from, place.converted);
    }
    if (Object.keys(added).length > 0) schema['$defs'] = { ...own, ...added };
    return { schema, targets };
  }

  #placeOf(node: Node): Place {
    const place = this.#places.get(node) ?? {};
    this.#places.set(node, place);
    return place;
  }

  #node(given: unknown, pointer: string): unknown {
    if (!isPlainObject(given)) return given;
    if (!this.#places.has(given) || pointer === '' || plainPointer.test(pointer)) return this.#fill(given, pointer);
    const stub: Mutable = {};
    this.nodes.push(stub);
    this.#references.push({ from: stub, to: given });
    return stub;
  }

  #fill(given: Node, pointer: string): Mutable {
    const out: Mutable = {};
    this.nodes.push(out);
    const place = this.#places.get(given);
    if (place !== undefined && place.pointer === undefined) Object.assign(place, { pointer, converted: out });
    const note = (text: string): void => this.#notes.add(pointer, text);
    const form = modernForm(given, note);
    for (const [key, value] of Object.entries(form)) {
      if (key === '$ref') this.#reference(given, value, out, note);
      else if (key === '$dynamicRef' || key === '$recursiveRef') this.#dynamicReference(given, key, value, out, note);
      else this.#keyword(key, value, out, pointer, note);
    }
    return out;
  }

  #reference(node: Node, reference: unknown, out: Mutable, note: (text: string) => void): void {
    if (typeof reference !== 'string') {
      note('"$ref" is no text, and is left out');
      return;
    }
    const to = this.#resources.targetOf(node, reference);
    if (typeof to === 'boolean') {
      // The place of a boolean in the list of members cannot be told from that of another one.
      out['allOf'] = [...(Array.isArray(out['allOf']) ? out['allOf'] : []), to];
      return;
    }
    out['$ref'] = reference;
    this.#references.push({ from: out, to });
  }

  #dynamicReference(node: Node, key: string, reference: unknown, out: Mutable, note: (text: string) => void): void {
    if (node['$ref'] !== undefined || typeof reference !== 'string') {
      note(`"${key}" is left out`);
      return;
    }
    note(`"${key}" is read as "$ref": no other schema extends this one`);
    this.#reference(node, reference, out, note);
  }

  #keyword(key: string, value: unknown, out: Mutable, pointer: string, note: (text: string) => void): void {
    const kind = kindOf(key);
    if (kind === undefined) {
      this.#otherKeyword(key, value, out, note);
      return;
    }
    const issue = key === 'type' ? undefined : valueIssue(kind, value);
    if (issue !== undefined) {
      note(`"${key}" is left out: ${issue}`);
      return;
    }
    const later = laterKeywordNote(this.#draft, key);
    if (later !== undefined) note(later);
    const below = `${pointer}/${key}`;
    if (kind === 'schema') out[key] = this.#node(value, below);
    else if (kind === 'schemas') out[key] = this.#list(key, value as readonly unknown[], out, below);
    else if (kind === 'schemas by name') this.#named(key, value as Node, out, below, note);
    else if (kind === 'type') setType(value, out, note);
    else if (key === 'pattern') this.#pattern(value as string, out, note);
    else if (key === 'default' || key === 'examples' || key === 'const' || key === 'enum') setValue(key, value, out, note);
    else out[key] = value;
  }

  #list(key: string, items: readonly unknown[], out: Mutable, below: string): readonly unknown[] {
    const before = key === 'allOf' && Array.isArray(out['allOf']) ? out['allOf'] : [];
    return [...items.map((item, index) => this.#node(item, `${below}/${index}`)), ...before];
  }

  #named(key: string, schemas: Node, out: Mutable, below: string, note: (text: string) => void): void {
    const entries: [string, unknown][] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      if (typeof schema !== 'boolean' && !isPlainObject(schema)) note(`"${excerpt(name, 40)}" of "${key}" is no schema, and is left out`);
      else if (name === '__proto__') note(`"__proto__" of "${key}" is left out: no member can have this name`);
      else {
        const usable = key === 'patternProperties' ? this.#usable(name, note) : name;
        const converted = usable === undefined ? undefined : this.#node(schema, `${below}/${escaped(usable)}`);
        if (usable !== undefined) entries.push([usable, converted]);
        // Members of a pattern that is left out may have any value.
        else this.#opened.add(out);
      }
    }
    out[key] = Object.fromEntries(entries);
  }

  /** Takes away what would refuse members of patterns that are left out. */
  openObjects(): void {
    for (const node of this.#opened) for (const key of ['additionalProperties', 'unevaluatedProperties']) delete node[key];
  }

  #pattern(given: string, out: Mutable, note: (text: string) => void): void {
    const pattern = this.#usable(given, note);
    if (pattern !== undefined) out['pattern'] = pattern;
  }

  #usable(given: string, note: (text: string) => void): string | undefined {
    this.#patterns += given.length;
    if (this.#patterns > maxPatterns) {
      note(`a pattern is left out, as all together have more than ${maxPatterns} characters`);
      return undefined;
    }
    const { pattern, reason } = usablePattern(given);
    if (reason !== undefined) note(reason);
    else if (pattern !== given) note(`its pattern is read as ${JSON.stringify(excerpt(pattern ?? '', 60))}`);
    return pattern;
  }

  #otherKeyword(key: string, value: unknown, out: Mutable, note: (text: string) => void): void {
    if (silent.has(key)) return;
    const name = excerpt(key, 40);
    if (key === '$id') note('"$id" is left out: what refers to it refers to its place');
    else if (!key.startsWith('x-')) note(`"${name}" is left out: JSON Schema has no such keyword`);
    else if (value === null || holdsPathKey(value)) note(`"${name}" is left out`);
    else out[key] = value;
  }
}

function setType(value: unknown, out: Mutable, note: (text: string) => void): void {
  if (valueIssue('type', value) === undefined) {
    out['type'] = value;
    return;
  }
  const known = [value].flat().filter((name) => valueIssue('type', name) === undefined && typeof name === 'string');
  if (known.length > 0) out['type'] = known;
  note('"type" names others than those of JSON Schema, which are left out');
}

/** Sets a value that stands in the schema itself. Some would be read as keys of our own definitions. */
function setValue(key: string, value: unknown, out: Mutable, note: (text: string) => void): void {
  if (!holdsPathKey(value)) out[key] = value;
  else if (key === 'default' || key === 'examples') note(`"${key}" is left out: it would be read as a key of a definition`);
  else throw new SchemaRefusal(`has a value in "${key}" with "path" or "from", which would be read as a key of a definition`);
}

/** Escapes a segment of a JSON pointer (RFC 6901, 3). */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
