import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { maxLevels, tooDeep, type YamlIssue } from './text-limits.ts';
import { yaml } from './yaml-library.ts';

/** Maximum values in a document, each alias counted with all that it stands for. */
const maxValues = 10_000;

/** Size of a node with aliases expanded. */
interface Size {
  values: number;
  levels: number;
  /** False while the node is being visited. */
  isComplete: boolean;
}

type Content = Node | Pair | null | undefined;

/** Returns the first issue that keeps a document from being a JSON value. Takes linear time, whatever its aliases would expand to. */
export function findDocumentIssue(document: Document): YamlIssue | undefined {
  try {
    new DocumentWalk().visit(document.contents, 0);
    return undefined;
  } catch (error) {
    if (error instanceof DocumentIssueError) return error;
    throw error;
  }
}

class DocumentIssueError extends Error implements YamlIssue {
  readonly offset: number;

  constructor(message: string, node: Content) {
    super(message);
    this.offset = startOf(node);
  }
}

/** Returns the start of a node. A block map begins at its first key, which its own range does not include. */
function startOf(node: Content): number {
  const { isMap, isNode } = yaml();
  const first = isMap(node) ? (node.items[0]?.key as Content) : undefined;
  const starts = [node, first].map((node) => (isNode(node) ? node.range?.[0] : undefined)).filter((start) => start !== undefined);
  return starts.length === 0 ? 0 : Math.min(...starts);
}

class DocumentWalk {
  readonly #library = yaml();
  readonly #anchored = new Map<string, Size>();
  /** Values of anchors of scalars, which may be keys. */
  readonly #keys = new Map<string, unknown>();

  visit(node: Content, depth: number): Size {
    const { isAlias, isMap, isPair, isScalar, isSeq } = this.#library;
    const extent: Size = { values: 1, levels: 0, isComplete: false };
    if (node === null || node === undefined) return { ...extent, isComplete: true };
    if (isPair(node))
      throw new DocumentIssueError('has a list of pairs (!!omap or !!pairs), which is no JSON value. Write a map', node.key as Node);
    if (isAlias(node)) return this.#aliased(node.source, node, depth);
    if (node.anchor !== undefined) {
      this.#anchored.set(node.anchor, extent);
      this.#keys.set(node.anchor, isScalar(node) ? node.value : node);
    }
    if (isScalar(node)) refuseNoJson(node.value, node);
    else if (depth >= maxLevels) throw new DocumentIssueError(tooDeep, node);
    else if (isMap(node)) this.#map(node, depth, extent);
    else if (isSeq(node)) for (const item of node.items) add(extent, this.visit(item as Content, depth + 1), item as Content);
    extent.isComplete = true;
    return extent;
  }

  #aliased(name: string, place: Node, depth: number): Size {
    const extent = this.#anchored.get(name);
    if (extent === undefined)
      throw new DocumentIssueError(
        `is not valid YAML: Unresolved alias (the anchor must be set before the alias): ${name}. Write &${name} before the value to repeat`,
        place,
      );
    if (!extent.isComplete)
      throw new DocumentIssueError(
        `has an alias inside what it repeats: *${name} within &${name} would never end. Write out what is meant`,
        place,
      );
    if (depth + extent.levels > maxLevels) throw new DocumentIssueError(tooDeep, place);
    return extent;
  }

  #map({ items, tag }: YAMLMap, depth: number, extent: Size): void {
    const names = new Set<string>();
    for (const { key, value } of items as Pair<Content, Content>[]) {
      const name = this.#keyOf(key);
      if (names.has(name)) throw new DocumentIssueError('is not valid YAML: Map keys must be unique', key);
      if (tag === setTag) throw new DocumentIssueError('has a set (!!set), which is no JSON value. Write a list', key);
      names.add(name);
      extent.values++;
      add(extent, this.visit(value, depth + 1), value ?? key);
    }
  }

  #keyOf(key: Content): string {
    const { isAlias, isScalar } = this.#library;
    if (isScalar(key) && key.anchor !== undefined) this.visit(key, 0);
    if (isAlias(key)) this.#aliased(key.source, key, 0);
    const value = isAlias(key) ? this.#keys.get(key.source) : isScalar(key) ? key.value : key;
    if (typeof value === 'object' && value !== null)
      throw new DocumentIssueError(
        'has a map or list as a key. Expected a text; one that holds a placeholder or begins with a bracket needs quotes: "{name}"',
        key,
      );
    return String(value ?? '');
  }
}

const setTag = 'tag:yaml.org,2002:set';

function add(extent: Size, { values, levels }: Size, place: Content): void {
  extent.values += values;
  extent.levels = Math.max(extent.levels, levels + 1);
  if (extent.values > maxValues)
    throw new DocumentIssueError(
      `has too many values: expected at most ${maxValues} when aliases are written out, received more up to here. Split it`,
      place,
    );
}

function refuseNoJson(value: unknown, node: Node): void {
  const isNumber = typeof value === 'number';
  if (isNumber ? Number.isFinite(value) : typeof value !== 'object' || value === null) return;
  const received = isNumber ? String(value) : 'a tag of YAML 1.1';
  throw new DocumentIssueError(
    `is no JSON value here: expected a text, a finite number, true, false or null, received ${received}. Put it in quotes`,
    node,
  );
}
