import { expect } from 'chai';
import { articleOf } from '../../../../tools/core/web/page-article.ts';
import { linksOf } from '../../../../tools/core/web/page-links.ts';
import { metadataOf } from '../../../../tools/core/web/page-metadata.ts';
import { selectFrom } from '../../../../tools/core/web/page-select.ts';
import { tablesOf } from '../../../../tools/core/web/page-tables.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { send } from './fetching.ts';
import { webTool } from './web-tool.ts';

const paragraph = 'The river rose again in the night, and the people of the old town carried their chairs to the upper floors. ';

const page = `<!doctype html><html lang="de"><head>
<title> Grüße
 &amp; mehr </title><base href="/docs/">
<meta name="Description" content=" Über   alles "><link rel="canonical" href="start">
<meta property="og:title" content="OG Grüße"><meta property="og:image" content="/a.png"><meta property="og:image" content="/b.png">
<meta property="og:__proto__" content="x"><meta name="twitter:card" content="summary">
<script type="application/ld+json">{"@type": "Article", "name": "Ä"}</script><script type="application/ld+json">{broken</script>
</head><body><nav><a href="/">Start</a><a href="a" rel="next nofollow"> Nächste
 Seite </a><a href="a">again</a><a href="#top"><img src="x.png" alt="Bild"></a><a href="javascript:alert(1)">no</a>
<a href="http://other.example/x">fort</a><a href="mailto:a@b.example">mail</a><a href="http://[broken">broken</a><area href="area" alt="Karte"></nav>
<article><h1>Die Flut</h1><p class="byline">Von Ada Lovelace</p>${`<p>${paragraph.repeat(3)}<a href="a">weiter</a></p>`.repeat(6)}</article>
<table id="plain"><tr><td>1</td><td>2</td></tr></table>
<table id="spans"><thead><tr><th colspan="2">Kopf</th><th>C</th></tr><tr><th>A</th><th>B</th><th>C</th></tr></thead>
<tbody><tr><td rowspan="2">x</td><td>1</td><td>2</td></tr><tr><td colspan="2">3</td></tr><tr><th>r</th><td><table><tr><td>in</td></tr></table></td><td></td></tr></tbody></table>
<footer>Impressum</footer></body></html>`;

/** A page at an address, and the same as HTML that the caller has. */
async function sources(body: string | Uint8Array = page, type?: string) {
  const server = await loopback((_, response) => send(response, body, type));
  return { server, address: `${server.url}/docs/index.html?x=1#frag` };
}

describe('web_extract_links', () => {
  it('lists each address once, absolute, with its text and rel', async () => {
    const { server, address } = await sources();
    const { links } = await (await webTool('web_extract_links'))({ url: address });
    expect(links).to.deep.equal([
      { url: `${server.url}/`, text: 'Start', rel: null },
      { url: `${server.url}/docs/a`, text: 'Nächste Seite', rel: 'next nofollow' },
      { url: `${server.url}/docs/#top`, text: 'Bild', rel: null },
      { url: 'http://other.example/x', text: 'fort', rel: null },
      { url: 'mailto:a@b.example', text: 'mail', rel: null },
      { url: `${server.url}/docs/area`, text: 'Karte', rel: null },
    ]);
  });

  it('keeps to the host of the page when told to', async () => {
    const { server, address } = await sources();
    const { links } = await (await webTool('web_extract_links'))({ url: address, same_host: true });
    expect((links as { url: string }[]).every(({ url }) => url.startsWith(server.url))).to.equal(true);
    expect(links).to.have.lengthOf(4);
  });

  it('reads thousands of addresses whose hosts have letters outside ASCII', async () => {
    const html = Array.from({ length: 5000 }, (_, index) => `<a href="//größe${index}.example/">x</a>`).join('');
    const { links } = await linksOf({ html, url: 'https://a.example/', same_host: false });
    expect(links).to.have.lengthOf(5000);
  });

  it('names the parameter of an address that is none', async () => {
    const call = await webTool('web_extract_links');
    const error = await rejection(call({ html: 'x', base_url: 'http://me:word@[broken/' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('Parameter "base_url"').and.not.include('word');
  });

  it('takes HTML, with its address and without', async () => {
    const call = await webTool('web_extract_links');
    const html = '<a href="x">ü</a>';
    expect(await call({ html, base_url: 'https://a.example/b/c' })).to.deep.equal({
      links: [{ url: 'https://a.example/b/x', text: 'ü', rel: null }],
    });
    expect(await call({ html })).to.deep.equal({ links: [{ url: 'x', text: 'ü', rel: null }] });
    expect(await call({ html: '<p>nothing' })).to.deep.equal({ links: [] });
  });
});

describe('web_extract_metadata', () => {
  it('reads titles, cards and structured data, and leaves out what is broken', async () => {
    const { server, address } = await sources();
    const metadata = await (await webTool('web_extract_metadata'))({ url: address });
    expect(metadata).to.deep.equal({
      title: 'Grüße & mehr',
      description: 'Über alles',
      canonical: `${server.url}/docs/start`,
      open_graph: JSON.parse('{"title":"OG Grüße","image":["/a.png","/b.png"],"__proto__":"x"}') as unknown,
      twitter: { card: 'summary' },
      json_ld: [{ '@type': 'Article', name: 'Ä' }],
    });
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined);
  });

  it('takes a name that is there very many times', async () => {
    const times = inRound({ whole: 100_000, short: 20_000 });
    const html = '<meta property="og:image" content="a">'.repeat(times);
    const { open_graph: graph } = await metadataOf({ html });
    expect(graph).to.have.nested.property('image.length', times);
  });

  it('leaves out structured data that is nested without end', async () => {
    const html = `<title>t</title><script type="application/ld+json">${'['.repeat(100_000)}${']'.repeat(100_000)}</script>`;
    expect(await metadataOf({ html })).to.deep.include({ title: 't', json_ld: [] });
  });

  it('finds nothing in a page that says nothing', async () => {
    expect(await (await webTool('web_extract_metadata'))({ html: '<p>x' })).to.deep.equal({
      title: null,
      description: null,
      canonical: null,
      open_graph: {},
      twitter: {},
      json_ld: [],
    });
  });

  it('reads the charset that the markup declares', async () => {
    const { address } = await sources(Buffer.from('<meta charset="iso-8859-1"><title>Grüße</title>', 'latin1'), 'text/html');
    expect(await (await webTool('web_extract_metadata'))({ url: address })).to.include({ title: 'Grüße' });
  });
});

describe('web_extract_article', () => {
  it('gives the main text as Markdown with absolute links, without navigation and footer', async () => {
    const { server, address } = await sources();
    const article = await (await webTool('web_extract_article'))({ url: address });
    expect(article['title']).to.include('Grüße');
    expect(article['content_markdown']).to.include('The river rose again').and.include(`[weiter](${server.url}/docs/a)`);
    expect(article['content_markdown']).to.not.match(/Impressum|Start|alert/);
    expect(article['length']).to.be.greaterThan(1000);
  });

  it('says so when there is no main text', async () => {
    const error = await rejection((await webTool('web_extract_article'))({ html: '<html><body></body></html>' }), 'NOT_FOUND');
    expect(error.message).to.include('convert_html_to_markdown');
    const { address } = await sources('<html><body></body></html>');
    expect((await rejection((await webTool('web_extract_article'))({ url: address }), 'NOT_FOUND')).message).to.include('web_fetch');
  });

  const pieces: readonly { title: string; html: string; text: string }[] = [
    { title: 'text without a tag', html: 'First & last.\n\n# Second < third\n', text: 'First & last.\n\n# Second < third' },
    { title: 'a piece of a page', html: `<article><p>${paragraph.repeat(9)}</p></article><p>End</p>`, text: paragraph.repeat(9).trim() },
    {
      title: 'text before the first element',
      html: `Before.<p>${paragraph.repeat(9)}</p>`,
      text: `Before.\n\n${paragraph.repeat(9).trim()}`,
    },
    { title: 'a text after a doctype', html: `<!doctype html>${paragraph}`, text: paragraph.trim() },
    {
      title: 'XHTML',
      html: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>${paragraph.repeat(9)}</p></body></html>`,
      text: paragraph.repeat(9).trim(),
    },
  ];
  for (const { title, html, text } of pieces) {
    it(`takes ${title}`, async () => {
      const article = await (await webTool('web_extract_article'))({ html });
      expect(article['content_markdown']).to.equal(text);
    });
  }

  it('finds no main text where there is none at all', async () => {
    for (const html of [' ', '<!-- nothing -->', '<!doctype html>'])
      await rejection((await webTool('web_extract_article'))({ html }), 'NOT_FOUND');
  });
});

describe('web_extract_tables', () => {
  const spans = {
    headers: ['A', 'B', 'C'],
    rows: [
      ['x', '1', '2'],
      ['x', '3', '3'],
      ['r', 'in', ''],
    ],
  };
  const plain = { headers: [], rows: [['1', '2']] };

  it('repeats cells that span several columns or rows, and keeps tables inside tables apart', async () => {
    const { address } = await sources();
    expect(await (await webTool('web_extract_tables'))({ url: address })).to.deep.equal({
      tables: [plain, spans, { headers: [], rows: [['in']] }],
    });
  });

  for (const [index, tables] of [
    [0, [plain]],
    [1, [spans]],
    [7, []],
  ] as const) {
    it(`gives ${tables.length} with the index ${index}`, async () => {
      expect(await (await webTool('web_extract_tables'))({ html: page, index })).to.deep.equal({ tables });
    });
  }

  it('gives no table that a few cells make too large', async () => {
    const html = `<table>${'<tr><td colspan=1000>a'.repeat(1001)}</table>`;
    const error = await rejection(tablesOf({ html }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('more than 1000000 cells');
  });

  it('takes no cell for wider than a table may be', async () => {
    const html = '<table><tr><td colspan="999999999">a</td></tr><tr><td rowspan="-3">b</td></tr></table>';
    const { tables } = await (await webTool('web_extract_tables'))({ html });
    expect(tables).to.have.nested.property('[0].rows[0].length', 1000);
  });
});

describe('web_select', () => {
  it('gives text, HTML and the attribute of what fits, and how many there are', async () => {
    const call = await webTool('web_select');
    expect(await call({ html: page, selector: 'nav a[rel]', attribute: 'rel' })).to.deep.equal({
      matches: [{ text: 'Nächste Seite', html: '<a href="a" rel="next nofollow"> Nächste\n Seite </a>', attribute: 'next nofollow' }],
      total: 1,
    });
    expect(await call({ html: page, selector: 'nav a', limit: 2, attribute: 'rel' })).to.have.nested.property('matches.length', 2);
    expect(await call({ html: page, selector: 'blink' })).to.deep.equal({ matches: [], total: 0 });
  });

  for (const selector of ['a[', 'p:nope(', '>>', ':not(']) {
    it(`says what is wrong with the selector ${selector}`, async () => {
      const error = await rejection((await webTool('web_select'))({ html: page, selector }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`expected a CSS selector, received "${selector}"`);
    });
  }
});

describe('a page that is nested more deeply than the stack reaches', () => {
  const [open, close] = ['<b>'.repeat(5000), '</b>'.repeat(5000)];
  const html = `<html><body><table><tr><td>${open}x${close}</td></tr></table></body></html>`;
  const finders = {
    article: articleOf,
    table: tablesOf,
    element: (page: { html: string }) => selectFrom({ ...page, selector: 'td', limit: 9 }),
  };
  for (const [what, find] of Object.entries(finders)) {
    it(`is told as such by what looks for its ${what}`, async () => {
      const error = await rejection(find({ html }), 'EXECUTION_FAILED');
      expect(error.message).to.equal('The page is nested too deeply to be parsed. Read it with web_fetch.');
    });
  }
});

const pageTools = ['web_extract_links', 'web_extract_metadata', 'web_extract_article', 'web_extract_tables', 'web_select'];
for (const name of pageTools) {
  const more = name === 'web_select' ? { selector: 'p' } : {};
  describe(`the source of ${name}`, () => {
    it('is an address or HTML, and not both or neither', async () => {
      const call = await webTool(name);
      expect((await rejection(call(more), 'INVALID_PARAMETERS')).message).to.include('received neither');
      expect((await rejection(call({ ...more, url: 'https://a.example/', html: '' }), 'INVALID_PARAMETERS')).message).to.match(/both|html/);
      expect((await rejection(call({ ...more, url: 'https://a.example/', html: 'x' }), 'INVALID_PARAMETERS')).message).to.include('both');
    });

    it('is no address inside the network, and no failed or binary answer', async () => {
      const call = await webTool(name);
      await rejection(call({ ...more, url: 'http://10.0.0.1/' }), 'OUTBOUND_BLOCKED');
      const gone = await loopback((_, response) => send(response, 'gone', 'text/html', 404));
      await rejection(call({ ...more, url: gone.url }), 'NOT_FOUND');
      const image = await loopback((_, response) => send(response, 'x', 'image/png'));
      await rejection(call({ ...more, url: image.url }), 'EXECUTION_FAILED');
      const json = await loopback((_, response) => send(response, '{}', 'application/json'));
      expect((await rejection(call({ ...more, url: json.url }), 'EXECUTION_FAILED')).message).to.include(
        'is no HTML page but application/json',
      );
    });
  });
}
