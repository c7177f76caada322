import type { FormatCallback, HtmlToTextOptions } from 'html-to-text';
import { documentTooLarge, maxDocumentCharacters, nestedTooDeeply } from '../json/check-document.ts';
import { safeAddress } from './safe-address.ts';
import { silentElements } from './silent-elements.ts';

interface TextParameters {
  readonly html: string;
  /** Maximum characters in a line. @default no wrapping */
  readonly word_wrap?: number;
  readonly keep_links: boolean;
}

/** Extracts the text of a page. Throws INVALID_PARAMETERS for one nested too deeply, and OUTPUT_TOO_LARGE. */
export async function htmlToText({ html, word_wrap, keep_links }: TextParameters): Promise<{ readonly text: string }> {
  const { convert } = await import('html-to-text');
  try {
    const text = convert(html, optionsFor(word_wrap, keep_links))
      .replace(/[ \t]+$/gm, '')
      .replace(/^\n+|\n+$/g, '');
    if (text.length > maxDocumentCharacters) throw documentTooLarge('Convert a part of the page.');
    return { text };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('html') : error;
  }
}

function optionsFor(wordWrap: number | undefined, keepLinks: boolean): HtmlToTextOptions {
  const plain = { leadingLineBreaks: 2, trailingLineBreaks: 2, uppercase: false };
  const link = {
    ignoreHref: !keepLinks,
    hideLinkHrefIfSameAsText: true,
    noAnchorUrl: true,
    linkBrackets: ['(', ')'] as [string, string],
    pathRewrite: (path: string) => safeAddress(path, undefined) ?? '',
  };
  return {
    wordwrap: wordWrap ?? false,
    formatters: { alternative },
    selectors: [
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading', options: plain })),
      { selector: 'a', options: link },
      { selector: 'img', format: 'alternative' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { suffix: ' ' } })),
      ...silentElements.map((selector) => ({ selector, format: 'skip' })),
    ],
  };
}

/** Writes the alternative text of an image. */
const alternative: FormatCallback = (element, _walk, builder) => {
  const text: unknown = element.attribs?.['alt'];
  if (typeof text === 'string' && text !== '') builder.addInline(text);
};
