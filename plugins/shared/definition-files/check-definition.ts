import {
  excerpt,
  isPlainObject,
  type Locate,
  type Origin,
  type Problem,
  type Risk,
  riskLevels,
  ToolkitError,
  type ToolView,
} from '../../../kernel/index.ts';
import { reportRefusals } from '../exposure/profiles/refusals.ts';
import { readDefinition } from './earlier-form/read-definition.ts';

export interface Finding {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** Problems of a definition. */
export interface CheckedDefinition {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** The path where a definition will be stored. Its modules are looked up there, and among the names of `siblings`. */
type DefinitionLocation = Required<Pick<Origin, 'file' | 'directory'>> & Pick<Origin, 'siblings'>;

/** Checks the text of a tool definition. Returns the problems that loading would report. Registers nothing. */
export function checkDefinition(
  yaml: string,
  tools: Pick<ToolView, 'check'>,
  location: DefinitionLocation | undefined = undefined,
): CheckedDefinition {
  const parsed = readDefinition(yaml, location?.file ?? 'the text');
  return checkedProblems('problems' in parsed ? parsed.problems : problemsOf(parsed.value, parsed.locate, tools, location));
}

export function checkedProblems(problems: readonly Omit<Problem, 'plugin'>[]): CheckedDefinition {
  return {
    errors: problems.filter(({ severity }) => severity === 'error').map(findingOf),
    warnings: problems.filter(({ severity }) => severity === 'warning').map(findingOf),
  };
}

/** Throws INVALID_PARAMETERS when there are errors, or when the definition has no name that a file can have. */
export function refuseErrors({ errors }: CheckedDefinition, name: string | undefined): asserts name is string {
  if (errors.length === 0 && name !== undefined) return;
  const told = errors
    .slice(0, 5)
    .map(({ line, column, path, message }) => `${line ?? 0}:${column ?? 0} ${path === '' ? '' : `${path}: `}${message}`);
  const more = errors.length > told.length ? `; and ${errors.length - told.length} more` : '';
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `The definition has ${errors.length} errors and was not written: ${excerpt(told.join('; '), 1000)}${more}`,
    { issues: errors.map(({ path, message }) => ({ path: path === '' ? 'yaml' : `yaml.${path}`, message })) },
  );
}

/** Returns the name and the risk of a definition. Leaves out invalid ones. */
export function headOf(yaml: string): { readonly name?: string; readonly risk?: Risk } {
  const parsed = readDefinition(yaml, 'the text');
  const { name, risk } = 'value' in parsed && isPlainObject(parsed.value) ? parsed.value : {};
  const known = riskLevels.find((level) => level === risk);
  return {
    ...(typeof name === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(name) ? { name } : {}),
    ...(known === undefined ? {} : { risk: known }),
  };
}

/** Returns the problems of a parsed definition, including those that model APIs would raise. */
export function problemsOf(
  value: unknown,
  locate: Locate,
  tools: Pick<ToolView, 'check'>,
  location: object | undefined,
): readonly Omit<Problem, 'plugin'>[] {
  return tools.check(value, { trust: 'operator', isProposed: true, locate, ...location }, reportRefusals);
}

function findingOf({ path = '', position, message }: Omit<Problem, 'plugin'>): Finding {
  return { path, line: position?.line ?? null, column: position?.column ?? null, message };
}
