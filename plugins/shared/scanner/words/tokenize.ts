import { isSensitivePath } from './sensitive-path.ts';
import type { Token } from './token.ts';
import { foldDigits, hasWord, longestWordAt, splitIntoWords } from './vocabulary.ts';

/** Runs without spaces and brackets; single other characters; blank lines. Each alternative consumes what it tests. */
const chunks = /(?:[^\s"'`()<>[\]{},;!?|“”„«»。，！？、；]|(?<=\p{L})'(?=\p{L}))+|\n[^\S\n]*\n|\S/gu;

const words = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu;

const humps = /(?<=[\p{Ll}\d])(?=\p{Lu})/u;

const outside =
  /^(?:[a-z][a-z\d+.-]{1,20}:\/\/|www\.)\S|^[\w.+-]{1,64}@[\w-]{1,64}\.\w|^(?:\d{1,3}\.){3}\d{1,3}(?:[:/]|$)|^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}:\d{2,5}(?:\/|$)/i;

/** Environment variables whose value is a secret. */
const variable = /^\$?\{?[A-Z][A-Z\d]{0,40}(?:_[A-Z\d]{1,40}){0,8}_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)\}?$/;

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A run of single letters is one word, whose letters are spaced, from this number on. */
const minSpaced = 5;

/** Collects tokens while a text is read. */
class TokenList {
  readonly tokens: Token[] = [];
  #sentence = 0;
  #ends = false;

  push(word: string, start: number, end: number, isUpper: boolean, name?: string): void {
    // "e.g. this" and "v. 2" are no ends; neither hide dots between the words of a sentence what it says.
    if (this.#ends && isUpper) this.#sentence += 1;
    this.#ends = false;
    this.tokens.push({ word, start, end, sentence: this.#sentence, isQuoted: false, ...(name === undefined ? {} : { name }) });
  }

  endSentence(isCertain: boolean): void {
    if (isCertain) this.#sentence += 1;
    else this.#ends = true;
  }
}

/** Splits a text into its words. Identifiers fall into their words, spaced letters and words without spaces into what the vocabulary has. */
export function tokenize(text: string): readonly Token[] {
  const list = new TokenList();
  const quotes = new Map<string, number>();
  const quoted: (readonly [number, number])[] = [];
  for (const { 0: chunk, index } of text.matchAll(chunks)) {
    if (/["'`“”„«»]/.test(chunk) && chunk.length === 1) noteQuote(chunk, list.tokens.length, quotes, quoted);
    else if (/[.!?;。！？；\n]/.test(chunk[0] ?? '') && chunk.trim().length <= 1) {
      list.endSentence(chunk !== '.' && chunk !== '!' && chunk !== '?');
      if (chunk.includes('\n')) quotes.clear();
    } else pushChunk(list, chunk, index);
  }
  return markQuoted(joinSpaced(list.tokens), list.tokens, quoted);
}

function pushChunk(list: TokenList, chunk: string, index: number): void {
  const bare = chunk.replace(/[.:*~]{1,8}$/, '');
  const lower = bare.toLowerCase();
  const isUpper = /^[^\p{L}]{0,8}\p{Lu}/u.test(chunk);
  if (outside.test(bare)) list.push('$outside', index, index + bare.length, isUpper);
  else if (variable.test(bare)) list.push('$variable', index, index + bare.length, isUpper);
  else if (isSensitivePath(lower)) list.push('$path', index, index + bare.length, isUpper);
  else if (foldDigits(lower) !== undefined) list.push(foldDigits(lower) ?? lower, index, index + bare.length, isUpper);
  else pushWords(list, bare, index, isUpper);
  if (/\.[*~]{0,8}$/.test(chunk)) list.endSentence(false);
}

function pushWords(list: TokenList, chunk: string, index: number, isUpper: boolean): void {
  const isName = /^[\p{L}\d]+(?:[_-][\p{L}\d]+)+$/u.test(chunk) || /^\p{Ll}+\p{Lu}\p{Ll}/u.test(chunk);
  let name = isName && chunk.length <= 128 ? chunk.toLowerCase() : undefined;
  let first = isUpper;
  for (const { 0: run, index: at } of chunk.matchAll(words)) {
    let start = index + at;
    for (const part of partsOf(run)) {
      for (const word of wordsOf(part.toLowerCase())) {
        list.push(word, start, start + word.length, first, name);
        [first, name] = [false, undefined];
        start += word.length;
      }
    }
  }
}

/** Splits a run at its capitals. "iGnOrE" is one word: not all of its parts are long enough to be words. */
function partsOf(run: string): readonly string[] {
  const parts = run.split(humps);
  return hasWord(run.toLowerCase()) || parts.some(({ length }) => length < 2) ? [run] : parts;
}

/** Returns the words of a run of letters. */
function wordsOf(run: string): readonly string[] {
  if (hasWord(run)) return [run];
  if (!cjk.test(run)) return splitIntoWords(run) ?? [run];
  const found: string[] = [];
  for (let at = 0; at < run.length; ) {
    const word = longestWordAt(run, at) ?? String.fromCodePoint(run.codePointAt(at) ?? 0);
    found.push(word);
    at += word.length;
  }
  return found;
}

/** Joins runs of single letters, and two parts that are no words alone: `i g n o r e`, `ig nore`. */
function joinSpaced(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    let end = at;
    while (end < tokens.length && isLetter(tokens[end])) end += 1;
    if (end - at >= minSpaced) {
      const run = tokens.slice(at, end);
      for (const word of respaced(run)) joined.push(word);
      at = end;
      continue;
    }
    const next = tokens[at + 1];
    const pair = next !== undefined && next.start - token.end <= 3 && !hasWord(token.word) && !hasWord(next.word);
    const whole = pair && token.word.length + next.word.length <= 24 ? token.word + next.word : undefined;
    const isWhole = whole !== undefined && whole.length > 4 && hasWord(whole);
    joined.push(isWhole && next !== undefined ? { ...token, word: whole, end: next.end } : token);
    at += isWhole ? 2 : 1;
  }
  return joined;
}

function isLetter(token: Token | undefined): boolean {
  return token !== undefined && token.word.length === 1 && /\p{L}/u.test(token.word);
}

function respaced(run: readonly Token[]): readonly Token[] {
  const letters = run.map(({ word }) => word).join('');
  const found = splitIntoWords(letters) ?? [letters];
  let at = 0;
  return found.map((word) => {
    const [first, last] = [run[at] as Token, run[at + word.length - 1] as Token];
    at += word.length;
    return { ...first, word, end: last.end };
  });
}

const closing: Readonly<Record<string, string>> = { '“': '”', '„': '“', '«': '»' };

function noteQuote(quote: string, index: number, open: Map<string, number>, quoted: (readonly [number, number])[]): void {
  const start = open.get(quote);
  if (start !== undefined) {
    quoted.push([start, index]);
    open.delete(quote);
  } else open.set(closing[quote] ?? quote, index);
}

/** Marks tokens by the pairs of quotes, whose indexes are those before tokens were joined. */
function markQuoted(joined: readonly Token[], tokens: readonly Token[], quoted: readonly (readonly [number, number])[]): readonly Token[] {
  if (quoted.length === 0) return joined;
  const starts = quoted.map(([from, to]) => [tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0] as const).sort(([a], [b]) => a - b);
  let [pair, until] = [0, -1];
  return joined.map((token) => {
    for (; pair < starts.length && (starts[pair]?.[0] ?? 0) <= token.start; pair += 1) until = Math.max(until, starts[pair]?.[1] ?? -1);
    return token.start < until ? { ...token, isQuoted: true } : token;
  });
}
