import { messageOf, type Position, type Problem, toJsonValue, valueExcess } from '../../../kernel/index.ts';
import { readDefinition } from '../../../plugins/shared/definition-files/earlier-form/read-definition.ts';

/** The value of a definition, or what is wrong with its text. */
export type Parsed = { readonly value: unknown } | { readonly problems: readonly Omit<Problem, 'plugin'>[] };

/** What the problems of a text are told under. */
const file = 'the text';

/** Runs in a child process: a short text can take long to parse. */
export function parse({ yaml }: { readonly yaml: string }): Parsed {
  const parsed = readDefinition(yaml, file);
  if ('problems' in parsed) return parsed;
  const excess = valueExcess(parsed.value);
  if (excess !== undefined) return refused(`holds ${excess}. Write less`);
  try {
    return { value: toJsonValue(parsed.value) };
  } catch (error) {
    return refused(messageOf(error));
  }
}

/** Where in the text these places are, by JSON pointer. Runs in a child process as well. */
export function locate({ yaml, pointers }: { readonly yaml: string; readonly pointers: readonly string[] }): (Position | null)[] {
  const parsed = readDefinition(yaml, file);
  return pointers.map((pointer) => ('locate' in parsed ? (parsed.locate(pointer) ?? null) : null));
}

function refused(message: string): Parsed {
  return { problems: [{ severity: 'error', code: 'TOOL_INVALID', message, file, position: { line: 1, column: 1 } }] };
}
