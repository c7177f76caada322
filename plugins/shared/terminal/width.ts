/** Measures the width of texts on a terminal. Styles have no width. */
export interface TextWidth {
  /** Returns the width in columns. */
  measure(text: string): number;
  /** Cuts a text without styles to a number of columns and marks the cut with `ellipsis`. @default '…' */
  cut(text: string, columns: number, ellipsis?: string): string;
}

/** Loads the library on first use. */
export async function textWidth(): Promise<TextWidth> {
  const { default: truncated } = await import('fast-string-truncated-width');
  return {
    measure: (text) => truncated(text, { limit: Number.POSITIVE_INFINITY }).width,
    cut(text, columns, ellipsis = '…') {
      const { index, truncated: isCut, ellipsed } = truncated(text, { limit: columns, ellipsis });
      return isCut ? text.slice(0, index) + (ellipsed ? ellipsis : '') : text;
    },
  };
}
