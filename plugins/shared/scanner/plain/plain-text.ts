import { normalizeText } from '../../../../kernel/index.ts';
import { confusables } from './confusables.ts';
import { decodeEscapes } from './decode-escapes.ts';
import { withoutMarkup } from './without-markup.ts';

/** Sequences that move the cursor or colour a terminal; the parameters are bounded, so that matching is linear. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for.
const terminalSequences = /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]|\u001b[@-Z\\-_]/g;

/** Characters without a shape of their own: marks, format characters, fillers, private use, controls other than line breaks. */
const shapeless = /[\p{M}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?![\t\n\r])\p{Cc}/gu;

/** Characters that stand for whole Arabic words: decomposition would make up to 18 of each. */
const phrases = /[\ufdf0-\ufdff]/g;

/** One character outside ASCII. */
const foreign = /[^\0-\x7f]/gu;

/** A text that no spelling below changes. */
const ordinary = /^[\t\n\r -%'-)+-;=-[\]-_a-}]*$/;

/**
 * Returns a text as a reader understands it: escapes and entities decoded, markup removed, compatibility forms and accents folded, shapeless
 * characters removed, look-alike letters replaced by those of ASCII. Letters keep their case. Linear in the length of the text.
 */
export function plainText(text: string): string {
  return ordinary.test(text) ? text : foldLetters(withoutMarkup(decodeEscapes(removeShapeless(text))));
}

/** Returns a text with the spellings that are no disguise: accents and typographic quotes folded. For comparison with `plainText`. */
export function ordinaryText(text: string): string {
  return ordinary.test(text) ? text : decomposed(text, 'NFD').replace(/\p{M}/gu, '').replace(/[‘’]/g, "'");
}

/** Returns letters without accents, look-alikes as ASCII. */
export function foldLetters(text: string): string {
  const folded = removeShapeless(decomposed(text.replace(phrases, ' '), 'NFKD'));
  return folded.replace(foreign, (character) => confusables.get(character) ?? (character === '’' || character === '‘' ? "'" : character));
}

/** Decomposes each character by itself: marks are removed afterwards, so that their order, which takes quadratic time, does not matter. */
function decomposed(text: string, form: 'NFD' | 'NFKD'): string {
  return text.replace(foreign, (character) => normalizeText(character, form));
}

function removeShapeless(text: string): string {
  return text.replace(terminalSequences, '').replace(shapeless, '');
}
