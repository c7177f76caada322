import { anyOf } from '../shared/exposure/wildcard.ts';
import type { RuleDefinition } from './definition.ts';
import type { Fact, ToolFacts } from './tool-facts.ts';

/** Matches calls, before the condition of a rule. Conditions on the tool are separate, so that they are tested once for each tool. */
export interface Matcher {
  matchesTool(facts: ToolFacts): boolean;
  matchesCall(call: { readonly caller: string; readonly origin: string }): boolean;
}

type TextPattern = string | readonly string[] | undefined;

export function compileMatcher({ match = {}, effect }: Pick<RuleDefinition, 'match' | 'effect'>): Matcher {
  const [tool, provider, tag, risk, caller, origin] = [match.tool, match.provider, match.tag, match.risk, match.caller, match.origin].map(
    compileTest,
  );
  const method = compileFactTest(match.method, effect !== 'allow');
  const host = compileFactTest(match.host, effect !== 'allow');
  return {
    matchesTool: (facts) =>
      (tool?.(facts.tool) ?? true) &&
      (provider === undefined || (facts.provider !== undefined && provider(facts.provider))) &&
      (tag === undefined || facts.tags.some(tag)) &&
      (risk?.(facts.risk) ?? true) &&
      method(facts.method) &&
      host(facts.host),
    matchesCall: (call) => (caller?.(call.caller) ?? true) && (origin?.(call.origin) ?? true),
  };
}

function compileTest(pattern: TextPattern): ((text: string) => boolean) | undefined {
  return pattern === undefined ? undefined : anyOf([pattern].flat());
}

/** Returns a test of a fact. An unknown fact matches in a rule that asks or denies; in one that allows, only `*` matches it. */
function compileFactTest(pattern: TextPattern, isRestrictive: boolean): (fact: Fact) => boolean {
  if (pattern === undefined) return () => true;
  const entries = [pattern].flat().map((entry) => entry.toLowerCase().replace(/(?<=.)\.$/, ''));
  const test = anyOf(entries);
  return (fact) => (fact.type === 'known' ? test(fact.value) : fact.type === 'unknown' && (isRestrictive || entries.includes('*')));
}
