import { expect } from 'chai';
import { load } from 'cheerio';
import Reader from 'markdown-it';
import { code, codeBlock, firstSentence, page, prose, table } from '../../../../plugins/toolkit/docs/markdown.ts';

const hostile: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[click](javascript:alert(1))',
  '![x](https://evil.example/x.png)',
  '<https://evil.example>',
  'see https://evil.example and www.evil.example',
  '``a` <b>bold</b> `b``',
  '` <img src=x> ``',
  '# no heading',
  '1. no list',
  '- no list',
  '--- | ---',
  '| a | b |',
  '\\| <i>x</i> \\',
  '`\\| <i>x</i>` `|` \\`|',
  '*a* **b** __c__ _d_ ~~e~~ snake_case_name',
  '&lt;b&gt; &amp; &#60;i&#62; a & b',
  '[a]: https://evil.example',
  '</td></tr></table><script>alert(1)</script>',
  '2 < 3 > 1',
];

/** A reader that takes HTML as it is. */
const reader = new Reader({ html: true });

/** As a browser reads it. */
const shown = (markdown: string) => load(`<main>${reader.render(markdown)}</main>`)('main');

const isMarkup = 'script, img, a, b, i, em, strong, del, ul, ol, hr, h1';

describe('texts of others in Markdown', () => {
  for (const text of hostile) {
    it(`bring no markup into a paragraph: ${text}`, () => {
      const main = shown(page(prose(text)));
      expect(main.find(isMarkup).length, main.html() ?? '').to.equal(0);
      expect(main.find('p').length).to.equal(1);
      expect(main.text().replace(/[`\s]/g, '')).to.equal(text.replace(/[`\s]/g, ''));
    });

    it(`bring no markup into a table, and no cell: ${text}`, () => {
      const main = shown(page(table(['a', 'b'], [[code(text), prose(text)]])));
      expect(main.find(isMarkup).length, main.html() ?? '').to.equal(0);
      const cells = main.find('td');
      expect(cells.length).to.equal(2);
      expect(cells.first().text().replace(/\s/g, '')).to.equal(text.replace(/\s/g, ''));
      expect(cells.last().text().replace(/[`\s]/g, '')).to.equal(text.replace(/[`\s]/g, ''));
    });
  }

  it('keep their code', () => {
    expect(shown(prose('Gives `a_b | <c>`, or *.')).find('code').text()).to.equal('a_b | <c>');
  });

  it('do not end a block of code', () => {
    const main = shown(codeBlock('json', '"```\n<b>x</b>"'));
    expect(main.find('pre').length).to.equal(1);
    expect(main.text().trim()).to.equal('"```\n<b>x</b>"');
  });

  for (const [text, first] of [
    ['Reads a file. Use it often.', 'Reads a file.'],
    ['Reads a file, e.g. a.txt, whole', 'Reads a file, e.g. a.txt, whole'],
    ['Is it? Yes.', 'Is it?'],
  ])
    it(`have a first sentence: ${text}`, () => {
      expect(firstSentence(text ?? '')).to.equal(first);
    });
});
