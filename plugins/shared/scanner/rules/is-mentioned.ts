import { classesAt } from '../words/classes-at.ts';
import type { Token } from '../words/token.ts';
import type { ChainMatch } from './rule-chains.ts';

/** Words before a passage that may say that it is only quoted. */
const reach = 25;

/**
 * True where a text only speaks of a passage: it stands in quotes after a word such as "detects", in a clause such as "prompts that ignore …" after
 * one, or behind a label such as "Expected output:". `text`: the text of the tokens.
 */
export function isMentioned(text: string, tokens: readonly Token[], { first, last, rule }: ChainMatch): boolean {
  if (rule.kind === 'other tools') return false;
  const begin = tokens[first] as Token;
  const from = Math.max(0, first - reach);
  const before: { readonly at: number; readonly classes: ReadonlySet<string> }[] = [];
  for (let at = from; at < first; at += 1)
    if (tokens[at]?.sentence === begin.sentence) before.push({ at, classes: new Set(classesAt(tokens, at, () => undefined)) });
  const describes = before.some(({ at, classes }) => classes.has('describes') && tokens[at]?.isQuoted === false);
  if (describes && begin.isQuoted && (tokens[last] as Token).isQuoted) return true;
  if (describes && isClause(tokens, first, before)) return true;
  return isSample(text, tokens, first, before);
}

type Before = readonly { readonly at: number; readonly classes: ReadonlySet<string> }[];

/** True for "that ignore …" and "asks the agent to ignore …". */
function isClause(tokens: readonly Token[], first: number, before: Before): boolean {
  const word = (back: number): string => tokens[first - back]?.word ?? '';
  if (['that', 'which', 'who'].includes(word(1))) return true;
  if (word(1) !== 'to') return false;
  return before.slice(-6).some(({ classes }) => classes.has('reports'));
}

/** True for "Sample response: …" and the like. */
function isSample(text: string, tokens: readonly Token[], first: number, before: Before): boolean {
  return before.some(({ at, classes }) => {
    const next = tokens[at + 1];
    if (!classes.has('sampleKind') || next === undefined || at + 1 >= first) return false;
    return classesAt(tokens, at + 1, () => undefined).includes('sampleText') && /^\s{0,2}:/.test(text.slice(next.end, next.end + 3));
  });
}
