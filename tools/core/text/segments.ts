/** Minimum length of a part that the segmenter gets, in UTF-16 code units. */
const minPartUnits = 1000;

/** A character with a grapheme border before it, and one after it unless a joining character follows (UAX #29, 3.1.1). */
const single = '[ -~\\u3041-\\u3096\\u30A1-\\u30FA\\u4E00-\\u9FFF\\uAC00-\\uD7A3\\p{Lu}\\p{Ll}\\p{Extended_Pictographic}]';

/** Characters that an emoji can end with: a variation selector or a skin tone. */
const emojiEnds = '\\uFE0F\\u{1F3FB}-\\u{1F3FF}';

/** Patterns for borders that are certain without more context; texts have others too. From UAX #29: GB999, WB999 and SB11. */
const certainBorders = {
  grapheme: `(?<=\\n)|(?<=${single}|[${emojiEnds}])(?=${single})`,
  word: `(?<=\\n)|(?<=[ 。、！？，])(?=[\\p{L}\\p{N}])|(?<=[\\p{Extended_Pictographic}${emojiEnds}])(?=\\p{Extended_Pictographic})(?!\\p{Alphabetic})`,
  sentence: '(?<=\\n)|(?<=[.!?] )(?=\\p{Lu})|(?<=[。！？])(?=\\p{L})',
} as const;

/**
 * Yields the graphemes, words (with the text between them) or sentences of a text by Unicode UAX #29. `Intl.Segmenter` copies its whole
 * text for every segment (Node 20), so it gets the text in parts that end at a certain border.
 */
export function* segmentsOf(text: string, granularity: keyof typeof certainBorders): Generator<Intl.SegmentData> {
  const segmenter = new Intl.Segmenter('en', { granularity });
  const border = new RegExp(certainBorders[granularity], 'gu');
  for (let start = 0; start < text.length; ) {
    border.lastIndex = start + minPartUnits;
    const end = border.exec(text)?.index ?? text.length;
    yield* segmenter.segment(text.slice(start, end));
    start = end;
  }
}

export function graphemesOf(text: string): string[] {
  return Array.from(segmentsOf(text, 'grapheme'), ({ segment }) => segment);
}
