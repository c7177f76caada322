import type { Alias, Document, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { excerpt, type JsonValue, type ToolkitError } from '../../../kernel/index.ts';
import { badText, positionAt } from '../json/bad-text.ts';
import { documentTooLarge, maxDocumentCharacters } from '../json/check-document.ts';

type Library = typeof import('yaml');

/** The value of an anchor. Undefined while the anchored value is being read. */
type AnchorValue = { readonly value: JsonValue } | undefined;

/**
 * Returns the value of a document. All aliases of an anchor share one object, so that a small text cannot fill the memory. Throws
 * INVALID_PARAMETERS for values that JSON cannot hold: duplicate names, names that are no texts, and values that contain themselves.
 */
export function readYamlDocument(document: Document.Parsed, text: string, library: Library): JsonValue {
  return new YamlDocument(text, library).read(document.contents);
}

class YamlDocument {
  readonly #text: string;
  readonly #library: Library;
  /** Values by anchor. An anchor may be set again; an alias means the last one before it (YAML 1.2.2, 3.2.2.2). */
  readonly #anchors = new Map<string, AnchorValue>();
  #mergedCharacters = 0;

  constructor(text: string, library: Library) {
    this.#text = text;
    this.#library = library;
  }

  read(node: unknown): JsonValue {
    const { isAlias, isMap, isPair, isScalar, isSeq } = this.#library;
    if (isAlias(node)) return this.#aliased(node);
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const value = isScalar(node)
      ? scalarValue(node)
      : isMap(node)
        ? this.#members(node)
        : isSeq(node)
          ? this.#items(node)
          : // A part of an ordered map (!!omap).
            isPair(node)
            ? Object.fromEntries([[this.#name(node), this.read(node.value)]])
            : null;
    if (anchor !== undefined) this.#anchors.set(anchor, { value });
    return value;
  }

  #aliased(alias: Alias): JsonValue {
    const anchored = this.#anchors.get(alias.source);
    if (anchored !== undefined) return anchored.value;
    const isInside = this.#anchors.has(alias.source);
    throw this.#badNode(
      alias,
      isInside ? `*${alias.source} is inside of what it stands for` : `there is no &${alias.source} before *${alias.source}`,
    );
  }

  #items(node: YAMLSeq): JsonValue {
    return node.items.map((item) => this.read(item));
  }

  #members(node: YAMLMap): JsonValue {
    const members = new Map<string, JsonValue>();
    const own = new Set<string>();
    for (const pair of node.items) {
      if (this.#isMerge(pair)) {
        for (const source of [this.read(pair.value)].flat()) this.#merge(pair, source as JsonValue, members);
        continue;
      }
      const name = this.#name(pair);
      if (own.has(name)) throw this.#badNode(pair.key, `the name "${excerpt(name, 60)}" comes twice in the same mapping`);
      own.add(name);
      members.set(name, this.read(pair.value));
    }
    return Object.fromEntries(members);
  }

  /** True for `<<` (YAML 1.1), which adds the members that the mapping lacks. A member of the mapping itself wins, also when it comes later. */
  #isMerge({ key }: Pair): boolean {
    if (!this.#library.isScalar(key)) return false;
    return typeof key.value === 'symbol' || (key.value === '<<' && key.type === 'PLAIN');
  }

  #merge(pair: Pair, source: JsonValue, members: Map<string, JsonValue>): void {
    if (typeof source !== 'object' || source === null || Array.isArray(source))
      throw this.#badNode(pair.key, '"<<" needs a mapping, or a list of mappings. Put it in quotes to use it as a name');
    for (const [name, value] of Object.entries(source)) {
      this.#mergedCharacters += name.length + 4;
      if (this.#mergedCharacters > maxDocumentCharacters) throw documentTooLarge('Convert a part of it. "<<" repeats what it merges.');
      if (!members.has(name)) members.set(name, value);
    }
  }

  #name({ key }: Pair): string {
    const value = this.read(key);
    if (typeof value !== 'object' || value === null) return String(value);
    throw this.#badNode(key, 'a list or a mapping is used as a name, for which JSON has no form');
  }

  #badNode(node: unknown, problem: string): ToolkitError {
    const { range } = (node ?? {}) as { readonly range?: readonly number[] };
    return badText('YAML', problem, range === undefined ? undefined : positionAt(this.#text, range[0] ?? 0));
  }
}

/** Returns the JSON value. Integers beyond 2^53, `.inf` and `.nan`, and in YAML 1.1 dates and bytes, become texts, as written. */
function scalarValue({ value, source = '' }: Scalar): JsonValue {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string') return value ?? null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return value instanceof Uint8Array ? source.replace(/\s/g, '') : source;
}
