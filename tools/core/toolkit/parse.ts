import { messageOf, type Position, type Problem, toJsonValue, valueExcess } from '../../../kernel/index.ts';
import { readDefinition } from '../../../plugins/shared/definition-files/earlier-form/read-definition.ts';

/** The value of a definition, or the problems of its text. */
export type ParsedDefinition = { readonly value: unknown } | { readonly problems: readonly Omit<Problem, 'plugin'>[] };

/** File name in the problems of a text. */
const file = 'the text';

/** Parses a definition. Runs in a child process, because a short text can take long to parse. */
export function parse({ yaml }: { readonly yaml: string }): ParsedDefinition {
  const parsed = readDefinition(yaml, file);
  if ('problems' in parsed) return parsed;
  const excess = valueExcess(parsed.value);
  if (excess !== undefined) return problemResult(`holds ${excess}. Write less`);
  try {
    return { value: toJsonValue(parsed.value) };
  } catch (error) {
    return problemResult(messageOf(error));
  }
}

/** Finds the positions of JSON pointers in the text. Runs in a child process too. */
export function locate({ yaml, pointers }: { readonly yaml: string; readonly pointers: readonly string[] }): (Position | null)[] {
  const parsed = readDefinition(yaml, file);
  return pointers.map((pointer) => ('locate' in parsed ? (parsed.locate(pointer) ?? null) : null));
}

function problemResult(message: string): ParsedDefinition {
  return { problems: [{ severity: 'error', code: 'TOOL_INVALID', message, file, position: { line: 1, column: 1 } }] };
}
