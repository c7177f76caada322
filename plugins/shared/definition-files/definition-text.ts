import { createRequire } from 'node:module';
import type { Document, LineCounter } from 'yaml';
import type { Locate, Position, Problem } from '../../../kernel/index.ts';
import { messageOf, pointerSegments } from '../../../kernel/index.ts';

export interface ParsedDefinition {
  readonly value: unknown;
  readonly locate: Locate;
}

/** A YAML file as a value, with the way back from a JSON pointer to its line. Or what is wrong with it. */
export function parseDefinition(text: string, file: string): ParsedDefinition | { problems: Omit<Problem, 'plugin'>[] } {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problem = (message: string, offset: number): Omit<Problem, 'plugin'> => {
    const { line, col } = lines.linePos(offset);
    return { severity: 'error', code: 'TOOL_INVALID', message: `is not valid YAML: ${message}`, file, position: { line, column: col } };
  };
  if (document.errors.length > 0) return { problems: document.errors.map(({ message, pos }) => problem(advised(message), pos[0])) };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), locate: (pointer) => positionOf(document, lines, pointer) };
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    return { problems: [problem(messageOf(error), 0)] };
  }
}

/** A placeholder without quotes is the usual mistake within `{ }`, and YAML says nothing about it. */
function advised(message: string): string {
  return message.includes('flow-map-start') ? `${message}. Put quotes around a text that holds a placeholder: "{name}"` : message;
}

/** Loaded when a file must be parsed: a start with a manifest does without. */
function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}

function positionOf(document: Document, lines: LineCounter, pointer: string): Position | undefined {
  const { isMap, isPair } = yaml();
  const segments = pointerSegments(pointer);
  for (let depth = segments.length; depth >= 0; depth--) {
    const parent = depth === 0 ? document.contents : document.getIn(segments.slice(0, depth - 1), true);
    const last = segments[depth - 1];
    const pair = isMap(parent) && last !== undefined ? parent.items.find((item) => isPair(item) && String(item.key) === last) : undefined;
    const node = pair?.key ?? (depth === 0 ? document.contents : document.getIn(segments.slice(0, depth), true));
    const range = (node as { range?: [number, number, number] } | null | undefined)?.range;
    if (range === undefined || range === null) continue;
    const { line, col } = lines.linePos(range[0]);
    return { line, column: col };
  }
  return undefined;
}
