import { classesAt, type NameClass } from '../words/classes-at.ts';
import type { Token } from '../words/token.ts';
import type { Rule } from './rule.ts';
import { type ChainMatch, indexSteps, RuleChains } from './rule-chains.ts';
import { rules } from './rules.ts';

const index = indexSteps(rules);

/** Matches of one rule in one text; further ones say nothing new. */
const maxMatches = 3;

/** Finds the rules that fit a text, by the indexes of the first and last word. */
export function matchRules(tokens: readonly Token[], nameClass: NameClass): readonly ChainMatch[] {
  const chains = new RuleChains(index);
  const counts = new Map<Rule, number>();
  const found: ChainMatch[] = [];
  const sentenceOf = (at: number): number | undefined => tokens[at]?.sentence;
  for (const at of tokens.keys())
    for (const match of chains.push(classesAt(tokens, at, nameClass), at, sentenceOf)) {
      const count = counts.get(match.rule) ?? 0;
      if (count >= maxMatches || !isMeant(match, tokens, nameClass)) continue;
      counts.set(match.rule, count + 1);
      found.push(match);
    }
  return found;
}

/** False where the words around a match take its meaning away. */
function isMeant({ rule, first, last }: ChainMatch, tokens: readonly Token[], nameClass: NameClass): boolean {
  if (rule.isOwnWork === true && first === 0) return false;
  if (rule.needsTool === true && !namesTool(tokens, first, last, nameClass)) return false;
  const { unless } = rule;
  if (unless === undefined) return true;
  const end = Math.min(tokens.length - 1, last + 8);
  for (let at = Math.max(0, first - 5); at <= end; at += 1)
    if (tokens[at]?.sentence === tokens[last]?.sentence && classesAt(tokens, at, nameClass).some((name) => unless.includes(name)))
      return false;
  return true;
}

function namesTool(tokens: readonly Token[], first: number, last: number, nameClass: NameClass): boolean {
  for (let at = first; at <= last + 4 && at < tokens.length; at += 1) {
    const { word, name } = tokens[at] as Token;
    if (word === 'tool' || word === 'tools') return true;
    if (name !== undefined && nameClass(name) === '$foreign') return true;
  }
  return false;
}
