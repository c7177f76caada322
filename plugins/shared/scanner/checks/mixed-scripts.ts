import type { Severity, TextFinding } from '../finding.ts';
import { confusables } from '../plain/confusables.ts';
import { passage } from './passage.ts';

const word = /[\p{L}\p{M}\p{N}]{3,}/gu;

/** True for a word of Latin letters in which others stand that look like Latin ones: `pаssword` with a Cyrillic а. */
export function mixesScripts(text: string): boolean {
  if (!/[a-z]/i.test(text) || !/[^\0-\u024f]/u.test(text)) return false;
  const others = [...text].filter((character) => /[^\0-\x7f]/u.test(character) && !/[\p{Script=Latin}\p{M}]/u.test(character));
  return others.some((character) => /\p{L}/u.test(character)) && others.every((character) => confusables.has(character));
}

/** Finds words that mix scripts so that they read as Latin ones. */
export function mixedScripts(text: string, severity: Severity = 'warning'): readonly TextFinding[] {
  if (!/[^\0-\u024f]/u.test(text)) return [];
  for (const { 0: found, index } of text.matchAll(word))
    if (mixesScripts(found)) {
      const message = 'It has a word of letters of several scripts that look alike.';
      return [{ severity, kind: 'mixed scripts', message, excerpt: passage(text, index, index + found.length) }];
    }
  return [];
}
