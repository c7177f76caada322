import { createRequire } from 'node:module';
import type { Document, LineCounter } from 'yaml';
import {
  type DiscoverSink,
  isPlainObject,
  type Locate,
  messageOf,
  nearest,
  type Position,
  type Problem,
  pointerSegments,
} from '../../kernel/index.ts';

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
  if (document.errors.length > 0) return { problems: document.errors.map(({ message, pos }) => problem(message, pos[0])) };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), locate: (pointer) => positionOf(document, lines, pointer) };
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    return { problems: [problem(messageOf(error), 0)] };
  }
}

/** The same for a text whose value is known already: it is parsed only when somebody asks for a line. */
export function knownDefinition(value: unknown, parse: () => ReturnType<typeof parseDefinition>): ParsedDefinition {
  let parsed: ReturnType<typeof parseDefinition> | undefined;
  const locate: Locate = (pointer) => {
    parsed ??= parse();
    return 'locate' in parsed ? parsed.locate(pointer) : undefined;
  };
  return { value, locate };
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

/**
 * Hands one parsed file to the sink: a provider has `provider`, a tool has `execution`. A file that has the other keys of one of the two
 * and a key that resembles the missing one is handed over as well, so that the mistake is told; any other file is not a definition.
 */
export function addDefinition(
  sink: DiscoverSink,
  value: unknown,
  origin: { file: string; directory: string; trust: 'operator' | 'package'; locate: Locate },
): 'provider' | 'tool' | 'other' {
  const keys = isPlainObject(value) ? Object.keys(value) : [];
  const kind = kindOf(keys);
  if (kind === 'provider') sink.addProvider(value, origin);
  if (kind === 'tool') sink.addTool(value, origin);
  return kind;
}

function kindOf(keys: readonly string[]): 'provider' | 'tool' | 'other' {
  const has = (key: string): boolean => keys.includes(key);
  const resembles = (key: string): boolean => keys.some((written) => nearest(written, [key]).length > 0);
  if (has('execution')) return 'tool';
  if (has('provider')) return 'provider';
  if (has('name') && (has('description') || has('parameters') || resembles('execution'))) return 'tool';
  return resembles('provider') && ['parameter_mapping', 'oauth2', 'base_url'].some(has) ? 'provider' : 'other';
}
