import { parseUrl, toUrl } from '../../../kernel/index.ts';
import { absolute, oneLine, openPage, type PageData } from './page-document.ts';

interface Link {
  readonly url: string;
  readonly text: string;
  readonly rel: string | null;
}

/** Returns the links of a page, each address once, in the order of the page. Runs in a child process. */
export async function linksOf({ same_host: sameHost, ...page }: PageData & { readonly same_host: boolean }): Promise<{ links: Link[] }> {
  const { $, base } = await openPage(page);
  const host = base === undefined ? undefined : toUrl(base).host;
  const links = new Map<string, Link>();
  for (const element of $('a[href], area[href]').toArray()) {
    const node = $(element);
    const url = absolute(node.attr('href'), base);
    if (url === undefined || !isWeb(url) || (sameHost && !isOfHost(url, host))) continue;
    const text =
      oneLine(node.text()) || oneLine(node.attr('aria-label') ?? node.find('img[alt]').first().attr('alt') ?? node.attr('alt') ?? '');
    const known = links.get(url);
    if (known === undefined || (known.text === '' && text !== '')) links.set(url, { url, text, rel: node.attr('rel') ?? null });
  }
  return { links: [...links.values()] };
}

/**
 * Returns true for http, https, mailto, tel and ftp, and for an address without a scheme, whose base is unknown; not for
 * javascript:, data: and the like.
 */
function isWeb(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto', 'tel', 'ftp'].includes(scheme);
}

function isOfHost(url: string, host: string | undefined): boolean {
  const address = parseUrl(url);
  return address === undefined ? host === undefined : address.host === host;
}
