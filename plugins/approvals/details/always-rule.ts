import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Reason, Tool } from '../../../kernel/index.ts';
import { loadConditionCompiler } from '../../shared/conditions/condition.ts';
import { conditionParameters } from '../../shared/conditions/condition-parameters.ts';
import { ExpressionError } from '../../shared/conditions/expression.ts';
import { yaml } from '../../shared/definition-files/yaml-library.ts';
import { shortened, terminalText } from '../../shared/text/visible-text.ts';
import { conditionFor, textLiteral } from './condition-text.ts';

/** A held call, as much of it as a rule is about. */
export interface AlwaysCall {
  /** The tool as it is registered now. */
  readonly tool: Tool;
  readonly caller: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The same parameters with secrets masked. */
  readonly shownParameters: Readonly<Record<string, unknown>>;
  readonly reasons: readonly Reason[];
}

/** Maximum length of `when` in a rule. */
const maxCondition = 2000;

const maxReason = 200;

/**
 * Returns the policy file, as YAML, with the one rule that would let equal calls run without asking. Undefined where no rule can: a reason is not that
 * of a rule, a parameter holds a secret, or the parameters are too large for a condition. The condition was evaluated for the call: it is true.
 */
export async function alwaysRule({ tool, caller, parameters, shownParameters, reasons }: AlwaysCall): Promise<string | undefined> {
  if (reasons.length === 0 || reasons.some(({ kind }) => kind !== 'rule')) return undefined;
  // The text is shown to people: a rule without the secret would not match, and one with it would reveal it.
  if (!isDeepStrictEqual(parameters, shownParameters)) return undefined;
  const params = conditionParameters({ tool, parameters });
  // In `match`, a `*` stands for any characters.
  const isPlainName = caller !== '' && !caller.includes('*') && terminalText(caller) === caller;
  const condition = conditionFor('params', params);
  const when = isPlainName || condition === undefined ? condition : `caller == ${textLiteral(caller)} && ${condition}`;
  if (when === undefined || when.length > maxCondition || !(await isTrue(when, { params, caller }))) return undefined;
  const match = { tool: tool.name, ...(isPlainName ? { caller } : {}) };
  const name = `always-${createHash('sha256')
    .update(JSON.stringify([match, when]))
    .digest('hex')
    .slice(0, 8)}`;
  const rule = yaml().stringify({ rules: [{ name, match, when, effect: 'allow' }] }, { lineWidth: 0 });
  const notes = [
    ...reasons.map(({ message }) => `Belongs before the rule that asks: ${shortened(terminalText(message), maxReason)}`),
    'Allows equal calls of this caller name, of every tenant.',
  ];
  return `${notes.map((note) => `# ${note}\n`).join('')}${rule}`;
}

interface Variables {
  readonly params: Readonly<Record<string, unknown>>;
  readonly caller: string;
}

/** True when the condition is valid and true: it may be too long, or hold an integer that CEL cannot. */
async function isTrue(when: string, variables: Variables): Promise<boolean> {
  const compile = await loadConditionCompiler<Variables>({ params: 'map', caller: 'string' });
  try {
    return compile(when)(variables);
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
