/**
 * Value of a parameter with `streamed`: the text itself, or the chunks of a file, none of which splits a character. Iterating a plain
 * string yields single characters: check for a string first.
 */
export type StreamedText = string | AsyncIterable<string>;
