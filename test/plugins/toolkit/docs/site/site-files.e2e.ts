import path from 'node:path';
import { expect } from 'chai';
import { before } from 'mocha';
import type { Tool } from '../../../../../kernel/index.ts';
import { guides } from '../../../../../plugins/toolkit/docs/guides.ts';
import { type ReferenceTexts, referencePages } from '../../../../../plugins/toolkit/docs/reference-pages.ts';
import { loadShippedTools } from '../../../../../plugins/toolkit/docs/shipped-tools.ts';
import { linksIn } from '../../../../../plugins/toolkit/docs/site/links-in.ts';
import { linkedFile, pageAddress, sourceFile } from '../../../../../plugins/toolkit/docs/site/page-address.ts';
import { type SitePage, sitePages } from '../../../../../plugins/toolkit/docs/site/site-pages.ts';
import { siteSource } from '../../../../../plugins/toolkit/docs/site/site-source.ts';
import { siteDocument } from './site-reader.ts';

const root = path.resolve('.');

describe('the source of the site', () => {
  let tools: readonly Tool[];
  let reference: ReferenceTexts;
  let pages: readonly SitePage[];
  /** Ids and links by the address of their page. */
  const ids = new Map<string, readonly string[]>();
  const links = new Map<string, readonly string[]>();
  const options = () => ({ root, base: '/', title: 'toolkit', description: 'Tools.', llms: reference['llms.txt'] });

  before(async () => {
    tools = await loadShippedTools(root);
    reference = await referencePages(root, tools);
    pages = await sitePages(root, tools, reference);
    const files = new Map(pages.map(({ file }) => [sourceFile(file), file]));
    const known = new Set(files.values());
    for (const { file, markdown } of pages) {
      const page = siteDocument(markdown, sourceFile(file), { fileOf: (source) => files.get(source), hasPage: (name) => known.has(name) });
      const all = (selector: string, attribute: string): string[] =>
        page(selector)
          .get()
          .map((element) => page(element).attr(attribute) ?? '');
      ids.set(pageAddress(file), all('[id]', 'id'));
      links.set(pageAddress(file), all('a', 'href'));
    }
  });

  it('has a page for every tool, which the list of tools links', () => {
    const listed = links.get('plugins/toolkit/reference/tools.html') ?? [];
    const missing = tools.filter(({ name }) => !listed.some((href) => href.endsWith(`/${name}.html`)));
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
    expect(ids.get('tools/core/git/git_log.html')).to.include.members(['git_log', 'max_count', 'output', 'examples']);
  });

  it('has a page for every guide and every page of the reference', () => {
    const files = pages.map(({ file }) => file);
    expect(files).to.include.members(guides.map(({ file }) => file));
    expect(files.filter((file) => file.startsWith('plugins/toolkit/reference/')).length).to.equal(Object.keys(reference).length - 1);
  });

  it('has no dead link, neither to a page nor to a place in it', () => {
    const dead = [...links].flatMap(([address, hrefs]) =>
      hrefs
        .filter((href) => {
          if (/^(https?|mailto):/.test(href)) return false;
          const [place = '', fragment] = href.split('#');
          const target = place === '' ? address : path.posix.join(path.posix.dirname(address), place);
          return !links.has(target) || (fragment !== undefined && ids.get(target)?.includes(decodeURIComponent(fragment)) !== true);
        })
        .map((href) => `${address}: ${href}`),
    );
    expect([...links.values()].flat().length).to.be.greaterThan(400);
    expect(dead).to.deep.equal([]);
  });

  it('drops no link of a document', () => {
    const known = new Set(pages.map(({ file }) => file));
    const dropped = pages.flatMap(({ file, markdown }) =>
      linksIn(markdown)
        .filter((href) => !/^(https?:|mailto:|#)/.test(href) && !known.has(linkedFile(file, href) ?? ''))
        .map((href) => `${file}: ${href}`),
    );
    expect(dropped).to.deep.equal([]);
  });

  it('has no id twice in a page', () => {
    const twice = [...ids].filter(([, all]) => new Set(all).size < all.length);
    expect(twice.map(([address]) => address)).to.deep.equal([]);
  });

  it('has the pictures in light and dark, and llms.txt with links to pages', async () => {
    const source = await siteSource(pages, options());
    const picture = 'public/pictures/plugins/toolkit/reference/terminal';
    expect(source.get(`${picture}-dark.svg`)).to.include('#0d1117');
    expect(source.get(`${picture}-light.svg`))
      .to.include('#f6f8fa')
      .and.not.include('#0d1117');
    for (const name of ['inbox', 'call', 'sources'])
      for (const form of ['light', 'dark'])
        expect(source.get(`public/pictures/plugins/console/pictures/${name}-${form}.webp`), name).to.be.instanceOf(Uint8Array);
    expect(source.get('public/llms.txt')).to.include('](plugins/toolkit/reference/errors.html)');
  });

  it('is the same each time', async () => {
    const written = async (source: ReturnType<typeof siteSource>): Promise<unknown> =>
      [...(await source)].map(([file, content]) => [file, Buffer.from(content).toString('base64')]);
    const again = await sitePages(root, tools, reference);
    expect(await written(siteSource(again, options()))).to.deep.equal(await written(siteSource(pages, options())));
  });
});
