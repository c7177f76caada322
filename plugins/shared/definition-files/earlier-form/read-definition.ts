import { type ParsedDefinition, parseDefinition } from '../definition-text.ts';
import { applyChanges, locateBefore } from './change.ts';
import { definitionChanges } from './definition-changes.ts';

/**
 * Parses the text of a tool or provider into the current form. Its `locate` finds lines of the text. Returns problems when it cannot be
 * parsed.
 */
export function readDefinition(text: string, file: string): ReturnType<typeof parseDefinition> {
  const parsed = parseDefinition(text, file);
  return 'value' in parsed ? toCurrentForm(parsed) : parsed;
}

function toCurrentForm({ value, locate }: ParsedDefinition): ParsedDefinition {
  const changes = definitionChanges(value);
  return changes.length === 0 ? { value, locate } : { value: applyChanges(value, changes), locate: locateBefore(locate, changes) };
}
