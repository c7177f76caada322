import { canonicalJson } from '../../json/foreign-json.ts';
import { isPlainObject } from '../../json/json.ts';
import { isSoundEntry } from '../../schema/check-schema.ts';
import { digest } from './digest.ts';

type Schemas = Readonly<Record<string, unknown>>;

/** The entries of `$defs` to which a schema refers, directly or through others. */
export interface SchemaClosure {
  readonly $defs: Schemas;
  /** Changes with any of the entries; the order of their members does not count. */
  readonly digest: string;
  /** True when no entry has an issue, and each refers to entries only. */
  readonly isSound: boolean;
}

/** A closure whose `$defs` are made again when no tool uses them any longer. */
interface KnownClosure extends Omit<SchemaClosure, '$defs'> {
  readonly indexes: readonly number[];
  $defs: WeakRef<Schemas>;
}

/**
 * Maximum entries of all closures of one graph together. Beyond it a schema gets all entries, as one object: a document could otherwise have
 * a large closure of its own for each of its tools.
 */
export const maxClosureEntries = 2_000_000;

/** The `$defs` of a provider with their references. Each entry is read once, however many tools refer to it. */
export class SchemaGraph {
  readonly #entries: Schemas;
  readonly #names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #references: (readonly number[] | undefined)[] = [];
  readonly #digests: string[] = [];
  readonly #soundness: boolean[] = [];
  readonly #reachDigests = new Map<string, string>();
  readonly #closures = new Map<string, KnownClosure>();
  #closureEntries = 0;
  /** The number of the search in which an entry was last reached. */
  readonly #reachedIn: Uint32Array;
  #search = 0;

  constructor(entries: Schemas) {
    this.#entries = entries;
    this.#names = Object.keys(entries);
    this.#indexes = new Map(this.#names.map((name, index) => [name, index]));
    this.#reachedIn = new Uint32Array(this.#names.length);
  }

  /** Returns the closure of a schema; the same object for equal ones. Undefined when it refers to no entry. `own`: entries of the schema itself. */
  closureOf(schema: unknown, own: Schemas): SchemaClosure | undefined {
    const first = this.#referencesIn(schema, own);
    if (first.length === 0) return undefined;
    const hidden = Object.keys(own).flatMap((name) => this.#indexes.get(name) ?? []);
    const reached = this.#reached(first, hidden);
    const isSoundHere = hidden.length === 0;
    const isWhole = isSoundHere && this.#closureEntries + reached.length > maxClosureEntries;
    const indexes = isWhole ? this.#names.map((_, index) => index) : reached;
    const key = `${isSoundHere} ${isWhole} ${this.#bitsOf(indexes)}`;
    const known = this.#closures.get(key) ?? this.#newClosure(indexes, isSoundHere);
    if (!this.#closures.has(key)) this.#closureEntries += isWhole ? 0 : indexes.length;
    this.#closures.set(key, known);
    const $defs = known.$defs.deref() ?? this.#defsOf(known.indexes);
    if (known.$defs.deref() === undefined) known.$defs = new WeakRef($defs);
    return { $defs, digest: known.digest, isSound: known.isSound };
  }

  /** Returns the number of the entries that `digestsOf` has for a value, and one digest of them. */
  reachOf(value: unknown): { readonly size: number; readonly digest: string } {
    const reached = this.#reached(this.#referencesIn(value, {}), []);
    const key = this.#bitsOf(reached);
    const known = this.#reachDigests.get(key) ?? this.#digestOfAll(reached);
    this.#reachDigests.set(key, known);
    return { size: reached.length, digest: known };
  }

  /** Returns the digests of the entries to which any `$ref` in a value refers, directly or through others, by name. */
  digestsOf(value: unknown): ReadonlyMap<string, string> {
    const reached = this.#reached(this.#referencesIn(value, {}), []).sort((a, b) => a - b);
    return new Map(reached.map((index) => [this.#names[index] as string, this.#digestOf(index)]));
  }

  /** Returns a digest of all entries, whatever their order. */
  digest(): string {
    return this.#digestOfAll(this.#names.map((_, index) => index));
  }

  #digestOfAll(indexes: readonly number[]): string {
    const byName = indexes.map((index) => [this.#names[index] as string, this.#digestOf(index)] as const);
    return digest(byName.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #bitsOf(indexes: readonly number[]): string {
    const bits = Buffer.alloc((this.#names.length + 7) >> 3);
    for (const index of indexes) bits[index >> 3] = (bits[index >> 3] as number) | (1 << (index & 7));
    return bits.toString('latin1');
  }

  #newClosure(reached: readonly number[], isSoundHere: boolean): KnownClosure {
    const indexes = reached.toSorted((a, b) => a - b);
    return {
      indexes,
      $defs: new WeakRef(this.#defsOf(indexes)),
      digest: digest(indexes.map((index) => [this.#names[index], this.#digestOf(index)])),
      isSound: isSoundHere && indexes.every((index) => this.#isSound(index)),
    };
  }

  #defsOf(indexes: readonly number[]): Schemas {
    return Object.fromEntries(indexes.map((index) => [this.#names[index] as string, this.#entries[this.#names[index] as string]]));
  }

  #reached(first: readonly number[], hidden: readonly number[]): number[] {
    this.#search++;
    for (const index of hidden) this.#reachedIn[index] = this.#search;
    const reached: number[] = [];
    const reach = (index: number): void => {
      if (this.#reachedIn[index] === this.#search) return;
      this.#reachedIn[index] = this.#search;
      reached.push(index);
    };
    for (const index of first) reach(index);
    for (let at = 0; at < reached.length; at++) for (const index of this.#referencesOf(reached[at] as number)) reach(index);
    return reached;
  }

  #referencesOf(index: number): readonly number[] {
    const known = this.#references[index] ?? this.#referencesIn(this.#entries[this.#names[index] as string], {});
    this.#references[index] = known;
    return known;
  }

  #referencesIn(schema: unknown, own: Schemas): readonly number[] {
    const found = new Set<number>();
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) node.forEach(visit);
      if (!isPlainObject(node)) return;
      const name = referredName(node['$ref']);
      const index = name === undefined || Object.hasOwn(own, name) ? undefined : this.#indexes.get(name);
      if (index !== undefined) found.add(index);
      Object.values(node).forEach(visit);
    };
    visit(schema);
    return [...found];
  }

  #digestOf(index: number): string {
    this.#digests[index] ??= digest(canonicalJson(this.#entries[this.#names[index] as string]));
    return this.#digests[index];
  }

  #isSound(index: number): boolean {
    this.#soundness[index] ??= isSoundEntry(this.#entries, this.#entries[this.#names[index] as string]);
    return this.#soundness[index];
  }
}

/** Returns the name in `#/$defs/name`, or in a pointer below it. */
function referredName(reference: unknown): string | undefined {
  return typeof reference === 'string' ? /^#\/\$defs\/([^/]+)/.exec(reference)?.[1] : undefined;
}
