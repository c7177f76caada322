import { marksExcess, normalizeText } from '../../../kernel/index.ts';

/** Stop words: words of every description. Their combinations in queries ("how many", "get rid of") do count. */
const stopWords: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been being but by can could d did do does don done for from get give had has have he her here
  him his how i id if im in into is it its ive just let like ll m me more most my need no not of on one only or our out please pls re s she
  should show so some such t tell than that the their them then there these they this those to too up us use ve very want was we were what
  when where which who whom will with would you your`.split(/\s+/),
);

/** Literal values in a question, with the words for their kind. */
const literals: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/\S/i, 'url link'],
  [/\S@\w+\.\w/, 'email address'],
  [/[\w-]\.(?:conf|csv|docx?|html|ini|jsx?|json|log|md|pdf|py|sh|sql|toml|tsx?|txt|xlsx?|xml|ya?ml)\b/i, 'file'],
];

/** Splits text into lower-case words: at punctuation, at camel case, and between letters and digits. */
export function wordsOf(text: string): readonly string[] {
  const divided = (marksExcess(text) === undefined ? normalizeText(text, 'NFKC') : text)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/['’]/g, '');
  return divided.toLowerCase().match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? [];
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function hasOnlyStopWords(text: string): boolean {
  return wordsOf(text).every(isStopWord);
}

/** Appends words for the addresses and file names in a question: "is https://shop.example dead?" asks about a URL. */
export function withWordsOfLiterals(question: string): string {
  return [question, ...literals.filter(([pattern]) => pattern.test(question)).map(([, words]) => words)].join(' . ');
}
