import type { Severity, TextFinding } from '../finding.ts';
import { passage } from './passage.ts';

/** A kind of characters that a reader does not see. */
interface HiddenKind {
  readonly name: string;
  readonly characters: RegExp;
  /** Severity of a run of these, whose length is given in characters; undefined where they are in order. */
  severity(text: string, start: number, end: number): Severity | undefined;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Scripts in which joiners decide the form of letters. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Mongolian}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f|\u20e3/u;

/** Hidden characters in a row that may be data. */
const minData = 4;

const before = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at - 2) ?? 0) + (text[at - 1] ?? '');

const kinds: readonly HiddenKind[] = [
  {
    name: 'characters of the tags block, which spell ASCII invisibly',
    characters: /[\u{e0000}-\u{e007f}]+/gu,
    // A flag of a region is a black flag, letters and an end mark.
    severity: (text, start, end) => (/🏴$/u.test(text.slice(Math.max(0, start - 2), start)) && end - start <= 14 ? undefined : 'hard'),
  },
  { name: 'characters that reverse the order of the text', characters: /[\u202d\u202e]+/g, severity: () => 'hard' },
  {
    name: 'characters that change the direction of the text',
    characters: /[\u202a-\u202c\u2066-\u2069\u200e\u200f\u061c]+/g,
    severity: (text, start, end) => {
      if (rightToLeft.test(text.slice(Math.max(0, start - 200), end + 200))) return undefined;
      return end - start >= minData ? 'hard' : 'warning';
    },
  },
  {
    name: 'characters without width',
    characters: /(?:(?!\p{Variation_Selector})(?![\u{e0000}-\u{e007f}])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])+/gu,
    severity: (text, start, end) => {
      if (end - start >= minData) return 'hard';
      if (text.startsWith('\ufeff') && end === 1) return undefined;
      return /^[\u200c\u200d]$/.test(text.slice(start, end)) && joining.test(before(text, start)) ? undefined : 'warning';
    },
  },
  {
    name: 'selectors of variants that nothing stands before',
    characters: /\p{Variation_Selector}+/gu,
    severity: (text, start, end) => {
      const length = [...text.slice(start, end)].length;
      if (length > 1) return length >= minData ? 'hard' : 'warning';
      return /[\d#*]|[^\0-\x7f]/.test(text[start - 1] ?? '') ? undefined : 'warning';
    },
  },
  {
    name: 'characters of private use',
    characters: /\p{Co}+/gu,
    severity: (text, start, end) => ([...text.slice(start, end)].length >= 8 ? 'hard' : 'warning'),
  },
  {
    name: 'sequences that control a terminal',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
    characters: /[\u001b\b]+|\u009b[0-?]{0,64}[@-~]/g,
    severity: () => 'hard',
  },
  {
    name: 'control characters',
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
    characters: /[\0-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]+|\r(?!\n)/g,
    severity: () => 'warning',
  },
  { name: 'characters that Unicode does not assign', characters: /[\p{Cs}\ufffe\uffff\ufdd0-\ufdef]+/gu, severity: () => 'warning' },
  { name: 'marks in great number on one letter', characters: /\p{M}{5,}/gu, severity: () => 'warning' },
  {
    name: 'blank space that moves the rest out of sight',
    characters: /[\s\u2800]{200,}/g,
    severity: (text, _start, end) => (end < text.length ? 'warning' : undefined),
  },
];

/** Findings of one kind in one text. */
const maxOfKind = 2;

/** Texts that have none. */
const harmless = /^[\t\n\x20-\x7e]*$/;

/** Finds characters that a reader does not see, and that a model reads. */
export function hiddenCharacters(text: string): readonly TextFinding[] {
  const hasBlanks = text.length >= 200;
  const isHarmless = harmless.test(text);
  if (isHarmless && !hasBlanks) return [];
  return (isHarmless ? kinds.slice(-1) : kinds).flatMap(({ name, characters, severity }) => {
    const found = new Map<Severity, TextFinding>();
    let count = 0;
    for (const { 0: run, index } of text.matchAll(characters)) {
      const level = severity(text, index, index + run.length);
      if (level === undefined || found.has(level)) continue;
      found.set(level, {
        severity: level,
        kind: 'hidden characters',
        message: `It has ${name}.`,
        excerpt: passage(text, index, index + Math.min(run.length, 8)),
      });
      count += 1;
      if (count >= maxOfKind) break;
    }
    return [...found.values()];
  });
}
