import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import type Turndown from 'turndown';
import { parseUrl } from '../../../kernel/index.ts';
import { addPageTables } from './page-markdown-tables.ts';

export type PageFormat = 'markdown' | 'text' | 'html';

export interface RenderedPage {
  readonly title: string | null;
  readonly content: string;
}

interface PageParameters {
  readonly html: string;
  readonly format: PageFormat;
  /** Base of relative addresses, unless the page sets another. */
  readonly url: string;
}

/** Elements without text of the page. */
const silent = ['script', 'style', 'noscript', 'template', 'title', 'svg', 'canvas', 'iframe', 'object', 'datalist'];

/**
 * Converts HTML to the requested format. Runs in a child process: some pages take minutes, and the libraries cannot be
 * interrupted.
 */
export async function renderPage({ html, format, url }: PageParameters): Promise<RenderedPage> {
  return { title: titleOf(html), content: await contentOf({ html, format, url }) };
}

async function contentOf({ html, format, url }: PageParameters): Promise<string> {
  if (format === 'html') return html;
  return format === 'text' ? textOf(html) : markdownOf(html, baseOf(html, url));
}

function titleOf(page: string): string | null {
  const title = firstElement(page, 'title', 'inline').replace(/\s+/g, ' ').trim();
  return title === '' ? null : title;
}

/** Returns the base of relative addresses: `<base href>`, or the address of the page. */
function baseOf(page: string, url: string): string {
  const href = firstElement(page, 'base', 'href');
  return (href === '' ? undefined : parseUrl(href, url)?.href) ?? url;
}

/** Returns the first element that matches; empty when there is none, and in a page that is nested too deeply to search. */
function firstElement(page: string, selector: string, format: string): string {
  const addHref: FormatCallback = (element, _walk, builder) =>
    builder.addInline((element.attribs as Record<string, string>)['href'] ?? '', { noWordTransform: true });
  const options: HtmlToTextOptions = {
    wordwrap: false,
    baseElements: { selectors: [selector], returnDomByDefault: false },
    limits: { maxBaseElements: 1 },
    formatters: { href: addHref },
    selectors: [{ selector, format }],
  };
  try {
    return convert(page, options);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function textOf(page: string): string {
  const plain = { leadingLineBreaks: 2, trailingLineBreaks: 2, uppercase: false };
  const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading', options: plain }));
  const text = convert(page, {
    wordwrap: false,
    selectors: [
      ...headings,
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { suffix: ' ' } })),
      ...silent.map((selector) => ({ selector, format: 'skip' })),
    ],
  });
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

async function markdownOf(page: string, base: string): Promise<string> {
  const { default: Converter } = await import('turndown');
  const turndown = new Converter({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
  const attribute = (node: Turndown.Node, name: string): string | null =>
    (node as unknown as { getAttribute(name: string): string | null }).getAttribute(name);
  turndown.remove(silent as Turndown.Filter);
  turndown.addRule('link', { filter: 'a', replacement: (content, node) => link(content, absolute(attribute(node, 'href'), base)) });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => image(attribute(node, 'alt') ?? '', absolute(attribute(node, 'src'), base)),
  });
  addPageTables(turndown);
  return turndown.turndown(page).trim();
}

/** Returns an absolute http, https, mailto or tel address; undefined for any other, such as javascript: and data:. */
function absolute(address: string | null, base: string): string | undefined {
  const found = address === null ? undefined : parseUrl(address.trim(), base);
  if (found === undefined || !['http:', 'https:', 'mailto:', 'tel:'].includes(found.protocol)) return undefined;
  return found.href.replace(/[()]/g, encodeParenthesis);
}

/** Escapes a parenthesis, which would end the address in Markdown. */
function encodeParenthesis(character: string): string {
  return character === '(' ? '%28' : '%29';
}

function link(content: string, address: string | undefined): string {
  const text = oneLine(content);
  return address === undefined || text === '' ? content : `[${text}](${address})`;
}

function image(alternative: string, address: string | undefined): string {
  return address === undefined ? '' : `![${oneLine(alternative).replace(/[[\]]/g, '\\$&')}](${address})`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
