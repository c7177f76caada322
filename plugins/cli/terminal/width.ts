/** How much room texts take on a terminal; styles take none. */
export interface TextWidth {
  /** In columns. */
  of(text: string): number;
  /** What fits into so many columns, of a text without styles. What is left out is marked with `ellipsis`. @default '…' */
  cut(text: string, columns: number, ellipsis?: string): string;
}

/** The library is loaded on first use. */
export async function textWidth(): Promise<TextWidth> {
  const { default: truncated } = await import('fast-string-truncated-width');
  return {
    of: (text) => truncated(text, { limit: Number.POSITIVE_INFINITY }).width,
    cut(text, columns, ellipsis = '…') {
      const { index, truncated: isCut, ellipsed } = truncated(text, { limit: columns, ellipsis });
      return isCut ? text.slice(0, index) + (ellipsed ? ellipsis : '') : text;
    },
  };
}
