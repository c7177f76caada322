import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

async function site(body: string | Uint8Array, type = 'text/plain', status = 200): Promise<string> {
  return (await loopback((_, response) => send(response, body, type, status))).url;
}

const set = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://a.example/?a=1&amp;b=ü </loc><lastmod>2026-01-31</lastmod></url><url><loc>https://a.example/2</loc></url><url></url></urlset>`;
const urls = [
  { location: 'https://a.example/?a=1&b=ü', last_modified: '2026-01-31' },
  { location: 'https://a.example/2', last_modified: null },
];

describe('web_read_sitemap', () => {
  const cases = [
    { what: 'a set of pages', body: set, expected: { urls, sitemaps: [], truncated: false } },
    { what: 'a gzip file', body: gzipSync(set), expected: { urls, sitemaps: [], truncated: false } },
    { what: 'names with a prefix', body: set.replaceAll(/<(\/?)(urlset|url|loc)/g, '<$1s:$2'), expected: undefined },
    {
      what: 'an index',
      body: '<sitemapindex><sitemap><loc>https://a.example/s1.xml</loc></sitemap></sitemapindex>',
      expected: { urls: [], sitemaps: ['https://a.example/s1.xml'], truncated: false },
    },
    {
      what: 'one address a line',
      body: '\uFEFFhttps://a.example/1\r\n\r\nhttps://a.example/2\n',
      expected: {
        urls: ['https://a.example/1', 'https://a.example/2'].map((location) => ({ location, last_modified: null })),
        sitemaps: [],
        truncated: false,
      },
    },
    { what: 'an empty set', body: '<urlset/>', expected: { urls: [], sitemaps: [], truncated: false } },
  ];
  for (const { what, body, expected } of cases) {
    it(`reads ${what}`, async () => {
      const read = await (await webTool('web_read_sitemap'))({ url: await site(body, 'application/xml') });
      if (expected === undefined) expect((read['urls'] as unknown[])[1]).to.deep.equal(urls[1]);
      else expect(read).to.deep.equal(expected);
    });
  }

  it('reads what is not well-formed, and says where', async () => {
    const body = set.replace('&amp;b', '&b').replace('</loc></url>', '</url>');
    const read = await (await webTool('web_read_sitemap'))({ url: await site(body, 'application/xml') });
    expect((read['urls'] as unknown[])[0]).to.deep.equal(urls[0]);
    expect(read['malformed']).to.equal('line 2, column 34: "&" stands for nothing: write a plain & as &amp;');
  });

  it('stops at max_urls and says so', async () => {
    const read = await (await webTool('web_read_sitemap'))({ url: await site(set), max_urls: 1 });
    expect(read).to.deep.equal({ urls: urls.slice(0, 1), sitemaps: [], truncated: true });
  });

  const entities = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset><url><loc>https://a.example/&b;</loc></url></urlset>`;
  for (const [what, body] of [
    ['a page', '<html><body>no</body></html>'],
    ['a text', 'hello'],
    ['nothing', ''],
    ['a broken gzip file', Buffer.concat([gzipSync(set).subarray(0, 30)])],
  ] as const) {
    it(`says that ${what} is none`, async () => {
      await rejection((await webTool('web_read_sitemap'))({ url: await site(body) }), 'EXECUTION_FAILED');
    });
  }

  it('does not multiply entities', async () => {
    const read = await (await webTool('web_read_sitemap'))({ url: await site(entities) }).catch(() => ({ urls: [] }));
    expect(JSON.stringify(read).length).to.be.lessThan(2000);
  });

  it('fails as the site fails', async () => {
    await rejection((await webTool('web_read_sitemap'))({ url: await site('', 'text/html', 404) }), 'NOT_FOUND');
  });
});

const robots = `# robots
User-agent: *
Disallow: /private/ # secret
Allow: /private/open
Sitemap: https://a.example/sitemap.xml

User-agent: ExampleBot
User-agent: OtherBot
Disallow: /
Allow: /öffentlich$
`;

describe('web_read_robots', () => {
  it('gives the rules of all groups, the sitemaps, and whether the path may be read', async () => {
    const url = await site(robots);
    const read = await (await webTool('web_read_robots'))({ url: `${url}/private/x` });
    expect(read).to.deep.include({ url: `${url}/robots.txt`, sitemaps: ['https://a.example/sitemap.xml'], allowed: false });
    expect(read['rules']).to.have.lengthOf(6);
    expect((read['rules'] as unknown[])[0]).to.deep.equal({ user_agent: '*', type: 'disallow', path: '/private/' });
  });

  for (const [given, allowed] of [
    [{ path: '/private/open' }, true],
    [{ path: '/public' }, true],
    [{ user_agent: 'ExampleBot/2.1', path: '/public' }, false],
    [{ user_agent: 'examplebot', path: '/%C3%B6ffentlich' }, true],
    [{ user_agent: 'SomeBot', path: '/private/' }, false],
  ] as const) {
    it(`says ${allowed} for ${JSON.stringify(given)}`, async () => {
      expect(await (await webTool('web_read_robots'))({ url: await site(robots), ...given })).to.include({ allowed });
    });
  }

  const agents: readonly { readonly written: string; readonly asked: string; readonly isOwn: boolean }[] = [
    { written: 'Foo Bar', asked: 'foo', isOwn: true },
    { written: 'FOO\tbar', asked: 'Foo/1.0', isOwn: true },
    { written: 'Foo/2.0 beta', asked: 'foo', isOwn: true },
    { written: 'Foo (any version)', asked: 'Foo (+https://foo.example)', isOwn: true },
    { written: 'Foo', asked: 'Foo/1.0 (+https://foo.example)', isOwn: true },
    { written: 'Foo2', asked: 'foo2', isOwn: true },
    { written: 'Foo Bar', asked: 'Foo Bar', isOwn: false },
    { written: 'Foo2', asked: 'foo', isOwn: false },
    { written: 'Foo', asked: 'FooBar', isOwn: false },
    { written: '* all', asked: 'foo', isOwn: true },
  ];
  for (const { written, asked, isOwn } of agents) {
    it(`takes "User-agent: ${written}" ${isOwn ? '' : 'not '}for ${asked}`, async () => {
      const text = `User-agent: other\nDisallow: /\n\nUser-agent: ${written}\nDisallow: /closed`;
      expect(await (await webTool('web_read_robots'))({ url: await site(text), user_agent: asked, path: '/closed' })).to.include({
        allowed: !isOwn,
      });
    });
  }

  it('gives the rules of one crawler alone where it has some', async () => {
    const call = await webTool('web_read_robots');
    const own = (await call({ url: await site(robots), user_agent: 'OtherBot' }))['rules'] as { user_agent: string }[];
    expect(own.map(({ user_agent }) => user_agent)).to.deep.equal(['OtherBot', 'OtherBot']);
    const forAll = (await call({ url: await site(robots), user_agent: 'SomeBot' }))['rules'] as { user_agent: string }[];
    expect(forAll.map(({ user_agent }) => user_agent)).to.deep.equal(['*', '*']);
  });

  it('reads no line of which the end is too far away', async () => {
    const text = `User-agent: *\n#${'x'.repeat(500 * 1024 - 26)}\nDisallow: /private`;
    expect(await (await webTool('web_read_robots'))({ url: await site(text), path: '/open' })).to.deep.include({
      rules: [],
      allowed: true,
    });
  });

  it('says nothing about a path when asked about the robots.txt itself', async () => {
    expect(await (await webTool('web_read_robots'))({ url: `${await site(robots)}/robots.txt` })).to.include({ allowed: null });
  });

  for (const status of [404, 401, 403]) {
    it(`takes ${status} for a site that allows everything`, async () => {
      const read = await (await webTool('web_read_robots'))({ url: await site('x', 'text/html', status), path: '/a' });
      expect(read).to.deep.include({ rules: [], sitemaps: [], allowed: true });
    });
  }

  for (const [status, code] of [
    [503, 'UPSTREAM_UNAVAILABLE'],
    [429, 'RATE_LIMITED'],
  ] as const) {
    it(`does not know with ${status}`, async () => {
      await rejection((await webTool('web_read_robots'))({ url: await site('x', 'text/html', status) }), code);
    });
  }
});

const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Nachrichten</title>
<item><title>Größe &amp; mehr</title><link>/1</link><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate><description>&lt;p&gt;Ein &lt;b&gt;Text&lt;/b&gt;&lt;/p&gt;</description></item>
<item><title>Zwei</title><pubDate>irgendwann</pubDate></item></channel></rss>`;
const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title>a</title><link rel="self" href="/self"/><link href="/1"/>
<updated>2026-01-31T10:00:00+01:00</updated><summary>s</summary><id>1</id></entry></feed>`;
const jsonFeed = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'JSON',
  items: [{ id: '1', url: 'https://a.example/1', title: 'a', content_text: 's', date_published: '2026-01-31T09:00:00Z' }],
});
const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="x"><title>RDF</title><link>https://a.example/</link><description>d</description></channel>
<item rdf:about="1"><title>a</title><link>https://a.example/1</link><dc:date>2026-01-31T09:00:00Z</dc:date></item></rdf:RDF>`;

describe('web_read_feed', () => {
  it('reads RSS, with addresses made absolute and times in ISO 8601', async () => {
    const url = await site(rss, 'application/rss+xml');
    expect(await (await webTool('web_read_feed'))({ url: `${url}/feeds/rss` })).to.deep.equal({
      title: 'Nachrichten',
      about: { format: 'RSS 2.0' },
      items: [
        { title: 'Größe & mehr', link: `${url}/1`, published_at: '2003-06-10T04:00:00.000Z', summary: 'Ein Text' },
        { title: 'Zwei', link: null, published_at: 'irgendwann', summary: null },
      ],
      total: 2,
    });
  });

  for (const [title, xml, link] of [
    ['Atom', atom, '/1'],
    ['JSON', jsonFeed, 'https://a.example/1'],
    ['RDF', rdf, 'https://a.example/1'],
  ] as const) {
    it(`reads ${title} that is at hand`, async () => {
      const read = await (await webTool('web_read_feed'))({ xml });
      expect(read).to.deep.include({ title, total: 1 });
      expect(read).to.have.nested.property('items[0].link', link);
      expect(read).to.have.nested.property('items[0].published_at', '2026-01-31T09:00:00.000Z');
    });
  }

  it('gives no more than limit, and says how many there are', async () => {
    const read = await (await webTool('web_read_feed'))({ xml: rss, limit: 1 });
    expect(read).to.have.nested.property('items.length', 1);
    expect(read).to.include({ total: 2 });
  });

  for (const xml of ['<html></html>', 'hello', '{"a": 1}', '{broken']) {
    it(`says that ${xml} is no feed`, async () => {
      expect((await rejection((await webTool('web_read_feed'))({ xml }), 'EXECUTION_FAILED')).message).to.include('is no feed');
    });
  }

  it('wants an address or a text', async () => {
    await rejection((await webTool('web_read_feed'))({}), 'INVALID_PARAMETERS');
    await rejection((await webTool('web_read_feed'))({ xml: rss, url: 'https://a.example/' }), 'INVALID_PARAMETERS');
  });
});
