import { type DiscoverSink, isPlainObject, type Locate, nearest, type Origin } from '../../../kernel/index.ts';
import type { ParsedDefinition, parseDefinition } from './definition-text.ts';

/** The same for a text whose value is known already: it is parsed only when somebody asks for a line. */
export function knownDefinition(value: unknown, parse: () => ReturnType<typeof parseDefinition>): ParsedDefinition {
  let parsed: ReturnType<typeof parseDefinition> | undefined;
  const locate: Locate = (pointer) => {
    parsed ??= parse();
    return 'locate' in parsed ? parsed.locate(pointer) : undefined;
  };
  return { value, locate };
}

/**
 * Hands one parsed file to the sink: a provider has `provider`, a tool has `execution`. A file that has the other keys of one of the two
 * and a key that resembles the missing one is handed over as well, so that the mistake is told; any other file is not a definition.
 */
export function addDefinition(sink: DiscoverSink, value: unknown, origin: Omit<Origin, 'plugin'>): 'provider' | 'tool' | 'other' {
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
