import { findCommand } from './checks/commands.ts';
import { encodedTexts } from './checks/encoded-texts.ts';
import { hiddenCharacters } from './checks/hidden-characters.ts';
import { linksWithData } from './checks/links-with-data.ts';
import { mixedScripts } from './checks/mixed-scripts.ts';
import { modelMarkup } from './checks/model-markup.ts';
import { passage } from './checks/passage.ts';
import type { TextFinding } from './finding.ts';
import { decodeEscapes } from './plain/decode-escapes.ts';
import { hiddenSpellings } from './plain/hidden-spellings.ts';
import { ordinaryText, plainText } from './plain/plain-text.ts';
import { isMentioned } from './rules/is-mentioned.ts';
import { matchRules } from './rules/match-rules.ts';
import type { ChainMatch } from './rules/rule-chains.ts';
import type { NameClass } from './words/classes-at.ts';
import type { Token } from './words/token.ts';
import { tokenize } from './words/tokenize.ts';

/** The findings in one text. */
export interface ScannedText {
  readonly findings: readonly TextFinding[];
  /** Passages that the text only speaks of: findings where there are others. */
  readonly mentions: readonly TextFinding[];
  readonly tokens: readonly Token[];
}

/** Depth to which texts within encoded texts are decoded. */
const maxDepth = 2;

const nothing: ScannedText = { findings: [], mentions: [], tokens: [] };

/** Scans one text. Linear in its length. */
export function scanText(text: string, nameClass: NameClass): ScannedText {
  if (text.length < 3) return nothing;
  const plain = plainText(text);
  const words = scanWords(text, plain, nameClass);
  const findings = combined(
    [
      ...hiddenCharacters(text),
      ...mixedScripts(text),
      ...modelMarkup(decodeEscapes(text)),
      ...linksWithData(text),
      ...words.findings,
      ...decoded(plain, nameClass, 0),
      ...respelled(plain, words.tokens, nameClass),
    ],
    text,
  );
  return { ...words, findings };
}

/** Length of texts within which signs of several kinds belong together, in characters. */
const maxCombined = 1500;

/** Makes warnings of several kinds in one description hard: alone each has harmless reasons, together they rarely have. */
function combined(findings: readonly TextFinding[], text: string): readonly TextFinding[] {
  if (text.length > maxCombined || new Set(findings.map(({ kind }) => kind)).size < 2) return findings;
  return findings.map((finding) => (finding.severity === 'hard' ? finding : { ...finding, severity: 'hard' as const }));
}

function scanWords(text: string, plain: string, nameClass: NameClass): ScannedText {
  const tokens = tokenize(plain);
  const matches = matchRules(tokens, nameClass);
  if (matches.length === 0) return { ...nothing, tokens };
  const ordinary = ordinaryText(text);
  const open = plain === ordinary ? undefined : new Set(matchRules(tokenize(ordinary), nameClass).map(({ rule }) => rule));
  const findings: TextFinding[] = [];
  const mentions: TextFinding[] = [];
  for (const match of matches) {
    if (isRepeated(match, matches)) continue;
    const { rule, first, last } = match;
    const isDisguised = (open !== undefined && !open.has(rule)) || isSpaced(plain, tokens.slice(first, last + 1));
    const excerpt = passage(plain, tokens[first]?.start ?? 0, tokens[last]?.end ?? 0);
    const found: TextFinding = { kind: rule.kind, severity: rule.severity, message: rule.message, excerpt };
    if (isDisguised)
      findings.push({ ...found, severity: 'hard', message: `${rule.message} It is written so that a reader does not see it.` });
    else (isMentioned(plain, tokens, match) ? mentions : findings).push(found);
  }
  return { findings, mentions, tokens };
}

/** True for a warning about a passage in which a hard rule of the same kind finds something. */
function isRepeated({ rule, first, last }: ChainMatch, matches: readonly ChainMatch[]): boolean {
  if (rule.severity === 'hard') return false;
  return matches.some(
    (other) => other.rule.severity === 'hard' && other.rule.kind === rule.kind && other.first <= last && first <= other.last,
  );
}

/** True where a word does not stand as it is in the text: its letters are spaced, or digits stand for letters. */
function isSpaced(plain: string, tokens: readonly Token[]): boolean {
  return tokens.some(({ word, start, end }) => !word.startsWith('$') && plain.slice(start, end).toLowerCase() !== word);
}

function decoded(plain: string, nameClass: NameClass, depth: number): readonly TextFinding[] {
  return encodedTexts(plain).flatMap(({ encoding, text, start, end }) => {
    const about = `It has a text in ${encoding} form`;
    const inner = plainText(text);
    const command = findCommand(inner);
    const { findings, mentions } = scanWords(text, inner, nameClass);
    const [first] = [...findings, ...mentions];
    const base = { severity: 'hard', kind: 'encoded text' } as const;
    if (command !== undefined) return [{ ...base, message: `${about} that is a command.`, excerpt: passage(inner, command, command + 60) }];
    if (first !== undefined) return [{ ...base, message: `${about}. ${first.message}`, excerpt: first.excerpt }];
    const deeper = depth + 1 < maxDepth && end - start >= 32 ? decoded(inner, nameClass, depth + 1) : [];
    return deeper.slice(0, 1);
  });
}

function respelled(plain: string, tokens: readonly Token[], nameClass: NameClass): readonly TextFinding[] {
  return hiddenSpellings(tokens.map(({ word }) => word)).flatMap(({ name, undo }) => {
    const text = undo(plain);
    const { findings, mentions } = scanWords(text, text, nameClass);
    const [first] = [...findings, ...mentions];
    if (first === undefined) return [];
    return [{ ...first, severity: 'hard' as const, kind: 'encoded text' as const, message: `It is written ${name}. ${first.message}` }];
  });
}
