import { type Condition, loadConditionCompiler } from '../shared/conditions/condition.ts';
import { ExpressionError } from '../shared/conditions/expression.ts';
import type { RuleDefinition } from './definition.ts';
import { compileRule, type Rule } from './rule.ts';
import { type Variables, variableTypes } from './variables.ts';

export interface CompiledRules {
  readonly rules: readonly Rule[];
  /** Invalid conditions, and `approvers` of rules that do not ask. When there are any, the rules must not be used. */
  readonly problems: readonly { readonly pointer: string; readonly message: string }[];
}

/** Compiles rules. `source` is added to the labels of rules without a name, such as ` of policy.yaml`. Loads CEL only when a rule has a condition. */
export async function compileRules(definitions: readonly RuleDefinition[], source: string): Promise<CompiledRules> {
  const compile = definitions.some(({ when }) => when !== undefined) ? await loadConditionCompiler<Variables>(variableTypes) : undefined;
  const problems: { pointer: string; message: string }[] = [];
  const conditionOf = (when: string, index: number): Condition<Variables> | undefined => {
    try {
      return compile?.(when);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.push({ pointer: `/rules/${index}/when`, message: error.message });
      return undefined;
    }
  };
  const rules = definitions.map((definition, index) => {
    if (definition.approvers !== undefined && definition.effect !== 'ask')
      problems.push({
        pointer: `/rules/${index}/approvers`,
        message: `has an effect only with "effect: ask", received "${definition.effect}". Ask, or leave it out`,
      });
    const label = definition.name === undefined ? `rule ${index + 1}${source}` : `rule "${definition.name}"`;
    return compileRule(definition, label, definition.when === undefined ? undefined : conditionOf(definition.when, index));
  });
  return { rules, problems };
}
