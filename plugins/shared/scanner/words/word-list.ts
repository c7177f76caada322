/** Returns the words and phrases of texts, in which commas separate them. */
export function wordList(...texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).map((word) => word.trim());
}
