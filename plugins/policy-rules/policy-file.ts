import path from 'node:path';
import { checkDefinition, formatProblem, type Locate, messageOf, type Problem, sentence, ToolkitError } from '../../kernel/index.ts';
import { parseDefinition } from '../shared/definition-files/definition-text.ts';
import { readTextIfThere } from '../shared/text/read-text.ts';
import { compileRules } from './compile-rules.ts';
import { type PolicyDefinition, PolicySchema } from './definition.ts';
import type { Rule } from './rule.ts';

export interface PolicyFile {
  readonly text: string;
  readonly rules: readonly Rule[];
  readonly defaults: NonNullable<PolicyDefinition['default']>;
}

/** Reads a policy file. Undefined without a file. Throws CONFIG_INVALID with all problems, each with file, line and column. */
export async function readPolicyFile(file: string): Promise<PolicyFile | undefined> {
  const text = await readPolicyText(file);
  if (text === undefined) return undefined;
  const parsed = parseDefinition(text, file);
  if ('problems' in parsed) throw policyError(file, parsed.problems);
  const { locate } = parsed;
  const origin = { plugin: 'policy-rules', trust: 'operator', file, locate } as const;
  const { value, problems } = checkDefinition<PolicyDefinition>(PolicySchema, parsed.value, origin, 'CONFIG_INVALID');
  // An unknown key may be a misspelled condition that somebody relies on.
  if (value === undefined || problems.length > 0) throw policyError(file, problems);
  const compiled = await compileRules(value.rules ?? [], ` of ${path.basename(file)}`);
  if (compiled.problems.length > 0)
    throw policyError(
      file,
      compiled.problems.map(({ pointer, message }) => toPolicyProblem(file, pointer, message, locate)),
    );
  return { text, rules: compiled.rules, defaults: value.default ?? {} };
}

async function readPolicyText(file: string): Promise<string | undefined> {
  return readTextIfThere(file).catch((error: unknown) => {
    throw new ToolkitError(
      'CONFIG_INVALID',
      `The policy file ${file} cannot be read: ${messageOf(error)}. Make it readable, or move it away.`,
      { file },
      { cause: error },
    );
  });
}

type PolicyProblem = Pick<Problem, 'file' | 'position' | 'path' | 'message'>;

function toPolicyProblem(file: string, pointer: string, message: string, locate: Locate): PolicyProblem {
  const position = locate(pointer);
  return { file, path: pathOf(pointer), message, ...(position === undefined ? {} : { position }) };
}

/** Formats a pointer: `/rules/0/when` as `rules[0].when`. */
export function pathOf(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

function policyError(file: string, problems: readonly PolicyProblem[]): ToolkitError {
  const text = problems.map((problem) => formatProblem({ severity: 'error', code: 'CONFIG_INVALID', ...problem }));
  return new ToolkitError('CONFIG_INVALID', sentence(`The policy is refused: ${text.join('; ')}`), {
    file,
    issues: problems.map(({ path: field = '', message }) => ({ path: field, message })),
  });
}
