import type { DiscoverSink, Locate, Problem } from '../../kernel/index.ts';

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
  return { value: document.toJS({ maxAliasCount: 100 }), locate };
}

/** Hands one parsed file to the sink: a provider has `provider`, a tool has `execution` (or at least a name and a description). */
export function addDefinition(
  sink: DiscoverSink,
  value: unknown,
  origin: { file: string; directory: string; trust: 'operator' | 'package'; locate: Locate },
): 'provider' | 'tool' | 'other' {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.includes('provider') && !keys.includes('execution')) {
    sink.addProvider(value, origin);
    return 'provider';
  }
  if (keys.includes('execution') || (keys.includes('name') && (keys.includes('description') || keys.includes('parameters')))) {
    sink.addTool(value, origin);
    return 'tool';
  }
  return 'other';
}
