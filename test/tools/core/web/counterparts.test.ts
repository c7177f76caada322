import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { loopback } from '../../../support/loopback.ts';
import { python } from '../../../support/python.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

/** Results held against those of the libraries of Python. */

const links = Array.from({ length: 40 }, (_, index) => {
  const targets = [`/a/${index}`, `b${index}.html?x=1&amp;y=ü`, `../c/${index}#part`, `//other.example/${index}`, `?q=${index}`, `./`, ''];
  const rel = index % 3 === 0 ? ' rel="nofollow"' : '';
  return `<p>Nr. ${index}: <a${rel} href="${targets[index % targets.length]}">Ziel &amp; <b>Wort</b>\n ${index}</a></p>`;
}).join('\n');

const pythonLinks = `
from html.parser import HTMLParser
from urllib.parse import urljoin, quote
class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.open = {}, None
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == 'a' and a.get('href'):
            url = quote(urljoin(given['base'], a['href']), safe="%/:=&?~#+!$,;'@()*[]")
            self.open = {'url': url, 'text': '', 'rel': a.get('rel')}
    def handle_data(self, data):
        if self.open is not None: self.open['text'] += data
    def handle_endtag(self, tag):
        if tag == 'a' and self.open is not None:
            self.open['text'] = ' '.join(self.open['text'].split())
            self.found.setdefault(self.open['url'], self.open)
            self.open = None
parser = Links()
parser.feed(given['html'])
result = {'links': list(parser.found.values())}
`;

const table = `<table><tr><th>Nr</th><th>Name</th><th>Wert</th></tr>${Array.from(
  { length: 30 },
  (_, index) => `<tr><td>${index}</td><td>Gr&ouml;&szlig;e &lt;${index}&gt;</td><td> ${index * 1.5}\n€</td></tr>`,
).join('')}</table>`;

const pythonTable = `
from html.parser import HTMLParser
class Rows(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows, self.cell = [], None
    def handle_starttag(self, tag, attributes):
        if tag == 'tr': self.rows.append([])
        if tag in ('td', 'th'): self.cell = ''
    def handle_data(self, data):
        if self.cell is not None: self.cell += data
    def handle_endtag(self, tag):
        if tag in ('td', 'th'):
            self.rows[-1].append(' '.join(self.cell.split()))
            self.cell = None
parser = Rows()
parser.feed(given)
result = {'tables': [{'headers': parser.rows[0], 'rows': parser.rows[1:]}]}
`;

const sitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
  { length: 50 },
  (_, index) =>
    `<url><loc>https://a.example/größe?n=${index}&amp;m=&#x41;</loc>${index % 2 === 0 ? `<lastmod>2026-01-${10 + (index % 20)}</lastmod>` : ''}<priority>0.5</priority></url>`,
).join('\n')}</urlset>`;

const pythonSitemap = `
import xml.etree.ElementTree as ET
ns = '{http://www.sitemaps.org/schemas/sitemap/0.9}'
urls = [{'location': u.findtext(ns + 'loc'), 'last_modified': u.findtext(ns + 'lastmod')} for u in ET.fromstring(given.encode())]
result = {'urls': urls, 'sitemaps': [], 'truncated': False}
`;

/** Each path has one rule at most: of several the first counts for Python, and the longest for RFC 9309. */
const robots = `User-agent: *
Disallow: /private/
Disallow: /tmp
Disallow: /gr%C3%B6%C3%9Fe

User-agent: FirstBot
User-agent: SecondBot
Disallow: /second/
Allow: /

User-agent: Nobody
Disallow: /
`;
const agents = ['*', 'FirstBot', 'SecondBot/2.0', 'Nobody', 'Anybody'];
const paths = ['/', '/private/', '/private/x', '/tmpx', '/second/a', '/gr%C3%B6%C3%9Fe/x', '/public?a=/private/'];

const pythonRobots = `
from urllib.robotparser import RobotFileParser
parser = RobotFileParser()
parser.parse(given['robots'].splitlines())
result = [parser.can_fetch(agent, 'https://a.example' + path) for agent in given['agents'] for path in given['paths']]
`;

const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Neues</title>${[
  'Tue, 10 Jun 2003 04:00:00 GMT',
  'Sat, 31 Jan 2026 10:30:00 +0100',
  '1 Feb 2026 00:00:00 -0530',
  'Sun, 06 Nov 1994 08:49 EST',
  '29 Feb 2024 23:59:59 Z',
]
  .map(
    (date, index) =>
      `<item><title>Nr. ${index} &#228;</title><link>https://a.example/${index}?a=1&amp;b</link><pubDate>${date}</pubDate></item>`,
  )
  .join('')}</channel></rss>`;

const pythonFeed = `
import xml.etree.ElementTree as ET
from datetime import timezone
from email.utils import parsedate_to_datetime
def time(text):
    return parsedate_to_datetime(text).astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
channel = ET.fromstring(given).find('channel')
items = [{'title': i.findtext('title'), 'link': i.findtext('link'), 'published_at': time(i.findtext('pubDate')), 'summary': None} for i in channel.findall('item')]
about = {'format': 'RSS ' + ET.fromstring(given).get('version')}
result = {'title': channel.findtext('title'), 'about': about, 'items': items, 'total': len(items)}
`;

describe('the web tools and the libraries of Python', () => {
  it('find the same links', async () => {
    const base = 'https://a.example/docs/start/';
    const given = await (await webTool('web_extract_links'))({ html: links, base_url: base });
    expect(given).to.deep.equal(python(pythonLinks, { html: links, base }));
  });

  it('read the same table', async () => {
    expect(await (await webTool('web_extract_tables'))({ html: table })).to.deep.equal(python(pythonTable, table));
  });

  it('read the same sitemap', async () => {
    const { url } = await loopback((_, response) => send(response, sitemap, 'application/xml'));
    expect(await (await webTool('web_read_sitemap'))({ url })).to.deep.equal(python(pythonSitemap, sitemap));
  });

  it('allow crawlers the same paths', async () => {
    const { url } = await loopback((_, response) => send(response, robots, 'text/plain'));
    const call = await webTool('web_read_robots');
    const allowed: unknown[] = [];
    for (const user_agent of agents) for (const place of paths) allowed.push((await call({ url, user_agent, path: place }))['allowed']);
    expect(allowed).to.deep.equal(python(pythonRobots, { robots, agents, paths }));
    expect(allowed).to.include.members([true, false]);
  });

  it('read the same feed, with the same times', async () => {
    expect(await (await webTool('web_read_feed'))({ xml: feed })).to.deep.equal(python(pythonFeed, feed));
  });

  it('hash the same download', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251));
    const { url } = await loopback((_, response) => send(response, bytes, 'application/octet-stream'));
    const cwd = await temporaryFolder();
    const { sha256 } = await (await webTool('web_download', cwd))({ url, path: 'x' });
    const file = path.join(cwd, 'x');
    expect(sha256).to.equal(python("import hashlib\nresult = hashlib.sha256(open(given, 'rb').read()).hexdigest()", file));
    expect((await readFile(file)).equals(bytes)).to.equal(true);
  });
});
