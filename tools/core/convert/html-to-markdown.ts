import { documentTooLarge, maxDocumentCharacters, nestedTooDeeply } from '../json/check-document.ts';
import { addRules } from './markdown-rules.ts';

interface ToMarkdownParameters {
  readonly html: string;
  /** Base of relative addresses. Without it they stay relative. */
  readonly base_url?: string;
}

/**
 * Converts a page to Markdown. Throws INVALID_PARAMETERS for one nested too deeply, and OUTPUT_TOO_LARGE. May run for a very long time: the
 * library takes quadratic time for some runs of white space.
 */
export async function htmlToMarkdown({ html, base_url }: ToMarkdownParameters): Promise<{ readonly markdown: string }> {
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
  addRules(turndown, base_url);
  try {
    const markdown = turndown.turndown(html).trim();
    if (markdown.length > maxDocumentCharacters) throw documentTooLarge('Convert a part of the page.');
    return { markdown };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('html') : error;
  }
}
