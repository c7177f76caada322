import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { send } from './fetching.ts';

const { coreToolkit } = coreGroup('web');

const csv = 'name,price\nÄpfel,3\n';
const paragraph = 'The river rose again in the night, and the people of the old town carried their chairs to the upper floors. ';
const article = `<html lang="en"><head><title>The flood</title></head><body><nav><a href="/">Home</a></nav>
<article><h1>The flood</h1>${`<p>${paragraph.repeat(3)}</p>`.repeat(5)}</article></body></html>`;
const home = `<html><head><title>Example</title><meta name="description" content="A page"></head><body>
<h1>Welcome</h1><h2>More</h2><p>Words <a href="/more">here</a> <a href="https://other.example/">there</a></p></body></html>`;
const prices = '<table><tr><th>Name</th><th>Price</th></tr><tr><td>Äpfel</td><td>3</td></tr></table>';

/** Pages of the example site by path: the body and its Content-Type. */
const pages: Readonly<Record<string, readonly [string, string]>> = {
  '/': [home, 'text/html'],
  '/data.csv': [csv, 'text/csv'],
  '/news/article': [article, 'text/html'],
  '/prices': [prices, 'text/html'],
  '/feed.xml': [
    '<rss version="2.0"><channel><title>News</title><item><title>One</title><link>/1</link></item></channel></rss>',
    'application/rss+xml',
  ],
  '/robots.txt': ['User-agent: ExampleBot\nDisallow: /private/\n', 'text/plain'],
  '/sitemap.xml': ['<urlset><url><loc>https://example.com/1</loc></url></urlset>', 'application/xml'],
};

/** Expected outputs of each example in order; `site` is the address of the site, `cwd` the folder of the Toolkit. */
const expected: Readonly<Record<string, (site: string, cwd: string) => readonly JsonValue[]>> = {
  web_download: (_, cwd) => [
    {
      path: path.join(cwd, 'downloads/data.csv'),
      bytes: Buffer.byteLength(csv),
      content_type: 'text/csv',
      sha256: createHash('sha256').update(csv).digest('hex'),
    },
  ],
  web_extract_article: () => [
    {
      title: 'The flood',
      byline: null,
      content_markdown: `${`${paragraph.repeat(3).trim()}\n\n`.repeat(5).trim()}`,
      excerpt: paragraph.repeat(3).trim(),
      length: `${paragraph.repeat(3).trim()} `.repeat(5).trim().length,
    },
  ],
  web_extract_links: (site) => [
    { links: [{ url: `${site}/more`, text: 'here', rel: null }] },
    { links: [{ url: `${site}/a`, text: 'Link', rel: 'next' }] },
  ],
  web_extract_metadata: () => [
    { title: 'Example', description: 'A page', canonical: null, open_graph: {}, twitter: {}, json_ld: [] },
    { title: 'Grüße', description: null, canonical: null, open_graph: {}, twitter: {}, json_ld: [] },
  ],
  web_extract_tables: () => [
    { tables: [{ headers: ['Name', 'Price'], rows: [['Äpfel', '3']] }] },
    { tables: [{ headers: ['A'], rows: [['1']] }] },
  ],
  web_fetch: (site) => [
    {
      url: `${site}/`,
      status: 200,
      content_type: 'text/html',
      content: 'Welcome\n\nMore\n\nWords here there',
      title: 'Example',
      truncated: false,
    },
  ],
  web_graphql: () => [{ data: { thing: { name: 'Größe' } }, errors: [] }],
  web_head: (site) => [{ url: `${site}/data.csv`, status: 200, redirects: [] }],
  web_read_feed: (site) => [
    {
      title: 'News',
      about: { format: 'RSS 2.0' },
      items: [{ title: 'One', link: `${site}/1`, published_at: null, summary: null }],
      total: 1,
    },
    {
      title: 'Neuigkeiten',
      about: { format: 'RSS 2.0' },
      items: [{ title: 'Größe', link: 'https://example.com/1', published_at: null, summary: null }],
      total: 1,
    },
  ],
  web_read_robots: (site) => [
    {
      url: `${site}/robots.txt`,
      rules: [{ user_agent: 'ExampleBot', type: 'disallow', path: '/private/' }],
      sitemaps: [],
      allowed: false,
    },
  ],
  web_read_sitemap: () => [{ urls: [{ location: 'https://example.com/1', last_modified: null }], sitemaps: [], truncated: false }],
  web_request: (site) => [
    { url: `${site}/v1/things?page=2`, status: 200, body: '{"page":"2"}', body_encoding: 'utf8', truncated: false, redirects: [] },
    { url: `${site}/v1/things`, status: 201, body: '{"name":"Größe"}', body_encoding: 'utf8', truncated: false, redirects: [] },
  ],
  web_select: () => [
    {
      matches: [
        { text: 'Welcome', html: '<h1>Welcome</h1>', attribute: null },
        { text: 'More', html: '<h2>More</h2>', attribute: null },
      ],
      total: 2,
    },
    { matches: [{ text: 'Link', html: '<a href="/a" rel="next">Link</a>', attribute: '/a' }], total: 1 },
  ],
};

function openSite(): ReturnType<typeof loopback> {
  return loopback(({ method, url, body }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://site.example');
    const [content, type] = pages[pathname] ?? [];
    if (content !== undefined) send(response, content, type);
    else if (pathname === '/graphql' && JSON.parse(body).variables.id === '7') json(response, { data: { thing: { name: 'Größe' } } });
    else if (pathname === '/v1/things' && method === 'POST') json(response, JSON.parse(body), 201);
    else if (pathname === '/v1/things') json(response, Object.fromEntries(searchParams));
    else send(response, 'no such page', 'text/plain', 404);
  });
}

describe('the examples of the web tools', () => {
  it('are there for each of them, and no tool goes without a check', async () => {
    const toolkit = await coreToolkit();
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('web_'));
    expect(tools.map(({ name }) => name)).to.have.members(Object.keys(expected));
    for (const { name, definition } of tools)
      expect(definition.examples, name).to.have.lengthOf(expected[name]?.('', '').length ?? 0).and.not.be.empty;
  });

  for (const [name, results] of Object.entries(expected)) {
    it(`of ${name} give what the site has`, async () => {
      const site = await openSite();
      const cwd = await temporaryFolder();
      const toolkit = await coreToolkit({ allowHosts: ['127.0.0.1'], cwd });
      const examples = toolkit.listTools().find((tool) => tool.name === name)?.definition.examples ?? [];
      for (const [index, { parameters }] of examples.entries()) {
        const here = Object.entries(parameters).map(([key, value]) => [key, key.endsWith('url') ? atSite(String(value), site.url) : value]);
        const given = (await toolkit.execute(name, Object.fromEntries(here))) as Record<string, JsonValue>;
        const { headers: _headers, ...rest } = given;
        expect(rest).to.deep.equal(results(site.url, cwd)[index]);
      }
    });
  }
});

/** The same path of the site of this test. */
function atSite(address: string, site: string): string {
  return address.replace(/^https:\/\/(api\.)?example\.com/, site);
}
