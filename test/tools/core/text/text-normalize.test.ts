import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_normalize', () => {
  const shared = sharedToolkit();

  const normalize = async (text: string, more: Record<string, unknown> = {}): Promise<string> =>
    ((await shared.toolkit.execute('text_normalize', { text, ...more })) as { text: string }).text;

  /** All that this version of Unicode has, without surrogates and private use. */
  const assigned = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
    (one) => !/[\p{Cn}\p{Cs}\p{Co}]/u.test(one),
  );
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
    it(`gives the ${form} of Python for every character that Python knows`, async () => {
      const [text, expected] = pythonValue<[string, string]>(
        `(lambda text: [text, unicodedata.normalize("${form}", text)])("|".join(c for c in given if unicodedata.category(c) != "Cn"))`,
        assigned.join(''),
        'import unicodedata',
      );
      expect(text.length).to.be.greaterThan(250_000);
      expect((await normalize(text, { form })) === expected).to.equal(true);
    });
  }

  it('gives the forms of Python for marks in every order, too', async () => {
    const texts = [
      'q\u0323\u0307',
      'q\u0307\u0323',
      '\u1112\u1161\u11ab',
      '\ufb01\u0301',
      '\u212b',
      '\u0344',
      'a\u0315\u0300\u05ae\u0062',
      '',
    ];
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
      const expected = pythonValue<string[]>(`[unicodedata.normalize("${form}", t) for t in given]`, texts, 'import unicodedata');
      for (const [index, text] of texts.entries()) expect(await normalize(text, { form })).to.equal(expected[index]);
    }
  });

  it('removes the accents of Latin, Greek and Cyrillic letters, as Python does without combining characters', async () => {
    const prepare = [
      'import unicodedata',
      'blocks = [(0xC0, 0x250), (0x370, 0x3E2), (0x400, 0x483), (0x1E00, 0x1F00), (0x1F00, 0x2000)]',
      'letters = " ".join(c for block in blocks for c in map(chr, range(*block)) if c.isalpha())',
      'plain = "".join(c for c in unicodedata.normalize("NFD", letters) if not unicodedata.combining(c))',
    ].join('\n');
    const [letters, expected] = pythonValue<[string, string]>('[letters, unicodedata.normalize("NFC", plain)]', null, prepare);
    expect(letters.length).to.be.greaterThan(2000);
    expect(await normalize(letters, { strip_accents: true })).to.equal(expected);
  });

  for (const text of ['øłßđ', 'が', 'हिन्दी', 'ที่', 'שָׁלוֹם', '한']) {
    it(`leaves ${text} as it is when it removes accents`, async () => {
      expect(await normalize(text, { strip_accents: true })).to.equal(text.normalize());
    });
  }

  it('joins white space as split and join of Python do', async () => {
    const texts = ['  a \t b\n\n c\u00a0\u3000d\u2028e\r\n', '', ' \n ', 'ä  👋', 'one'];
    const expected = pythonValue<string[]>('[" ".join(t.split()) for t in given]', texts);
    for (const [index, text] of texts.entries()) expect(await normalize(text, { collapse_whitespace: true })).to.equal(expected[index]);
  });

  for (const [line_endings, expected] of [
    ['lf', 'a\nb\nc\n\nd'],
    ['crlf', 'a\r\nb\r\nc\r\n\r\nd'],
    ['keep', 'a\r\nb\rc\n\nd'],
  ] as const) {
    it(`writes line endings as ${line_endings}`, async () => {
      expect(await normalize('a\r\nb\rc\n\nd', { line_endings })).to.equal(expected);
    });
  }

  it('does nothing but NFC by default', async () => {
    expect(await normalize(' e\u0301  \r\n ﬁ ')).to.equal(' é  \r\n ﬁ ');
  });

  it('does all at once, in the wanted form', async () => {
    const more = { form: 'NFKD', strip_accents: true, collapse_whitespace: true, line_endings: 'lf' };
    expect(await normalize(' ﬁancé\r\n Ａ½ ', more)).to.equal('fiance A1⁄2');
  });

  it('refuses a result that is larger than its limit', async () => {
    await rejection(normalize('\ufdfa'.repeat(1_200_000), { form: 'NFKD' }), 'OUTPUT_TOO_LARGE');
  });

  for (const more of [{ form: 'nfc' }, { line_endings: 'cr' }, { strip_accents: 'yes' }]) {
    it(`refuses ${JSON.stringify(more)}`, async () => {
      await rejection(normalize('a', more), 'INVALID_PARAMETERS');
    });
  }
});
