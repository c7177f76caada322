import type { Document, LineCounter, YAMLMap, YAMLParseError } from 'yaml';
import type { Locate, Position, Problem } from '../../../kernel/index.ts';
import { pointerSegments } from '../../../kernel/index.ts';
import { findDocumentIssue } from './document-issue.ts';
import { overLimit, type YamlIssue } from './text-limits.ts';
import { yaml } from './yaml-library.ts';

export interface ParsedDefinition {
  readonly value: unknown;
  readonly locate: Locate;
}

/**
 * Parses YAML into a JSON value, with a function from JSON pointer to line. Returns problems instead for invalid YAML, a text above the
 * limits of length, depth or size, collections as keys, or endless aliases. Never throws.
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
  // The library compares each pair of keys; `findDocumentIssue` uses a set instead.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  // The name lets a call of the tool report why it is missing.
  name = nameIn(document);
  // After the first error the library guesses how to go on: one wrong indentation makes up to twenty errors.
  const [mistake] = document.errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  if (mistake !== undefined) return { problems: [problem(`is not valid YAML: ${advised(mistake)}`, mistake.pos[0])] };
  const issue = findDocumentIssue(document);
  if (issue !== undefined) return { problems: [problem(issue.message, issue.offset)] };
  return { value: document.toJS({ maxAliasCount: -1 }), locate: locateIn(document, lines) };
}

/** Returns the name of a tool, as far as the text could be parsed. */
function nameIn({ contents }: Document): unknown {
  return yaml().isMap(contents) && !contents.has('provider') ? contents.get('name') : undefined;
}

/** Replaces lone carriage returns by line feeds: they end a line too (YAML 1.2, 5.4), and the library does not know. Offsets stay the same. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r(?!\n)/g, '\n');
}

/** Adds advice for usual mistakes that the library's message does not explain. */
function advised({ code, message }: YAMLParseError): string {
  if (message.includes('flow-map-start')) return `${message}. Put quotes around a text that holds a placeholder: "{name}"`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return `${message}. Begin this line and the one below in the same column as the keys beside them, or put quotes around a text with ": " in it`;
  return message;
}

function positionIn(text: string, { offset }: YamlIssue): Position {
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
