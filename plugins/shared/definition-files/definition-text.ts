import type { Document, LineCounter, YAMLMap, YAMLParseError } from 'yaml';
import type { Locate, Position, Problem } from '../../../kernel/index.ts';
import { pointerSegments } from '../../../kernel/index.ts';
import { documentFlaw } from './document-flaw.ts';
import { type Flaw, overLimit } from './text-limits.ts';
import { yaml } from './yaml-library.ts';

export interface ParsedDefinition {
  readonly value: unknown;
  readonly locate: Locate;
}

/**
 * A YAML text as a JSON value, with the way back from a JSON pointer to its line. Or what is wrong with it: also when it is longer, deeper or
 * fuller than any definition is, has collections as keys, or aliases that never end. Never throws.
 */
export function parseDefinition(written: string, file: string): ParsedDefinition | { problems: Omit<Problem, 'plugin'>[] } {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  let name: unknown;
  const problem = (message: string, offset: number): Omit<Problem, 'plugin'> => {
    const { line, col } = lines.linePos(offset);
    const tool = typeof name === 'string' ? { tool: name } : {};
    return { severity: 'error', code: 'TOOL_INVALID', message, file, position: { line, column: col }, ...tool };
  };
  const text = withLineFeeds(written);
  const limit = overLimit(text);
  if (limit !== undefined) return { problems: [{ ...problem(limit.message, 0), position: positionIn(text, limit) }] };
  // The library compares each key with every other; here it is done with a set.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  // So that a call of the tool is told what became of it.
  name = nameIn(document);
  // What the library finds behind the first mistake is mostly its own guess at how to go on: one wrong indentation makes up to twenty of them.
  const [mistake] = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (mistake !== undefined) return { problems: [problem(`is not valid YAML: ${advised(mistake)}`, mistake.pos[0])] };
  const flaw = documentFlaw(document);
  if (flaw !== undefined) return { problems: [problem(flaw.message, flaw.offset)] };
  return { value: document.toJS({ maxAliasCount: -1 }), locate: locateIn(document, lines) };
}

/** The name of a tool, as far as the text could be read. */
function nameIn({ contents }: Document): unknown {
  return yaml().isMap(contents) && !contents.has('provider') ? contents.get('name') : undefined;
}

/** A carriage return alone ends a line too (YAML 1.2, 5.4), which the library does not know. Offsets stay the same. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n');
}

/** What the usual mistake is, where YAML says nothing about it. */
function advised({ code, message }: YAMLParseError): string {
  if (message.includes('flow-map-start')) return `${message}. Put quotes around a text that holds a placeholder: "{name}"`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return `${message}. Begin this line and the one below in the same column as the keys beside them, or put quotes around a text with ": " in it`;
  return message;
}

function positionIn(text: string, { offset }: Flaw): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

interface Entry {
  readonly key: unknown;
  readonly value: unknown;
}

function locateIn(document: Document, lines: LineCounter): Locate {
  const { isMap, isSeq, isScalar } = yaml();
  const entries = new WeakMap<YAMLMap, ReadonlyMap<string, Entry>>();
  const entriesOf = (map: YAMLMap): ReadonlyMap<string, Entry> => {
    const known = entries.get(map) ?? new Map(map.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value ?? '') : '', pair]));
    entries.set(map, known);
    return known;
  };
  const entryOf = (node: unknown, segment: string): Entry | undefined => {
    if (isMap(node)) return entriesOf(node).get(segment);
    const item = isSeq(node) && /^\d+$/.test(segment) ? node.items[Number(segment)] : undefined;
    return item === undefined ? undefined : { key: item, value: item };
  };
  return (pointer) => {
    let node: unknown = document.contents;
    let nearest: unknown = node;
    for (const segment of pointerSegments(pointer)) {
      const entry = entryOf(node, segment);
      if (entry === undefined) break;
      nearest = entry.key ?? nearest;
      node = entry.value;
    }
    const range = (nearest as { range?: [number, number, number] | null } | null)?.range ?? undefined;
    if (range === undefined) return undefined;
    const { line, col } = lines.linePos(range[0]);
    return { line, column: col };
  };
}
