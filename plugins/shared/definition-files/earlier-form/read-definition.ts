import { type ParsedDefinition, parseDefinition } from '../definition-text.ts';
import { applyChanges, locateBefore } from './change.ts';
import { definitionChanges } from './definition-changes.ts';

/** The text of a tool or provider as a value in our words, with the way back from its places to the lines of the text. Or what is wrong with it. */
export function readDefinition(text: string, file: string): ReturnType<typeof parseDefinition> {
  const parsed = parseDefinition(text, file);
  return 'value' in parsed ? inOurWords(parsed) : parsed;
}

function inOurWords({ value, locate }: ParsedDefinition): ParsedDefinition {
  const changes = definitionChanges(value);
  return changes.length === 0 ? { value, locate } : { value: applyChanges(value, changes), locate: locateBefore(locate, changes) };
}
