import type { DraftCall, Effect, Tool } from '../../kernel/index.ts';
import { versionDigest } from '../shared/approval/version-digest.ts';
import { effects, type PolicyDefinition } from './definition.ts';
import type { Rule } from './rule.ts';
import { factsOf, type ToolFacts } from './tool-facts.ts';

/** The decision of a policy about one call. */
export interface Decision {
  readonly effect: Effect;
  /** Reason, when the effect is not `allow`. */
  readonly message: string;
  /** Digest of the rule, or of the default effect, that asks. */
  readonly version?: string;
  /** Number of different names that must approve. @default 1 */
  readonly approvers?: number;
  /** Effects of matching rules in shadow mode, in order. */
  readonly shadows: readonly { readonly effect: Effect; readonly message: string }[];
  /** Conditions that could not be evaluated. May contain values of the call. */
  readonly warnings: readonly string[];
}

interface Candidates {
  readonly facts: ToolFacts;
  readonly rules: readonly Rule[];
}

/** Rules in order, and the default effects. */
export class Policy {
  readonly #rules: readonly Rule[];
  readonly #defaults: NonNullable<PolicyDefinition['default']>;
  readonly #candidates = new WeakMap<Tool, Candidates>();

  constructor(rules: readonly Rule[], defaults: PolicyDefinition['default'] = {}) {
    this.#rules = rules;
    this.#defaults = defaults;
  }

  /** Returns the rules that can match a call of this tool; cached for each tool. */
  candidates(tool: Tool): Candidates {
    const known = this.#candidates.get(tool);
    if (known !== undefined) return known;
    const facts = factsOf(tool);
    const candidates = { facts, rules: this.#rules.filter((rule) => rule.matchesTool(facts)) };
    this.#candidates.set(tool, candidates);
    return candidates;
  }

  /** The rules that demand several approvers and are in force. */
  get demanding(): readonly Rule[] {
    return this.#rules.filter(({ approvers = 1, isShadow }) => approvers > 1 && !isShadow);
  }

  decide(draft: DraftCall): Decision {
    const { facts, rules } = this.candidates(draft.tool);
    const shadows: { effect: Effect; message: string }[] = [];
    const warnings: string[] = [];
    for (const rule of rules) {
      const { isMatch, warning } = rule.test(draft, facts);
      if (warning !== undefined) warnings.push(warning);
      if (!isMatch) continue;
      const { effect, isShadow } = rule;
      const message = warning === undefined ? rule.message : `${rule.message}; its condition could not be evaluated`;
      if (!isShadow) return { effect, message, shadows, warnings, ...demandsOf(rule) };
      shadows.push({ effect, message });
    }
    const effect = this.#defaults[facts.risk] ?? 'allow';
    const message = `the policy ${effectVerbs[effect]} calls of risk ${facts.risk} that no rule is about`;
    const version = effect === 'ask' ? { version: versionDigest({ default: { [facts.risk]: effect } }) } : {};
    return { effect, message, shadows, warnings, ...version };
  }
}

function demandsOf({ version, approvers }: Rule): Pick<Decision, 'version' | 'approvers'> {
  return { ...(version === undefined ? {} : { version }), ...(approvers === undefined ? {} : { approvers }) };
}

export const effectVerbs: Readonly<Record<Effect, string>> = { allow: 'allows', ask: 'asks for approval of', deny: 'denies' };

/** Returns the stricter effect for each risk. */
export function stricterDefaults(
  a: NonNullable<PolicyDefinition['default']>,
  b: NonNullable<PolicyDefinition['default']>,
): NonNullable<PolicyDefinition['default']> {
  const stricter = (risk: 'low' | 'medium' | 'high'): Effect =>
    effects[Math.max(effects.indexOf(a[risk] ?? 'allow'), effects.indexOf(b[risk] ?? 'allow'))] ?? 'deny';
  return { low: stricter('low'), medium: stricter('medium'), high: stricter('high') };
}
