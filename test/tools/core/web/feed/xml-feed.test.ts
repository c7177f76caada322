import { expect } from 'chai';
import type { Feed } from '../../../../../tools/core/web/feed/feed-result.ts';
import { itemsOf } from '../../../../../tools/core/web/feed-items.ts';
import { rejection } from '../../../../support/rejection.ts';

const dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
const rdfNames = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';

const rss = (channel: string, attributes = 'version="2.0"'): string => `<rss ${attributes}><channel>${channel}</channel></rss>`;
const item = (content: string, attributes?: string): string => rss(`<item>${content}</item>`, attributes);
const atom = (content: string, attributes = ''): string => `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}>${content}</feed>`;
const entry = (content: string, attributes?: string): string => atom(`<entry>${content}</entry>`, attributes);
const atom03 = (content: string): string => `<feed version="0.3" xmlns="http://purl.org/atom/ns#">${content}</feed>`;

const read = (text: string, url?: string): Promise<Feed & { malformed?: string }> =>
  itemsOf({ text, limit: 20, ...(url === undefined ? {} : { url }) });

interface Row {
  readonly what: string;
  readonly text: string;
  readonly url?: string;
  readonly expected: unknown;
}

function table(title: string, rows: readonly Row[], pick: (feed: Feed) => unknown): void {
  for (const { what, text, url, expected } of rows)
    it(`${title} ${what}`, async () => {
      expect(pick(await read(text, url))).to.deep.equal(expected);
    });
}

describe('the formats of a feed', () => {
  const formats = [
    ['<rss version="0.91"><channel/></rss>', 'RSS 0.91'],
    [
      '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://rss.example/rss-0.91.dtd"><rss version="0.91"><channel/></rss>',
      'RSS 0.91',
    ],
    ['<rss version="2.0"/>', 'RSS 2.0'],
    ['<rss><channel/></rss>', 'RSS'],
    ['<?xml version="1.0"?><!-- c --><RSS VERSION="2.01"><CHANNEL/></RSS>', 'RSS 2.01'],
    [`<rdf:RDF ${rdfNames} xmlns="http://my.netscape.com/rdf/simple/0.9/"/>`, 'RSS 0.90'],
    [`<rdf:RDF ${rdfNames} xmlns="http://purl.org/rss/1.0/"/>`, 'RSS 1.0'],
    [`<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://purl.org/rss/1.0/"><x:channel/></r:RDF>`, 'RSS 1.0'],
    ['<Channel xmlns="http://purl.org/net/rss1.1#"><items/></Channel>', 'RSS 1.1'],
    ['<CHANNEL/>', 'CDF'],
    ['<channel HREF="http://a.example/"/>', 'CDF'],
    ['<feed/>', 'Atom'],
    [atom(''), 'Atom 1.0'],
    [atom03(''), 'Atom 0.3'],
    ['<a:feed xmlns:a="http://www.w3.org/2005/Atom"/>', 'Atom 1.0'],
    ['<entry xmlns="http://www.w3.org/2005/Atom"/>', 'Atom 1.0'],
    ['{"version":"https://jsonfeed.org/version/1.1","items":[]}', 'JSON Feed 1.1'],
    ['{"title":"T","items":[]}', 'JSON Feed'],
  ] as const;
  for (const [text, format] of formats)
    it(`are told of ${text}, although it says nothing`, async () => {
      expect((await read(text)).about.format).to.equal(format);
    });

  const none = [
    '<x:feed xmlns:x="urn:other"/>',
    `<rdf:RDF ${rdfNames} xmlns:foaf="http://xmlns.com/foaf/0.1/"><foaf:Person/></rdf:RDF>`,
    '<opml><body/></opml>',
    '<urlset/>',
    '{"items":[]}',
    '[]',
    '',
    '<',
  ];
  for (const text of none)
    it(`are none in ${text}`, async () => {
      let message = '';
      await read(text).catch((error: Error) => {
        message = error.message;
      });
      expect(message).to.include('is no feed');
    });
});

describe('the words of a feed', () => {
  const markup = 'Use &lt;b&gt;bold&lt;/b&gt; &amp;amp; more';
  const base64 = Buffer.from('Use <b>bold</b> &amp; größe').toString('base64');
  table(
    'are those of a title as',
    [
      { what: 'HTML in RSS', text: item(`<title>${markup}</title>`), expected: 'Use bold & more' },
      { what: 'dc:title', text: item('<dc:title>A</dc:title>', `version="2.0" ${dc}`), expected: 'A' },
      { what: 'dc:title with a prefix that nobody declared', text: item('<dc:title>A</dc:title>'), expected: 'A' },
      { what: 'title beside an empty one and dc:title', text: item(`<title> </title><dc:title>A</dc:title>`), expected: 'A' },
      { what: 'a title of another vocabulary', text: item('<media:title xmlns:media="urn:m">A</media:title>'), expected: null },
      { what: 'a title of an image', text: item('<image><title>no</title></image><title>A</title>'), expected: 'A' },
      { what: 'text in Atom', text: entry('<title>Use &lt;b&gt; &amp;amp;</title>'), expected: 'Use <b> &amp;' },
      { what: 'text/plain in Atom 0.3', text: atom03('<entry><title mode="escaped">&lt;b&gt;</title></entry>'), expected: '<b>' },
      { what: 'HTML in Atom', text: entry(`<title type="html">${markup}</title>`), expected: 'Use bold & more' },
      {
        what: 'XHTML in Atom',
        text: entry('<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Use <b>bold</b> &amp; &lt;i></div></title>'),
        expected: 'Use bold & <i>',
      },
      { what: 'child elements in Atom 0.3', text: atom03('<entry><title>Use <b>bold</b></title></entry>'), expected: 'Use bold' },
      {
        what: 'base64 in Atom 0.3',
        text: atom03(`<entry><title type="text/html" mode="base64">\n${base64}\n</title></entry>`),
        expected: 'Use bold & größe',
      },
      {
        what: 'bytes in base64 that are no text',
        text: atom03('<entry><title type="text/html" mode="base64">/w==</title></entry>'),
        expected: null,
      },
      { what: 'a text of CDF', text: '<CHANNEL><ITEM><TITLE>A</TITLE></ITEM></CHANNEL>', expected: 'A' },
      {
        what: 'a text with the prefix of RSS 1.0',
        text: `<rdf:RDF ${rdfNames} xmlns:r="http://purl.org/rss/1.0/"><r:item><r:title>A</r:title></r:item></rdf:RDF>`,
        expected: 'A',
      },
      { what: 'an item without a channel', text: '<rss><item><title>A</title></item></rss>', expected: 'A' },
      { what: 'an item beside the channel', text: '<rss><channel/><item><title>A</title></item></rss>', expected: 'A' },
      { what: 'an item in Atom', text: atom('<item><title>A</title></item>'), expected: 'A' },
      {
        what: 'a text with the prefix of RSS 2.0, beside others of its name',
        text: `<r:rss xmlns:r="http://backend.userland.com/rss2" xmlns:o="urn:other"><r:channel><r:item>
<o:title>no</o:title><r:title>A</r:title><o:title>no</o:title></r:item></r:channel></r:rss>`,
        expected: 'A',
      },
      { what: 'an entry without a feed', text: '<entry xmlns="http://www.w3.org/2005/Atom"><title>A</title></entry>', expected: 'A' },
    ],
    ({ items }) => items[0]?.title,
  );

  table(
    'are those of a summary as',
    [
      { what: 'description', text: item(`<description>${markup}</description>`), expected: 'Use bold & more' },
      { what: 'the beginning of a declaration', text: item('<description>&lt;!DOCTYPE</description>'), expected: '<!DOCTYPE' },
      {
        what: 'escaped twice',
        text: item(`<description><![CDATA[&lt;!' <a href="x">y</a>]]></description>`),
        expected: "<!' y",
      },
      { what: 'fullitem', text: item(`<fullitem>${markup}</fullitem>`), expected: 'Use bold & more' },
      {
        what: 'xhtml:body',
        text: item('<body xmlns="http://www.w3.org/1999/xhtml"><p>Use <b>bold</b></p><script>x</script></body>'),
        expected: 'Use bold',
      },
      {
        what: 'content:encoded',
        text: item('<description/><content:encoded><![CDATA[<p>A</p>]]></content:encoded>'),
        expected: 'A',
      },
      { what: 'ABSTRACT of CDF', text: '<CHANNEL><ITEM><ABSTRACT>A</ABSTRACT></ITEM></CHANNEL>', expected: 'A' },
      { what: 'content in Atom', text: entry('<content type="html">&lt;p&gt;A</content>'), expected: 'A' },
      { what: 'an image in Atom, which is none', text: entry('<content type="image/png">aGVsbG8=</content>'), expected: null },
      {
        what: 'markup of many levels',
        text: entry(`<summary type="xhtml">a${'<b>'.repeat(100)}c${'</b>'.repeat(100)}</summary>`),
        expected: 'ac',
      },
    ],
    ({ items }) => items[0]?.summary,
  );

  const about = (member: string) => (feed: Feed) => (feed.about as unknown as Readonly<Record<string, unknown>>)[member];
  table(
    'are those of the feed as',
    [
      { what: 'description', text: rss('<description>A</description>'), expected: 'A' },
      { what: 'tagline', text: atom03('<tagline>A</tagline>'), expected: 'A' },
      { what: 'subtitle', text: atom('<subtitle>A</subtitle><info>no</info>'), expected: 'A' },
      { what: 'info', text: atom03('<info type="text/html" mode="escaped">A &lt;b&gt;b&lt;/b&gt;</info>'), expected: 'A b' },
      { what: 'ABSTRACT', text: '<CHANNEL><ABSTRACT>A</ABSTRACT></CHANNEL>', expected: 'A' },
    ],
    about('description'),
  );
  table(
    'are the copyright as',
    [
      { what: 'copyright of RSS', text: rss('<copyright>A</copyright>'), expected: 'A' },
      { what: 'copyright of Atom 0.3', text: atom03('<copyright>A &lt;b></copyright>'), expected: 'A <b>' },
      { what: 'rights of Atom', text: atom('<rights type="html">A&amp;nbsp;B</rights>'), expected: 'A B' },
      { what: 'dc:rights', text: rss('<dc:rights>A</dc:rights>'), expected: 'A' },
    ],
    about('copyright'),
  );
  const authors = [
    { what: 'author', text: '<author>A (a@a.example)</author>', expected: 'A (a@a.example)' },
    { what: 'dc:creator', text: '<dc:creator>A</dc:creator>', expected: 'A' },
    { what: 'dc:author', text: '<dc:author>A</dc:author>', expected: 'A' },
    { what: 'itunes:author', text: '<itunes:author>A</itunes:author>', expected: 'A' },
    {
      what: 'name and address',

      text: '<author><name>A</name><email>a@a.example</email></author>',
      expected: 'A (a@a.example)',
    },
    { what: 'an address', text: '<author><email>a@a.example</email></author>', expected: 'a@a.example' },
    { what: 'nobody', text: '<author/>', expected: undefined },
  ];
  table(
    'are the author of a feed as',
    [...authors, { what: 'managingEditor', text: '<managingEditor>A</managingEditor>', expected: 'A' }].map(({ what, text, expected }) => ({
      what,
      text: rss(text),
      expected,
    })),
    about('author'),
  );
  table(
    'are the author of an item as',
    authors.map(({ what, text, expected }) => ({ what, text: item(text), expected })),
    ({ items }) => items[0]?.author,
  );
});

describe('the address of an item', () => {
  const at = 'https://a.example/feeds/rss';
  table(
    'is',
    [
      { what: 'its link', text: item('<guid>http://g.example/</guid><link>/1</link>'), url: at, expected: 'https://a.example/1' },
      { what: 'its GUID', text: item('<guid>http://g.example/1</guid>'), expected: 'http://g.example/1' },
      { what: 'its GUID that says so', text: item('<guid isPermaLink="true">http://g.example/</guid>'), expected: 'http://g.example/' },
      { what: 'no GUID that says otherwise', text: item('<guid isPermaLink="false">http://g.example/</guid>'), expected: null },
      { what: 'no GUID that is no address of the web', text: item('<guid>tag:a.example,2026:1</guid>'), expected: null },
      {
        what: 'no link of its image',
        text: item('<image><link>/i</link></image><link>/1</link>'),
        url: at,
        expected: 'https://a.example/1',
      },
      {
        what: 'relative to xml:base of a feed',
        text: entry('<link href="/1"/>', 'xml:base="http://b.example/x/"'),
        expected: 'http://b.example/1',
      },
      {
        what: 'relative to each xml:base',
        text: atom('<entry xml:base="y/"><link xml:base="z/" href="1"/></entry>', 'xml:base="/x/"'),
        url: at,
        expected: 'https://a.example/x/y/z/1',
      },
      { what: 'relative to xml:base of RSS', text: item('<link xml:base="http://b.example/">1</link>'), expected: 'http://b.example/1' },
      { what: 'as it is written without a base', text: entry('<link href="/1"/>'), expected: '/1' },
      {
        what: 'the one that is the page',
        text: entry('<link rel="self" href="/s"/><link rel="alternate" href="/p"/><link href="/q"/>'),
        url: at,
        expected: 'https://a.example/p',
      },
      { what: 'in Atom any other', text: entry('<link rel="self" href="/s"/>'), url: at, expected: 'https://a.example/s' },
      { what: 'in RSS no other', text: item('<atom:link rel="replies" href="/s"/>'), url: at, expected: null },
      { what: 'HREF of CDF', text: '<CHANNEL BASE="http://b.example/"><ITEM HREF="1"/></CHANNEL>', expected: 'http://b.example/1' },
      { what: 'A of CDF', text: '<CHANNEL><ITEM><A HREF="http://b.example/1"/></ITEM></CHANNEL>', expected: 'http://b.example/1' },
      {
        what: 'url, else external_url of JSON',
        text: '{"title":"T","items":[{"external_url":"/1"}]}',
        url: at,
        expected: 'https://a.example/1',
      },
    ],
    ({ items }) => items[0]?.link,
  );
  table(
    'of the feed itself is',
    [
      { what: 'its link', text: rss('<atom:link rel="self" href="/feed"/><link>http://a.example/</link>'), expected: 'http://a.example/' },
      { what: 'HREF of CDF', text: '<CHANNEL HREF="http://a.example/"/>', expected: 'http://a.example/' },
      {
        what: 'home_page_url of JSON',
        text: '{"title":"T","items":[],"home_page_url":"http://a.example/"}',
        expected: 'http://a.example/',
      },
    ],
    ({ about }) => about.link,
  );
});

describe('the times of a feed', () => {
  const time = '2026-01-31T09:00:00.000Z';
  const written = '2026-01-31T10:00:00+01:00';
  table(
    'are when an item came, as',
    [
      ...['published', 'issued', 'created', 'updated', 'modified'].map((name) => ({
        what: name,
        text: entry(`<${name}>${written}</${name}>`),
      })),
      ...['pubDate', 'dc:date', 'dcterms:issued', 'dcterms:created'].map((name) => ({
        what: name,
        text: item(`<${name}>${written}</${name}>`),
      })),
      { what: 'the first of several', text: entry(`<updated>2027-01-01</updated><published>${written}</published>`) },
      { what: 'LASTMOD of CDF', text: `<CHANNEL><ITEM LASTMOD="${written}"/></CHANNEL>` },
    ].map((row) => ({ ...row, expected: time })),
    ({ items }) => items[0]?.published_at,
  );
  table(
    'are when the feed changed, as',
    [
      { what: 'lastBuildDate', text: rss(`<lastBuildDate>${written}</lastBuildDate>`) },
      { what: 'modified', text: atom03(`<modified>${written}</modified>`) },
      { what: 'LASTMOD of CDF', text: `<CHANNEL LASTMOD="${written}"/>` },
    ].map((row) => ({ ...row, expected: time })),
    ({ about }) => about.updated_at,
  );
});

describe('a feed that is not well-formed', () => {
  const broken = [
    {
      what: 'a plain ampersand',
      text: item('<title>AT&T</title><link>http://a.example/?b=1&c=2</link>'),
      expected: { title: 'AT&T', link: 'http://a.example/?b=1&c=2' },
      says: 'line 1, column 44: "&" stands for nothing',
    },
    {
      what: 'a name of HTML',
      text: item('<title>caf&eacute;</title>'),
      expected: { title: 'café', link: null },
      says: '"&eacute;" stands for nothing',
    },
    { what: 'no end', text: '<rss><channel><item><title>A</title>', expected: { title: 'A', link: null }, says: 'no end for "item"' },
    { what: 'text in front', text: `Warning: x\n${item('<title>A</title>')}`, expected: { title: 'A', link: null }, says: 'text outside' },
  ];
  for (const { what, text, expected, says } of broken)
    it(`is read and named where it has ${what}`, async () => {
      const { items, malformed } = await read(text);
      const [{ title, link } = { title: null, link: null }] = items;
      expect({ title, link }).to.deep.equal(expected);
      expect(malformed).to.include(says);
    });

  for (const tag of ['<b>', '<b ">', "<b a='>'>", '<b></c>'])
    it(`is refused at once with 200,000 levels of ${tag}`, async () => {
      const error = await rejection(read(item(`<description>${tag.repeat(200_000)}`)), 'EXECUTION_FAILED');
      expect(error.message).to.include('nested too deeply').and.to.include('at most 500 levels');
    });

  it('is read at once with 20,000 namespaces around items with their own', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `xmlns:n${index}="urn:${index}"`).join(' ');
    const { total } = await read(rss('<item xmlns:o="urn:o"/>'.repeat(5000), names));
    expect(total).to.equal(5000);
  });

  it('is not named where it is well-formed, or has a document type definition', async () => {
    const definition = '<!DOCTYPE rss [<!ENTITY a "b"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
    for (const text of [item('<title>A</title>'), `${definition}${item('<title>A</title>')}`]) {
      const { items, malformed } = await read(text);
      expect([items[0]?.title, malformed]).to.deep.equal(['A', undefined]);
    }
    const { items } = await read(`${definition}${item('<title>&a; &x;</title>')}`);
    expect(items[0]?.title).to.equal('&a; &x;');
  });
});
