import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { loopback } from '../../../support/loopback.ts';
import { pythonProgram } from '../../../support/python.ts';
import { fetchPage, send } from './fetching.ts';

const page = `<!doctype html>
<html><head><title> Grüße
  &amp; more </title><style>p { color: red }</style><script>document.write('written')</script></head>
<body>
<noscript>Please enable JavaScript</noscript><svg><title>icon</title><text>drawn</text></svg>
<h1>Top &lt;1&gt;</h1>
<p>Hello <b>bold</b> and <a href="page.html?x=(1)" title="t">a <i>link</i></a>, <a href="javascript:steal()">script</a>,
<a href="#here">here</a>, <a href="//other.example/ü">elsewhere</a>, <a href="mailto:a@b.example">mail</a>, <a>nothing</a>.</p>
<img src="/i.png" alt="An [image]"><img src="data:image/png;base64,AAAA" alt="inline">
<ul><li>one<li>two</ul>
<pre><code class="language-js">let a = 1;


a;
</code></pre>
<table><thead><tr><th>Name</th><th>A|B</th></tr></thead><tbody><tr><td>x</td><td>1<br>2</td></tr></tbody></table>
<table><tr><td>left</td><td><h2>Right</h2><p>paragraph</p></td></tr></table>
<template>template</template>
</body></html>`;

describe('web_fetch', () => {
  it('gives a page as Markdown with absolute addresses, without scripts and styles', async () => {
    const server = await loopback((_, response) => send(response, page));
    const fetched = await fetchPage(`${server.url}/docs/start?q=1#top`);
    expect(fetched).to.deep.equal({
      url: `${server.url}/docs/start?q=1`,
      status: 200,
      content_type: 'text/html',
      title: 'Grüße & more',
      truncated: false,
      content: `# Top <1>

Hello **bold** and [a _link_](${server.url}/docs/page.html?x=%281%29), script, [here](${server.url}/docs/start?q=1#here), [elsewhere](http://other.example/%C3%BC), [mail](mailto:a@b.example), nothing.

![An \\[image\\]](${server.url}/i.png)

-   one
-   two

\`\`\`js
let a = 1;


a;
\`\`\`

| Name | A\\|B |
| --- | --- |
| x | 1 2 |

left

## Right

paragraph`,
    });
  });

  it('gives the words of a page as text', async () => {
    const server = await loopback((_, response) => send(response, page));
    const { content, title } = await fetchPage(server.url, { format: 'text' });
    expect(title).to.equal('Grüße & more');
    expect(content.split('\n').filter((line) => line !== '')).to.deep.equal([
      'Top <1>',
      'Hello bold and a link, script, here, elsewhere, mail, nothing.',
      ' * one',
      ' * two',
      'let a = 1;',
      'a;',
      'Name A|B',
      'x 1',
      '2',
      'left',
      'Right',
      'paragraph',
    ]);
  });

  it('gives the HTML as it was sent', async () => {
    const server = await loopback((_, response) => send(response, page));
    const { content, title, content_type } = await fetchPage(server.url, { format: 'html' });
    expect({ content, title, content_type }).to.deep.equal({ content: page, title: 'Grüße & more', content_type: 'text/html' });
  });

  it('takes addresses relative to the base of the page', async () => {
    const server = await loopback((_, response) => send(response, '<base href="/elsewhere/"><a href="a.html">A</a>'));
    expect((await fetchPage(`${server.url}/docs/`)).content).to.equal(`[A](${server.url}/elsewhere/a.html)`);
  });

  it('takes addresses relative to the place that it was redirected to', async () => {
    const server = await loopback((request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/new/place' }).end();
      else send(response, '<a href="a.html">A</a>');
    });
    const { url, content } = await fetchPage(`${server.url}/old`);
    expect({ url, content }).to.deep.equal({ url: `${server.url}/new/place`, content: `[A](${server.url}/new/a.html)` });
    expect(server.requests.map((request) => request.url)).to.deep.equal(['/old', '/new/place']);
  });

  it('asks once, for HTML first, and encodes what is not ASCII', async () => {
    const server = await loopback((_, response) => send(response, ''));
    await fetchPage(`${server.url}/grün/日本?q=ä b`);
    expect(server.requests).to.have.length(1);
    expect(server.requests[0]).to.include({ method: 'GET', url: '/gr%C3%BCn/%E6%97%A5%E6%9C%AC?q=%C3%A4%20b' });
    expect(server.requests[0]?.headers.accept).to.match(/^text\/html, /);
  });

  const asIs = [
    { type: 'application/json', body: '{"a": [1, 2]}\n', essence: 'application/json' },
    { type: 'application/ld+json; profile="x"', body: '{}', essence: 'application/ld+json' },
    { type: 'Text/Plain; charset=UTF-8', body: 'a < b && <b>c</b>\r\n', essence: 'text/plain' },
    { type: 'text/csv', body: 'a,b\n1,2\n', essence: 'text/csv' },
    { type: 'application/atom+xml', body: '<feed><title>x</title></feed>', essence: 'application/atom+xml' },
    { type: 'image/svg+xml', body: '<svg><title>x</title></svg>', essence: 'image/svg+xml' },
    { type: 'application/octet-stream', body: 'a = "ü"\n', essence: 'application/octet-stream' },
    { type: '', body: 'no type at all', essence: 'text/plain' },
    { type: 'text/plain', body: '', essence: 'text/plain' },
  ];
  for (const { type, body, essence } of asIs) {
    it(`gives ${JSON.stringify(body)} of type "${type}" as it is`, async () => {
      const server = await loopback((_, response) => send(response, body, type));
      const { url: _url, ...fetched } = await fetchPage(server.url);
      expect(fetched).to.deep.equal({ status: 200, content_type: essence, content: body, title: null, truncated: false });
    });
  }

  const takenForHtml = [
    { type: '', body: '\n<!-- c -->\n<!DOCTYPE html><title>T</title><p>x' },
    { type: 'application/octet-stream', body: '<html><title>T</title><p>x' },
    {
      type: 'application/xhtml+xml',
      body: '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><p>x</p></body></html>',
    },
  ];
  for (const { type, body } of takenForHtml) {
    it(`takes ${body.trim().slice(0, 10)} of type "${type}" for HTML`, async () => {
      const server = await loopback((_, response) => send(response, body, type));
      const { content, title } = await fetchPage(server.url);
      expect({ content, title }).to.deep.equal({ content: 'x', title: 'T' });
    });
  }

  it('gives nothing for an answer without content', async () => {
    const server = await loopback((_, response) => response.writeHead(204).end());
    const { status, content, title } = await fetchPage(server.url);
    expect({ status, content, title }).to.deep.equal({ status: 204, content: '', title: null });
  });

  it('gives an empty text for a page without any', async () => {
    const server = await loopback((_, response) => send(response, '<html><script>1</script></html>'));
    const { content, title } = await fetchPage(server.url);
    expect({ content, title }).to.deep.equal({ content: '', title: null });
  });

  describe('decodes', () => {
    /** Text as Python encodes it. */
    const encoded = (text: string, encoding: string): Buffer =>
      execFileSync(pythonProgram(), ['-c', 'import sys; sys.stdout.buffer.write(sys.argv[1].encode(sys.argv[2]))', text, encoding]);

    const cases: readonly { what: string; encoding: string; type: string; text: string }[] = [
      { what: 'the charset of the Content-Type', encoding: 'shift_jis', type: 'text/html; charset="Shift_JIS"', text: '<p>日本語' },
      { what: 'ISO 8859-1 as browsers do', encoding: 'cp1252', type: 'text/plain;charset=iso-8859-1', text: 'Größe 5 € – “x”' },
      { what: 'KOI8-R', encoding: 'koi8-r', type: 'text/plain; charset=koi8-r', text: 'Привет' },
      { what: 'UTF-16 with a byte order mark', encoding: 'utf-16', type: 'text/plain', text: 'Grüße 👋' },
      { what: 'UTF-8 with a byte order mark', encoding: 'utf-8-sig', type: 'text/plain; charset=koi8-r', text: 'Grüße' },
      { what: 'UTF-16 that only the Content-Type names', encoding: 'utf-16-be', type: 'text/plain; charset=utf-16be', text: 'Grüße' },
      { what: 'a meta charset', encoding: 'gb18030', type: 'text/html', text: '<html><meta charset=gb18030><p>汉字€' },
      {
        what: 'a meta http-equiv',
        encoding: 'euc-kr',
        type: 'text/html',
        text: '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr"><p>한국어',
      },
      {
        what: 'the Content-Type before the meta charset',
        encoding: 'utf-8',
        type: 'text/html; charset=utf-8',
        text: '<meta charset=big5><p>ü漢',
      },
      {
        what: 'the meta charset when the other is unknown',
        encoding: 'cp1251',
        type: 'text/html; charset=x',
        text: '<meta charset="windows-1251"><p>Привет',
      },
      { what: 'a meta charset that cannot be true', encoding: 'utf-8', type: 'text/html', text: '<meta charset=utf-16><p>ü漢' },
      {
        what: 'an XML declaration',
        encoding: 'iso8859-2',
        type: 'text/xml',
        text: '<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>',
      },
      { what: 'UTF-8 when nothing is said', encoding: 'utf-8', type: 'text/plain', text: 'Grüße 漢字' },
      { what: 'windows-1252 when nothing is said and it is not UTF-8', encoding: 'cp1252', type: 'text/plain', text: 'Grüße für 5 €' },
    ];
    for (const { what, encoding, type, text } of cases) {
      it(what, async () => {
        const server = await loopback((_, response) => send(response, encoded(text, encoding), type));
        expect((await fetchPage(server.url, { format: 'html' })).content).to.equal(text);
      });
    }
  });
});
