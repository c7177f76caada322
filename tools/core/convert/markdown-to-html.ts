import type { IOptions } from 'sanitize-html';
import { documentTooLarge, maxDocumentCharacters, nestedTooDeeply } from '../json/check-document.ts';
import { withGitHub } from './github-markdown.ts';

interface MarkdownParameters {
  readonly text: string;
  readonly sanitize: boolean;
  /** GitHub Flavored Markdown: tables, strikethrough, task lists and bare links. */
  readonly gfm: boolean;
}

const block = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'hr', 'blockquote', 'pre', 'div', 'details', 'summary', 'figure', 'figcaption'];
const lists = ['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'input'];
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
const inline = ['a', 'abbr', 'b', 'br', 'cite', 'code', 'del', 'em', 'i', 'img', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span'];

/** Elements that Markdown produces, and plain markup that people write beside it. */
const allowed: IOptions = {
  allowedTags: [...block, ...lists, ...tables, ...inline, 'strong', 'sub', 'sup', 'u', 'var'],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    input: ['type', 'checked', 'disabled'],
    ol: ['start'],
    details: ['open'],
    th: ['align', 'colspan', 'rowspan'],
    td: ['align', 'colspan', 'rowspan'],
  },
  allowedClasses: { code: ['language-*'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  // Checkboxes of task lists only, without input.
  transformTags: { input: (tagName, attribs) => ({ tagName, attribs: { ...attribs, disabled: '' } }) },
  exclusiveFilter: ({ tag, attribs }) => tag === 'input' && attribs['type'] !== 'checkbox',
};

/** Unlimited in practice, because the stack ends earlier. At its own limit the library silently leaves out the rest. */
const maxNesting = 1_000_000;

/** Converts Markdown (CommonMark 0.31) to HTML. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. May run for a very long time. */
export async function markdownToHtml({ text, sanitize, gfm }: MarkdownParameters): Promise<{ readonly html: string }> {
  const { default: MarkdownIt } = await import('markdown-it');
  const options = { html: true, xhtmlOut: true, linkify: gfm, maxNesting };
  try {
    const reader = gfm ? withGitHub(new MarkdownIt(options)) : new MarkdownIt('commonmark', options);
    const made = reader.render(text);
    const html = sanitize ? await sanitized(made) : made;
    if (html.length > maxDocumentCharacters) throw documentTooLarge('Convert a part of it.');
    return { html };
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeeply('text') : error;
  }
}

async function sanitized(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html');
  return sanitizeHtml(html, allowed);
}
