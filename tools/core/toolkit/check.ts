import type { Position } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import {
  type CheckedDefinition,
  checkedProblems,
  type Finding,
  problemsOf,
} from '../../../plugins/shared/definition-files/check-definition.ts';
import type { ParsedDefinition } from './parse.ts';
import type { DefinitionFile } from './write-definition.ts';

interface Validation {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface ValidateParameters {
  readonly yaml: string;
  /** Modules to be written next to the definition. */
  readonly files?: readonly Pick<DefinitionFile, 'name'>[];
}

/** Reports the problems of a tool definition that loading it would report. Registers nothing. Parses the text in a child process. */
export async function validateTool({ yaml, files = [] }: ValidateParameters, context: FunctionContext): Promise<Validation> {
  const siblings = files.map(({ name }) => name);
  const { errors, warnings } = await check(yaml, siblings, context);
  return { valid: errors.length === 0, errors, warnings };
}

async function check(yaml: string, siblings: readonly string[], { tools, inChild }: FunctionContext): Promise<CheckedDefinition> {
  const parsed = (await inChild('./parse.ts#parse', { yaml })) as ParsedDefinition;
  if ('problems' in parsed) return checkedProblems(parsed.problems);
  // Collects the pointers of problems first; then the child process, which parses the text, finds all positions at once.
  const pointers = new Map<Position, string>();
  const requestPosition = (pointer: string): Position => {
    const place = { line: 0, column: 0 };
    pointers.set(place, pointer);
    return place;
  };
  const problems = problemsOf(parsed.value, requestPosition, tools, { siblings });
  if (problems.length === 0) return checkedProblems([]);
  const places = [...pointers.keys()];
  const found = (await inChild('./parse.ts#locate', { yaml, pointers: [...pointers.values()] })) as (Position | null)[];
  return checkedProblems(
    problems.map(({ position, ...problem }) => {
      const place = position === undefined ? undefined : found[places.indexOf(position)];
      return { ...problem, ...(place === undefined || place === null ? {} : { position: place }) };
    }),
  );
}
