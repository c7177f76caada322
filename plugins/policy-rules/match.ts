import { anyOf } from '../shared/exposure/wildcard.ts';
import type { RuleDefinition } from './definition.ts';
import type { Fact, ToolFacts } from './tool-facts.ts';

/** Matches calls, before the condition of a rule. Conditions on the tool are separate, so that they are tested once for each tool. */
export interface Matcher {
  matchesTool(facts: ToolFacts): boolean;
  matchesCall(call: { readonly caller: string; readonly origin: string }): boolean;
}

type Written = string | readonly string[] | undefined;

export function matcherOf({ match = {}, effect }: Pick<RuleDefinition, 'match' | 'effect'>): Matcher {
  const [tool, provider, tag, risk, caller, origin] = [match.tool, match.provider, match.tag, match.risk, match.caller, match.origin].map(
    testOf,
  );
  const method = factTest(match.method, effect !== 'allow');
  const host = factTest(match.host, effect !== 'allow');
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

function testOf(written: Written): ((text: string) => boolean) | undefined {
  return written === undefined ? undefined : anyOf([written].flat());
}

/** Returns a test of a fact. An unknown fact matches in a rule that asks or denies; in one that allows, only `*` matches it. */
function factTest(written: Written, holds: boolean): (fact: Fact) => boolean {
  if (written === undefined) return () => true;
  const entries = [written].flat().map((entry) => entry.toLowerCase().replace(/(?<=.)\.$/, ''));
  const test = anyOf(entries);
  return (fact) => (fact.type === 'known' ? test(fact.value) : fact.type === 'unknown' && (holds || entries.includes('*')));
}
