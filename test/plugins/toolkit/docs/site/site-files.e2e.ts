import path from 'node:path';
import { expect } from 'chai';
import { before } from 'mocha';
import type { Tool } from '../../../../../kernel/index.ts';
import { referencePages } from '../../../../../plugins/toolkit/docs/reference-pages.ts';
import { shippedTools } from '../../../../../plugins/toolkit/docs/shipped-tools.ts';
import { linksIn } from '../../../../../plugins/toolkit/docs/site/rendered-page.ts';
import { siteFiles } from '../../../../../plugins/toolkit/docs/site/site-files.ts';
import { linkedFile, type SitePage, sitePages } from '../../../../../plugins/toolkit/docs/site/site-pages.ts';

const root = path.resolve('.');

describe('the site', () => {
  let tools: readonly Tool[];
  let pages: readonly SitePage[];
  let llms: string;
  let files: ReadonlyMap<string, string>;
  /** Of each page its ids, and what its elements lead to or load. */
  const ids = new Map<string, readonly string[]>();
  const links = new Map<string, readonly string[]>();
  const loads = new Map<string, readonly string[]>();
  before(async function () {
    this.timeout(300_000);
    tools = await shippedTools(root);
    const reference = await referencePages(root, tools);
    pages = await sitePages(root, tools, reference);
    llms = reference['llms.txt'];
    files = await siteFiles(pages, llms);
    for (const [address, text] of files) {
      if (!address.endsWith('.html')) continue;
      const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
      ids.set(address, all(/<[^<>]* id="([^"]*)"/g));
      links.set(address, all(/<a href="([^"]*)"/g));
      loads.set(address, all(/<(?!a )[^<>]* (?:src|href)="([^"]*)"/g));
    }
  });

  it('has a page for every tool, which the list of tools links', () => {
    const listed = links.get('plugins/toolkit/reference/tools.html') ?? [];
    const missing = tools.filter(({ name }) => !listed.some((href) => href.endsWith(`/${name}.html`)));
    expect(missing.map(({ name }) => name)).to.deep.equal([]);
    const page = files.get('tools/core/git/git_log.html') ?? '';
    for (const words of ['<h1 id="git_log">', 'id="max_count"', '<h2 id="output">', '<h2 id="examples">']) expect(page).to.include(words);
  });

  it('has no dead link, neither to a page nor to a place in it', () => {
    const dead = [...links].flatMap(([address, hrefs]) =>
      hrefs
        .filter((href) => {
          if (/^(https?|mailto):/.test(href)) return false;
          const [place = '', fragment] = href.split('#');
          const target = place === '' ? address : path.posix.join(path.posix.dirname(address), place);
          return !files.has(target) || (fragment !== undefined && ids.get(target)?.includes(decodeURIComponent(fragment)) !== true);
        })
        .map((href) => `${address}: ${href}`),
    );
    expect([...links.values()].flat().length).to.be.greaterThan(5000);
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

  it('loads nothing but its own files', () => {
    const others = [...loads].flatMap(([address, sources]) =>
      sources.filter((source) => !files.has(path.posix.join(path.posix.dirname(address), source))),
    );
    expect([...loads.values()].flat().length).to.be.greaterThan(500);
    expect(others).to.deep.equal([]);
    const scripts = [...files].filter(([address]) => address.startsWith('assets/s')).map(([, text]) => text.slice(0, 5000));
    expect(scripts.join('')).to.not.match(/\bfetch\(|XMLHttpRequest|@import|url\(|innerHTML/);
  });

  it('is the same each time', async () => {
    expect([...(await siteFiles(pages, llms))]).to.deep.equal([...files]);
  });
});
