/** A word of a text. */
export interface Token {
  /** In lower case; `$path` and `$outside` stand for words of that form. */
  readonly word: string;
  /** Index of its first and behind its last character in the text. */
  readonly start: number;
  readonly end: number;
  /** Number of its sentence. */
  readonly sentence: number;
  /** True between a pair of quotes. */
  readonly isQuoted: boolean;
  /** The identifier that begins with this word, in lower case: `send_email`. */
  readonly name?: string;
}
