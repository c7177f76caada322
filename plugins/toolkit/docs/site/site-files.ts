import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { guides } from '../guides.ts';
import { referenceFolder, referenceTitles } from '../reference-pages.ts';
import { htmlPage } from './html-page.ts';
import { pageAddress, relativeAddress } from './page-address.ts';
import { type RenderedPage, renderedPage } from './rendered-page.ts';
import { type SearchEntry, searchScript } from './search-script.ts';
import { linkedFile, type SitePage } from './site-pages.ts';

/** The text of each file of the site, by its address. `llms`: as it stands in the reference. */
export async function siteFiles(pages: readonly SitePage[], llms: string): Promise<ReadonlyMap<string, string>> {
  const known = new Set(pages.map(({ file }) => file));
  const menu = [
    ...guides,
    ...Object.entries(referenceTitles).map(([name, { title }]) => ({ file: `${referenceFolder}/${name}`, title })),
  ].map(({ file, title }) => ({ title, address: pageAddress(file) }));
  const rendered = pages.map((page) => ({ page, ...renderedPage(page.markdown, (href) => linkTarget(page.file, href, known)) }));
  return new Map([
    ...rendered.map(({ page: { file, title }, html }): [string, string] => {
      const address = pageAddress(file);
      return [address, htmlPage({ title, address, content: html, menu })];
    }),
    ['llms.txt', llms.replaceAll(/\]\(([^)]+)\)/g, (_, href: string) => `](${linkOfIndex(href)})`)],
    ['assets/style.css', await asset('style.css')],
    ['assets/search.js', await asset('search.js')],
    ['assets/minisearch.js', await miniSearch()],
    ['assets/search-index.js', searchScript(rendered.flatMap(({ page, places }) => entriesOf(page, places)))],
  ]);
}

/** Where a link leads in the site; undefined where it leads nowhere. */
function linkTarget(from: string, href: string, known: ReadonlySet<string>): string | undefined {
  if (/^(https?:|mailto:|#)/i.test(href)) return href;
  const file = linkedFile(from, href);
  if (file === undefined || !known.has(file)) return undefined;
  return `${relativeAddress(pageAddress(from), pageAddress(file))}${/#.*/s.exec(href)?.[0] ?? ''}`;
}

/** The text stands at the top of the site. */
function linkOfIndex(href: string): string {
  return pageAddress(linkedFile(`${referenceFolder}/llms.txt`, href) ?? href);
}

function entriesOf({ file, title, kind, searched }: SitePage, places: RenderedPage['places']): readonly SearchEntry[] {
  if (kind === undefined) return [];
  const address = pageAddress(file);
  if (searched !== undefined) return [{ address, title, kind, section: '', text: searched }];
  return places.map(({ id, title: name, section, text }) => ({
    address: `${address}#${id}`,
    title: name,
    kind,
    section: section === '' ? title : section,
    text,
  }));
}

function asset(name: string): Promise<string> {
  return readFile(path.join(import.meta.dirname, 'assets', name), 'utf8');
}

/** The build of MiniSearch for pages without modules. */
async function miniSearch(): Promise<string> {
  const own = createRequire(import.meta.url).resolve('minisearch');
  const text = await readFile(path.join(path.dirname(own), '..', 'umd', 'index.js'), 'utf8');
  return text.replace(/^\/\/# sourceMappingURL=.*$/m, '');
}
