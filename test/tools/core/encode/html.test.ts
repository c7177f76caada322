import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const shared = sharedToolkit();

const encode = async (text: string): Promise<string> =>
  ((await shared.toolkit.execute('encode_html', { text })) as { escaped: string }).escaped;
const decode = async (escaped: string): Promise<string> =>
  ((await shared.toolkit.execute('decode_html', { escaped })) as { text: string }).text;

const texts = ['', 'plain', `<a href="x" title='y'>R & D</a>`, '&amp;', 'Grüße, 世界 👋', '\u00a0\n\t', "';&#65;"];

describe('encode_html', () => {
  it('writes the five characters as references that Python reads back, and nothing else', async () => {
    const escaped = await Promise.all(texts.map(encode));
    expect(pythonValue<string[]>('[html.unescape(t) for t in given]', escaped, 'import html')).to.deep.equal(texts);
    for (const text of escaped) expect(text).to.not.match(/[<>"']/);
    expect(await encode(`<>&"'é`)).to.equal('&lt;&gt;&amp;&quot;&apos;é');
  });
});

describe('decode_html', () => {
  it('knows every named reference that Python knows', async () => {
    const known = pythonValue<Record<string, string>>(
      '{k: v for k, v in html.entities.html5.items() if k.endswith(";")}',
      null,
      'import html.entities',
    );
    const names = Object.keys(known);
    expect(names.length).to.be.greaterThan(2000);
    expect(await decode(names.map((name) => `&${name}`).join(' '))).to.equal(Object.values(known).join(' '));
  });

  it('reads numbers as Python does', async () => {
    const escaped = [
      '&#65;&#x41;&#X41;',
      '&#x1F44B;&#228;',
      '&#128;&#x99;',
      '&#10;&#0065;',
      '&#x10FFFD;',
      '&#0;',
      'ä&#xD800;',
      '&#x110000;',
      // Browsers read a number without a semicolon as well: there is no word that could be meant.
      '&#65',
      'it&#8217s',
      '&#12a;',
      '&#x41g&#x41',
      '&#65&#66;&#67',
      '&#99999999999',
      '&#4294967361 x',
      '&#x1000000041;',
      '&#x110000x',
      '&#0065x',
      '&#128 ',
    ];
    const expected = pythonValue<string[]>('[html.unescape(t) for t in given]', escaped, 'import html');
    for (const [index, text] of escaped.entries()) expect(await decode(text)).to.equal(expected[index]);
  });

  it('undoes encode_html, once', async () => {
    for (const text of texts) expect(await decode(await encode(text))).to.equal(text);
    expect(await decode('&amp;lt;')).to.equal('&lt;');
    expect(await decode('&amp;#65 &#38#65')).to.equal('&#65 &#65');
  });

  const plain = ['Fish & Chips', 'AT&T', 'a=1&copy=2&lt', '&#', '&#x', '&;', '& amp;', '<b>&'];
  const unknown = ['a &foo; b', '&AMp;', '&constructor;', '&#a12;', '&#;', '&#x;'];
  for (const text of [...plain, ...unknown]) {
    it(`leaves ${text} as it is`, async () => {
      expect(await decode(text)).to.equal(text);
    });
  }
});
