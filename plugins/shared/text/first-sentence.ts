/** Maximum UTF-16 units of a sentence. */
const maxSentence = 200;

/** Returns the first sentence of a description, on one line. A longer one is cut at a word. */
export function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const [sentence = line] = line.match(/^.+?[.!?](?= [\p{Lu}\d"'(]|$)/u) ?? [];
  return sentence.length <= maxSentence ? sentence : `${sentence.slice(0, maxSentence).replace(/\s+\S*$/, '')}…`;
}
