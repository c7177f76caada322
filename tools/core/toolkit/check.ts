import { isPlainObject, type Locate, type Problem } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { parseDefinition } from '../../../plugins/shared/definition-files/definition-text.ts';

export interface Finding {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** A definition that somebody wrote, with what is wrong with it. */
export interface CheckedTool {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface Validation {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Says what is wrong with a tool definition, as it would be told when it is loaded. Nothing is registered. */
export function validateTool({ yaml }: { readonly yaml: string }, { tools }: FunctionContext): Validation {
  const { errors, warnings } = checkYaml(yaml, tools);
  return { valid: errors.length === 0, errors, warnings };
}

/** `place`: where the definition is to lie; modules that it names are looked for there. */
export function checkYaml(
  yaml: string,
  tools: FunctionContext['tools'],
  place: { readonly file: string; readonly directory: string } | undefined = undefined,
): CheckedTool {
  const parsed = parseDefinition(yaml, place?.file ?? 'the text');
  const problems = 'problems' in parsed ? parsed.problems : problemsOf(parsed.value, parsed.locate, tools, place);
  return {
    errors: problems.filter(({ severity }) => severity === 'error').map(findingOf),
    warnings: problems.filter(({ severity }) => severity === 'warning').map(findingOf),
  };
}

/** The name in a definition, when it is one that a file can have. */
export function nameIn(yaml: string): string | undefined {
  const parsed = parseDefinition(yaml, 'the text');
  const name = 'value' in parsed && isPlainObject(parsed.value) ? parsed.value['name'] : undefined;
  return typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : undefined;
}

function problemsOf(value: unknown, locate: Locate, tools: FunctionContext['tools'], place: object | undefined): readonly Problem[] {
  return tools.check(value, { trust: 'operator', isProposed: true, locate, ...place });
}

function findingOf({ path = '', position, message }: Omit<Problem, 'plugin'>): Finding {
  return { path, line: position?.line ?? null, column: position?.column ?? null, message };
}
