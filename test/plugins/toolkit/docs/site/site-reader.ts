import { load } from 'cheerio';
import Reader from 'markdown-it';
import { addSiteRules, type LinkedPages } from '../../../../../plugins/toolkit/docs/site/markdown-rules.ts';
import { anchorOf } from '../../../../../plugins/toolkit/docs/site/page-address.ts';

/** Returns the HTML of a page as the generator makes it, without the colors of code. `source`: the Markdown file of the page. */
export function siteHtml(
  markdown: string,
  source = 'index.md',
  pages: LinkedPages = { fileOf: () => undefined, hasPage: () => false },
): string {
  const reader = new Reader({ html: false, linkify: false });
  reader.core.ruler.push('anchor', ({ tokens }) => {
    const counts = new Map<string, number>();
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const words = tokens[index + 1]?.children?.filter(({ type }) => ['text', 'text_special', 'code_inline'].includes(type));
      const anchor = anchorOf(words?.map(({ content }) => content).join('') ?? '');
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      token.attrSet('id', count === 0 ? anchor : `${anchor}-${count}`);
    }
  });
  addSiteRules(reader, pages);
  return reader.render(markdown, { relativePath: source });
}

/** Returns a page as a browser reads it. */
export const siteDocument = (...page: Parameters<typeof siteHtml>) => load(`<main>${siteHtml(...page)}</main>`);
