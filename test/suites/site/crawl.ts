import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';

export interface CrawledSite {
  /** Paths of the pages that links lead to from the first page on, from the folder of the site on. */
  readonly pages: readonly string[];
  readonly links: number;
  /** `page: link`, for links to a page or an anchor that is not there. */
  readonly dead: readonly string[];
  /** `page: id`, for ids that an earlier element of the page has. */
  readonly repeatedIds: readonly string[];
}

interface Read {
  readonly ids: readonly string[];
  readonly hrefs: readonly string[];
}

/** Follows the links of the HTML files of a site from its first page on. */
export function crawl(folder: string, base: string): CrawledSite {
  const files = new Map<string, Read | undefined>();
  const readPage = (name: string): Read | undefined => {
    if (!files.has(name)) files.set(name, readFile(path.join(folder, name)));
    return files.get(name);
  };
  const pages = new Set(['index.html']);
  const dead: string[] = [];
  const repeatedIds: string[] = [];
  let links = 0;
  for (const page of pages) {
    const { ids, hrefs } = readPage(page) ?? { ids: [], hrefs: [] };
    repeatedIds.push(...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${page}: ${id}`));
    for (const href of hrefs) {
      links += 1;
      const { host, pathname, hash } = new URL(href, `http://site${base}${page}`);
      if (host !== 'site') continue;
      const name = decodeURIComponent(pathname)
        .slice(base.length)
        .replace(/(^|\/)$/, '$1index.html');
      const target = pathname.startsWith(base) ? readPage(name) : undefined;
      const anchor = decodeURIComponent(hash.slice(1));
      if (target === undefined || (anchor !== '' && !target.ids.includes(anchor))) dead.push(`${page}: ${href}`);
      else pages.add(name);
    }
  }
  return { pages: [...pages], links, dead, repeatedIds };
}

function readFile(file: string): Read | undefined {
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  if (!file.endsWith('.html')) return { ids: [], hrefs: [] };
  const ids: string[] = [];
  const hrefs: string[] = [];
  const parser = new Parser({
    onopentag: (name, { id, href }) => {
      if (id !== undefined) ids.push(id);
      if (name === 'a' && href !== undefined) hrefs.push(href);
    },
  });
  parser.end(readFileSync(file, 'utf8'));
  return { ids, hrefs };
}
