import { expect } from 'chai';
import { htmlToMarkdown } from '../../../../tools/core/convert/html-to-markdown.ts';
import { python } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const hostileLinks =
  '<a href="javascript:alert(1)">a</a><a href="java\nscript:alert(1)">b</a><a href=" JAVASCRIPT:alert(1)">c</a>' +
  '<a href="&#106;avascript:alert(1)">d</a><a href="data:text/html,x">e</a><a href="vbscript:x">f</a><a href="file:///etc/passwd">g</a>' +
  '<a href="blob:https://x">h</a><a href="http://[">i</a><a href="">j</a><a>k</a>';

const silent =
  '<script>alert(1)</script><style>p {}</style><noscript>n</noscript><template>t</template><iframe src=x>i</iframe>' +
  '<svg><text>s</text></svg><canvas>c</canvas><object>o</object><datalist><option>d</datalist>';

describe('convert_html_to_markdown', () => {
  const shared = sharedToolkit();

  async function convert(html: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return ((await shared.toolkit.execute('convert_html_to_markdown', { html, ...more })) as { markdown: string }).markdown;
  }

  const cases: readonly { readonly what: string; readonly html: string; readonly more?: object; readonly markdown: string }[] = [
    { what: 'nothing', html: '', markdown: '' },
    { what: 'layout as nothing', html: ' \n<div> </div>\n', markdown: '' },
    {
      what: 'headings and marks',
      html: '<h2>Grüße 👋</h2><p>a <b>b</b> <i>c</i> <code>d</code> <del>e</del></p>',
      markdown: '## Grüße 👋\n\na **b** _c_ `d` ~~e~~',
    },
    { what: 'lists', html: '<ul><li>a<ol><li>b</li></ol></li></ul>', markdown: '-   a\n    1.  b' },
    {
      what: 'task lists',
      html: '<ul><li><input type="checkbox" checked> a</li><li><input type=checkbox>b</li></ul>',
      markdown: '-   [x] a\n-   [ ] b',
    },
    {
      what: 'quotes, rules and code',
      html: '<blockquote>a</blockquote><hr><pre><code class="language-js">b\n  c</code></pre>',
      markdown: '> a\n\n---\n\n```js\nb\n  c\n```',
    },
    {
      what: 'tables with a heading row',
      html: '<table><thead><tr><th>a|b</th><th>c</th></tr></thead><tbody><tr><td>1<br>2</td><td></td></tr></tbody></table>',
      markdown: '| a\\|b | c |\n| --- | --- |\n| 1 2 |  |',
    },
    { what: 'tables that are layout as paragraphs', html: '<table><tr><td>a</td><td>b</td></tr></table>', markdown: 'a\n\nb' },
    { what: 'marks of Markdown as text', html: '<p>*a* [b] # c</p><p>1. d</p>', markdown: '\\*a\\* \\[b\\] # c\n\n1\\. d' },
    {
      what: 'links and images as they are',
      html: '<a href="/a(1) b?c=d&amp;e">f</a> <a href="#g">h</a> <img src="i.png" alt="[j]">',
      markdown: '[f](/a%281%29%20b?c=d&e) [h](#g) ![\\[j\\]](i.png)',
    },
    {
      what: 'links and images with the address of the page',
      html: '<a href="../a">b</a> <a href="#c">d</a> <img src="//e.example/f.png" alt="世">',
      more: { base_url: 'https://example.org/x/y/z' },
      markdown: '[b](https://example.org/x/a) [d](https://example.org/x/y/z#c) ![世](https://e.example/f.png)',
    },
    {
      what: 'mail and telephone links',
      html: '<a href="mailto:a@b.example">c</a> <a href="tel:+1">d</a>',
      markdown: '[c](mailto:a@b.example) [d](tel:+1)',
    },
    { what: 'only the words of links that could run', html: hostileLinks, markdown: 'abcdefghijk' },
    {
      what: 'the same with the address of a page',
      html: hostileLinks,
      more: { base_url: 'https://example.org/' },
      markdown: 'abcdefghijk',
    },
    {
      what: 'no images out of the page itself',
      html: '<img src="data:image/png;base64,AAAA" alt="x"><img src="javascript:x" alt="y">',
      markdown: '',
    },
    { what: 'nothing of what is no text', html: `<title>t</title>${silent}<p>a</p>`, markdown: 'a' },
    { what: 'markup that is broken', html: '<p>a <b>b<p>c</b> <a href="d', markdown: 'a **b**\n\n**c**' },
  ];
  for (const { what, html, more = {}, markdown } of cases) {
    it(`gives ${what}`, async () => {
      expect(await convert(html, { ...more })).to.equal(markdown);
    });
  }

  it('refuses what is nested too deeply', async () => {
    // In this process, because a thread has a larger stack, and would take seconds to fill it.
    const error = await rejection(htmlToMarkdown({ html: `${'<div>'.repeat(4000)}x` }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"html" is nested too deeply');
  });

  it('stops a page that takes too long, and converts another one meanwhile', async () => {
    await stopsAlone(['convert'], 'convert_html_to_markdown', {
      harmless: { html: '<p>a</p>' },
      endless: { html: `<p>${'&nbsp;'.repeat(150_000)}x</p>` },
      meanwhile: async () => expect(await convert('<p>a</p>')).to.equal('a'),
    });
  });

  it('refuses a result over its limit', async () => {
    const base_url = `https://example.com/${'x'.repeat(8000)}/`;
    await rejection(convert('<a href="y">z</a> '.repeat(1100), { base_url }), 'OUTPUT_TOO_LARGE');
  });

  it('converts a page of many elements', async () => {
    const count = inRound({ whole: 25_000, short: 5000 });
    const markdown = await convert('<p>a <b>b</b></p>'.repeat(count));
    expect(markdown).to.equal(Array.from({ length: count }, () => 'a **b**').join('\n\n'));
  });

  for (const parameters of [{}, { html: 'x'.repeat(4_194_305) }, { html: 'a', base_url: 'ftp://x' }, { html: 'a', base_url: '/x' }]) {
    it(`refuses the parameters ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      await rejection(shared.toolkit.execute('convert_html_to_markdown', parameters), 'INVALID_PARAMETERS');
    });
  }
});

describe('convert_html_to_text', () => {
  const shared = sharedToolkit();

  async function convert(html: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return ((await shared.toolkit.execute('convert_html_to_text', { html, ...more })) as { text: string }).text;
  }

  const cases: readonly { readonly what: string; readonly html: string; readonly more?: object; readonly text: string }[] = [
    { what: 'nothing', html: '', text: '' },
    { what: 'layout as nothing', html: '\n<div> \n </div>', text: '' },
    { what: 'blocks and line breaks', html: '<h1>Grüße 👋</h1><p>a\n  b<br>c</p><div>d</div>', text: 'Grüße 👋\n\na b\nc\n\nd' },
    { what: 'lists', html: '<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>', text: ' * a\n * b\n   1. c' },
    {
      what: 'rows of tables as lines',
      html: '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      text: 'a b\n1 2',
    },
    { what: 'references', html: '&lt;b&gt; &amp;amp; &#x4E16;&eacute;', text: '<b> &amp; 世é' },
    { what: 'white space where it counts', html: '<pre>a\n\n\n  b</pre>', text: 'a\n\n\n  b' },
    {
      what: 'the addresses of links',
      html: '<a href="https://example.org/a">b</a> <a href="/c">d</a>',
      text: 'b (https://example.org/a) d (/c)',
    },
    { what: 'an address once', html: '<a href="https://example.org/a">https://example.org/a</a>', text: 'https://example.org/a' },
    { what: 'no addresses on request', html: '<a href="https://example.org/a">b</a>', more: { keep_links: false }, text: 'b' },
    { what: 'only the words of links that could run', html: hostileLinks, text: 'abcdefghijk' },
    { what: 'mail addresses', html: '<a href="mailto:a@b.example">c</a>', text: 'c (a@b.example)' },
    { what: 'images as the text that stands for them', html: 'a <img src="x" alt="世界"> <img src="y">b', text: 'a 世界 b' },
    { what: 'nothing of what is no text', html: `<title>t</title>${silent}<p>a</p>`, text: 'a' },
    {
      what: 'lines of a width',
      html: '<p>one two three four five six seven</p>',
      more: { word_wrap: 20 },
      text: 'one two three four\nfive six seven',
    },
    { what: 'long words whole', html: `<p>${'x'.repeat(30)} y</p>`, more: { word_wrap: 20 }, text: `${'x'.repeat(30)}\ny` },
  ];
  for (const { what, html, more = {}, text } of cases) {
    it(`gives ${what}`, async () => {
      expect(await convert(html, { ...more })).to.equal(text);
    });
  }

  it('gives the words that Python finds', async () => {
    const page = `<!doctype html><html><head><title>T</title><style>p { color: red }</style></head><body><h1>Über &amp; über</h1>
      <p>Ein <b>Satz</b> mit <a href="/x">Verweis</a>,<br>zwei Zeilen und 世界.</p><ul><li>eins</li><li>zwei</li></ul>
      <table><tr><td>1&nbsp;000</td><td>2</td></tr></table><script>if (1 < 2) { x("</p>") }</script><footer>Ende</footer></body></html>`;
    const program = `from html.parser import HTMLParser
result, skipped = [], 0
class Reader(HTMLParser):
    def handle_starttag(self, tag, attrs):
        global skipped
        skipped += tag in ("script", "style", "title")
    def handle_endtag(self, tag):
        global skipped
        skipped -= tag in ("script", "style", "title")
    def handle_data(self, data):
        if not skipped: result.extend(data.split())
Reader().feed(given)`;
    const words = (await convert(page, { keep_links: false })).split(/[\s*]+/).filter((word) => word !== '');
    // There "Verweis" and the comma behind it are two pieces.
    expect(words.join('')).to.equal((python(program, page) as string[]).join(''));
  });

  it('refuses what is nested too deeply', async () => {
    const error = await rejection(convert(`${'<div>'.repeat(20_000)}x`), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"html" is nested too deeply');
  });

  it('refuses a result over its limit', async () => {
    await rejection(convert('<hr>'.repeat(220_000)), 'OUTPUT_TOO_LARGE');
  });

  it('converts a page of very many elements', async () => {
    const count = inRound({ whole: 50_000, short: 10_000 });
    const text = await convert('<p>a <b>b</b></p>'.repeat(count));
    expect(text).to.equal(Array.from({ length: count }, () => 'a b').join('\n\n'));
  });

  for (const parameters of [{}, { html: 'x'.repeat(4_194_305) }, { html: 'a', word_wrap: 19 }, { html: 'a', word_wrap: 1001 }]) {
    it(`refuses the parameters ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      await rejection(shared.toolkit.execute('convert_html_to_text', parameters), 'INVALID_PARAMETERS');
    });
  }
});
