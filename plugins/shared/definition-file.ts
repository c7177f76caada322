import { type DiscoverSink, isPlainObject, type Locate, messageOf, nearest, type Problem } from '../../kernel/index.ts';

/** A YAML file as a value, with the way back from a JSON pointer to its line. Or what is wrong with it. */
export async function parseDefinition(
  text: string,
  file: string,
): Promise<{ value: unknown; locate: Locate } | { problems: Omit<Problem, 'plugin'>[] }> {
  const { isMap, isPair, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return {
      problems: document.errors.map((error) => {
        const { line, col } = lines.linePos(error.pos[0]);
        return {
          severity: 'error',
          code: 'TOOL_INVALID',
          message: `is not valid YAML: ${error.message}`,
          file,
          position: { line, column: col },
        };
      }),
    };
  }
  const locate: Locate = (pointer) => {
    const segments = pointer
      .split('/')
      .slice(1)
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
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
  };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), locate };
  } catch (error) {
    // An alias without its anchor, or aliases that multiply without end.
    const message = `is not valid YAML: ${messageOf(error)}`;
    return { problems: [{ severity: 'error', code: 'TOOL_INVALID', message, file, position: { line: 1, column: 1 } }] };
  }
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
