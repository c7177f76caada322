import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const shared = sharedToolkit();

const encode = async (text: string, more: Record<string, unknown> = {}): Promise<string> =>
  ((await shared.toolkit.execute('encode_url', { text, ...more })) as { encoded: string }).encoded;
const decode = async (encoded: string, more: Record<string, unknown> = {}): Promise<string> =>
  ((await shared.toolkit.execute('decode_url', { encoded, ...more })) as { text: string }).text;

const values = [
  '',
  '50% off & more',
  'a/b?c=d#e+f',
  'Grüße, 世界 👋',
  '\u0000\n\u007f\u0085',
  String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index)),
];
const whole = { component: false };

describe('encode_url', () => {
  it('gives for a value what quote of Python gives with nothing safe', async () => {
    const expected = pythonValue<string[]>('[quote(t, safe="") for t in given]', values, 'from urllib.parse import quote');
    for (const [index, text] of values.entries()) expect(await encode(text)).to.equal(expected[index]);
  });

  it('leaves the structure of a whole URL as quote of Python does when that is safe', async () => {
    const urls = [
      '/a b/ü?q=x y&r=[1]|\'"<>{}^`\\',
      'mailto:zoë@example.com?subject=a b',
      'data:text/plain,a b',
      '#ä',
      "a!$&'()*+,;=:@-._~/?",
      '',
    ];
    const expected = pythonValue<string[]>(`[quote(t, safe="!#$&'()*+,/:;=?@~") for t in given]`, urls, 'from urllib.parse import quote');
    for (const [index, url] of urls.entries()) expect(await encode(url, whole)).to.equal(expected[index]);
  });

  const urls = [
    { url: 'https://bücher.example/große Liste?q=a b#ä', encoded: 'https://xn--bcher-kva.example/gro%C3%9Fe%20Liste?q=a%20b#%C3%A4' },
    { url: 'http://zoë:pä@例え.jp:8080', encoded: 'http://zo%C3%AB:p%C3%A4@xn--r8jz45g.jp:8080' },
    { url: '//faß.de/x', encoded: '//xn--fa-hia.de/x' },
    { url: 'http://[2001:db8::1]:80/[x]', encoded: 'http://[2001:db8::1]:80/%5Bx%5D' },
    { url: 'https://a.de/%20%zz%c3%', encoded: 'https://a.de/%20%25zz%c3%25' },
    { url: 'https://a.de/a#b#c', encoded: 'https://a.de/a#b%23c' },
    { url: 'https://a.de?x=https://ü.de/@b', encoded: 'https://a.de?x=https://%C3%BC.de/@b' },
    { url: 'file:///tmp/a b', encoded: 'file:///tmp/a%20b' },
  ];
  for (const { url, encoded } of urls) {
    it(`encodes ${url} as a whole, and no more the second time`, async () => {
      expect(await encode(url, whole)).to.equal(encoded);
      expect(await encode(encoded, whole)).to.equal(encoded);
    });
  }

  const mistakes = [
    { text: 'a\ud800', more: {}, position: 2, says: 'expected a whole character' },
    { text: 'http://a b/', more: whole, position: 9, says: 'expected the name of a host, received U+0020' },
    { text: 'http://ü ber/', more: whole, position: 8, says: 'expected the name of a host' },
  ];
  for (const { text, more, position, says } of mistakes) {
    it(`refuses ${JSON.stringify(text)}, with the place`, async () => {
      const error = await rejection(encode(text, more), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "text" is wrong at character ${position}: `).and.to.include(says);
      expect(error.details).to.include({ position });
    });
  }
});

describe('decode_url', () => {
  it('gives for a value what unquote of Python gives', async () => {
    const encoded = ['a+b', '%41%2f%2F', 'Gr%C3%BC%C3%9Fe %F0%9F%91%8B', 'ü%20', '', '%00%0A'];
    const expected = pythonValue<string[]>('[unquote(t, errors="strict") for t in given]', encoded, 'from urllib.parse import unquote');
    for (const [index, text] of encoded.entries()) expect(await decode(text)).to.equal(expected[index]);
  });

  it('undoes encode_url', async () => {
    for (const text of values) expect(await decode(await encode(text))).to.equal(text);
    for (const url of ['https://bücher.example/große Liste?q=a b&c=d#ä', 'http://zoë@例え.jp:8080/', '/ä b'])
      expect(await decode(await encode(url, whole), whole)).to.equal(url);
  });

  it('leaves in a whole URL the escapes without which it would be another', async () => {
    const url = 'https://a.de/x%2Fy%3F%23%25?q=%26%3D%2B%0A%C3%BC%20';
    expect(await decode(url, whole)).to.equal('https://a.de/x%2Fy%3F%23%25?q=%26%3D%2B%0Aü ');
    expect(await encode(await decode(url, whole), whole)).to.equal(url);
  });

  const mistakes = [
    { encoded: '100%', position: 5, says: 'expected two hexadecimal digits behind "%", received the end. For a percent sign write %25' },
    { encoded: 'a%2', position: 4, says: 'received the end' },
    { encoded: 'a%2xb', position: 4, says: 'received "x"' },
    { encoded: '%C3%BC %zz', position: 9, says: 'received "z"' },
    { encoded: 'ab%FC', position: 3, says: 'expected the bytes of a character in UTF-8, received "%FC"' },
    { encoded: '%C3%BC%C3', position: 7, says: 'received "%C3"' },
    { encoded: '%ED%A0%80', position: 1, says: 'such as Latin-1' },
  ];
  for (const { encoded, position, says } of mistakes) {
    it(`refuses ${encoded}, with the place of the first wrong character`, async () => {
      for (const component of [true, false]) {
        const error = await rejection(decode(encoded, { component }), 'INVALID_PARAMETERS');
        expect(error.message).to.include(`Parameter "encoded" is wrong at character ${position}: `).and.to.include(says);
        expect(error.details).to.include({ position });
      }
    });
  }
});
