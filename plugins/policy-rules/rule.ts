import type { DraftCall, Effect } from '../../kernel/index.ts';
import { versionDigest } from '../shared/approval/version-digest.ts';
import type { Condition } from '../shared/conditions/condition.ts';
import { conditionParameters } from '../shared/conditions/condition-parameters.ts';
import type { RuleDefinition } from './definition.ts';
import { compileMatcher, type Matcher } from './match.ts';
import type { Fact, ToolFacts } from './tool-facts.ts';
import type { Variables } from './variables.ts';

/** A compiled rule. */
export interface Rule {
  readonly effect: Effect;
  readonly isShadow: boolean;
  /** The rule in messages: `rule "no-deletes"`. */
  readonly label: string;
  /** Digest of the definition of a rule that asks. */
  readonly version?: string;
  /** Number of different names that must approve. @default 1 */
  readonly approvers?: number;
  /** Reason for the effect, with the name of the rule. */
  readonly message: string;
  /** False when no call of the tool can match. */
  matchesTool(facts: ToolFacts): boolean;
  /** Tests a call of a matching tool. `warning`: the condition could not be evaluated; a rule that allows then does not match, others do. */
  test(draft: DraftCall, facts: ToolFacts): { readonly isMatch: boolean; readonly warning?: string };
}

/** Compiles a rule. `label` names it in messages: `rule "no-deletes"`. */
export function compileRule(definition: RuleDefinition, label: string, condition: Condition<Variables> | undefined): Rule {
  const { effect, shadow = false, approvers } = definition;
  const matcher: Matcher = compileMatcher(definition);
  return {
    effect,
    isShadow: shadow,
    label,
    ...(effect === 'ask' ? { version: versionDigest(definition) } : {}),
    ...(approvers === undefined ? {} : { approvers }),
    message: `${definition.reason ?? `the policy ${effectPhrases[effect]}`} (${label})`,
    matchesTool: matcher.matchesTool,
    test(draft, facts) {
      if (!matcher.matchesCall(draft)) return { isMatch: false };
      if (condition === undefined) return { isMatch: true };
      try {
        return { isMatch: condition(variablesOf(draft, facts)) };
      } catch (error) {
        return { isMatch: effect !== 'allow', warning: `The condition of ${label} ${(error as Error).message}` };
      }
    },
  };
}

const effectPhrases: Readonly<Record<Effect, string>> = { allow: 'allows it', ask: 'asks for approval', deny: 'denies it' };

function variablesOf(draft: DraftCall, facts: ToolFacts): Variables {
  const { caller, origin } = draft;
  const { tool, provider = '', risk, tags, method, host } = facts;
  return {
    params: conditionParameters(draft),
    tool,
    provider,
    risk,
    caller,
    origin,
    tags,
    ...factVariable('method', method),
    ...factVariable('host', host),
  };
}

/** Returns the variable of a fact: the empty text for none, no variable for an unknown fact. */
function factVariable(name: 'method' | 'host', fact: Fact): Partial<Record<typeof name, string>> {
  if (fact.type === 'unknown') return {};
  return { [name]: fact.type === 'known' ? fact.value : '' };
}
