/**
 * The text of a parameter that says `streamed`: as the caller has typed it, or the pieces of a file, none of which ends inside a character. A text is
 * iterated character by character: take it as a whole first.
 */
export type StreamedText = string | AsyncIterable<string>;
