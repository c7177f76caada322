/** Reduces a word to its stem, so that `orders` finds `order`. */
export type Stem = (word: string) => string;

/** Beyond this a word is cut: nobody asks for it, and stemming takes longer than linear time. */
const maxLetters = 40;

/** What every description has says nothing about its tool. What people say with these words ("how many", "get rid of") does. */
const silentWords: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been being but by can could d did do does don done for from get give had has have he her here
  him his how i id if im in into is it its ive just let like ll m me more most my need no not of on one only or our out please pls re s she
  should show so some such t tell than that the their them then there these they this those to too up us use ve very want was we were what
  when where which who whom will with would you your`.split(/\s+/),
);

/** What a question holds instead of the word for it. */
const literals: readonly (readonly [RegExp, string])[] = [
  [/\bhttps?:\/\/\S/i, 'url link'],
  [/\S@\w+\.\w/, 'email address'],
  [/[\w-]\.(?:conf|csv|docx?|html|ini|jsx?|json|log|md|pdf|py|sh|sql|toml|tsx?|txt|xlsx?|xml|ya?ml)\b/i, 'file'],
];

/** In lower case, divided at punctuation, at the humps of camel case, and between letters and digits. */
export function wordsOf(text: string): readonly string[] {
  const divided = text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/['’]/g, '');
  return divided.toLowerCase().match(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu) ?? [];
}

/** What a name is found by: all of its words, small ones too. In `get_order`, `get` tells it from `delete_order`. */
export function namedTerms(text: string, stem: Stem): readonly string[] {
  const words = cutWordsOf(text);
  return [...words.map(stem), ...exactTerms(words, stem)];
}

/** What a description is found by: the stems of its words, without those that say nothing. */
export function describedTerms(text: string, stem: Stem): readonly string[] {
  return cutWordsOf(text)
    .filter((word) => !silentWords.has(word))
    .map(stem);
}

/** What a term of a question is, which decides what it counts. */
export type TermKind = 'word' | 'number' | 'written' | 'pair' | 'piece';

/**
 * What somebody asks: the stem of each word; the word as written; each pair of neighbours of which one is a silent word ("how many"); and the
 * pieces of each telling word, by which "delivered" resembles "delivery". `kindOfTerm` tells them apart.
 */
export function askedTerms(text: string, stem: Stem): readonly string[] {
  const words = cutWordsOf(text);
  const stems = words.map(stem);
  const pairs = stems.slice(1).flatMap((next, place) => {
    const isTelling = [words[place], words[place + 1]].some((word) => word !== undefined && silentWords.has(word));
    return isTelling ? [`${stems[place]} ${next}`] : [];
  });
  const pieces = stems.flatMap((term, place) => (silentWords.has(words[place] ?? '') ? [] : piecesOf(term)));
  return [...stems, ...words.map((word) => `=${word}`), ...pairs, ...pieces];
}

/** Of a description that stands for what nobody has asked yet: its telling words as written, and their pieces. Its stems are `describedTerms`. */
export function terseTerms(text: string, stem: Stem): readonly string[] {
  return exactTerms(
    cutWordsOf(text).filter((word) => !silentWords.has(word)),
    stem,
  );
}

function exactTerms(words: readonly string[], stem: Stem): readonly string[] {
  return [...words.map((word) => `=${word}`), ...words.flatMap((word) => piecesOf(stem(word)))];
}

function cutWordsOf(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.slice(0, maxLetters));
}

export function kindOfTerm(term: string): TermKind {
  if (term.startsWith('=')) return 'written';
  if (term.startsWith('~')) return 'piece';
  if (term.includes(' ')) return 'pair';
  return /^\p{N}/u.test(term) ? 'number' : 'word';
}

/** Four letters at a time, its beginning and end counting as letters. */
function piecesOf(term: string): readonly string[] {
  const whole = `^${term}$`;
  return Array.from({ length: Math.max(0, whole.length - 3) }, (_, start) => `~${whole.slice(start, start + 4)}`);
}

/** How many words were read for these terms: each is among them once as it is written. */
export function wordCountOf(terms: readonly string[]): number {
  return terms.filter((term) => kindOfTerm(term) === 'written').length;
}

export function isSilentQuestion(text: string): boolean {
  return wordsOf(text).every((word) => silentWords.has(word));
}

/** With the words for the addresses and file names in it: "is https://shop.example dead?" asks about a URL. */
export function withWordsOfLiterals(question: string): string {
  return [question, ...literals.filter(([pattern]) => pattern.test(question)).map(([, words]) => words)].join(' . ');
}
