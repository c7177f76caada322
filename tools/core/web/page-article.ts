import { parseUrl } from '../../../kernel/index.ts';
import { type PageData, withinStack } from './page-document.ts';

interface Article {
  readonly title: string | null;
  readonly byline: string | null;
  readonly content_markdown: string;
  readonly excerpt: string | null;
  readonly length: number;
}

interface PageElement {
  readonly nodeName: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}

/** Used part of linkedom's document, whose own types need those of a browser. */
interface PageDocument {
  readonly documentElement: PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

/**
 * Returns the main text of a page; null when there is none. Runs in a child process. Throws EXECUTION_FAILED for a page that is
 * nested too deeply.
 */
export async function articleOf({ html, url }: PageData): Promise<{ article: Article | null }> {
  if (!/<[a-z!?/]/i.test(html)) return { article: plainArticle(html.trim()) };
  const [{ Readability }, { default: Turndown }, document] = await Promise.all([
    import('@mozilla/readability'),
    import('turndown'),
    documentOf(html),
  ]);
  if (url !== undefined) setBase(document, url);
  return withinStack(() => {
    const found = new Readability(document as never, { keepClasses: false }).parse();
    if (found === null || typeof found.content !== 'string') return { article: null };
    const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
    turndown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object']);
    return {
      article: {
        title: textOrNull(found.title),
        byline: textOrNull(found.byline),
        content_markdown: turndown.turndown(found.content).trim(),
        excerpt: textOrNull(found.excerpt),
        length: found.textContent?.trim().length ?? 0,
      },
    };
  });
}

/** Returns a text without tags as an article with its lines. */
function plainArticle(text: string): Article | null {
  return text === '' ? null : { title: null, byline: null, content_markdown: text, excerpt: null, length: text.length };
}

/** Completes a fragment to a page, as a browser does: the library takes the first element for the page, or fails without one. */
async function documentOf(html: string): Promise<PageDocument> {
  const parse = (await import('linkedom')).parseHTML as unknown as (html: string) => { readonly document: PageDocument };
  const { document } = parse(html);
  if (document.documentElement?.nodeName === 'HTML') return document;
  const { load } = await import('cheerio');
  return parse(load(html).html()).document;
}

/** Sets the base address for relative links and images; the parser does not know the address of the page. */
function setBase(document: PageDocument, url: string): void {
  const written = document.querySelector('base[href]')?.getAttribute('href') ?? undefined;
  const base = (written === undefined ? undefined : parseUrl(written, url)?.href) ?? url;
  Object.defineProperty(document, 'baseURI', { value: base });
  Object.defineProperty(document, 'documentURI', { value: url });
  for (const [selector, attribute] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const)
    for (const element of document.querySelectorAll(selector)) {
      const address = parseUrl(element.getAttribute(attribute)?.trim() ?? '', base);
      if (address === undefined) continue;
      if (['http:', 'https:', 'mailto:'].includes(address.protocol)) element.setAttribute(attribute, address.href);
      else element.removeAttribute(attribute);
    }
}

function textOrNull(text: string | null | undefined): string | null {
  const trimmed = text?.replace(/\s+/g, ' ').trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
