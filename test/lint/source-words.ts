import { parseSource } from '../../plugins/toolkit/docs/parse-source.ts';

/** The doc comments and names of one file of code. */
export interface SourceWords {
  readonly docComments: readonly PlacedText[];
  /** Every identifier, as often as it stands there; a private name has no `#`. */
  readonly names: readonly PlacedText[];
}

export interface PlacedText {
  readonly text: string;
  /** Line from 1. */
  readonly line: number;
}

/** Reads TypeScript or JavaScript. Throws where the text cannot be parsed. */
export function sourceWords(text: string, file: string): SourceWords {
  const { program, comments } = parseSource(text, file);
  const names: PlacedText[] = [];
  collectNames(program, names);
  return {
    docComments: comments
      .filter(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'))
      .map(({ value, loc }) => ({ text: value.replaceAll(/^[ \t]*\*+ ?/gm, '').trim(), line: loc.start.line })),
    names,
  };
}

function collectNames(node: unknown, names: PlacedText[]): void {
  if (Array.isArray(node)) for (const item of node) collectNames(item, names);
  else if (isNode(node)) {
    if (node.type === 'Identifier' && typeof node.name === 'string') names.push({ text: node.name, line: node.loc.start.line });
    for (const [key, value] of Object.entries(node)) if (!unvisited.has(key)) collectNames(value, names);
  }
}

/** Members of a node that lead to no other node of the program. */
const unvisited: ReadonlySet<string> = new Set(['loc', 'leadingComments', 'innerComments', 'trailingComments', 'extra', 'errors']);

interface NamedNode {
  readonly type: string;
  readonly name?: unknown;
  readonly loc: { readonly start: { readonly line: number } };
}

function isNode(value: unknown): value is NamedNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
