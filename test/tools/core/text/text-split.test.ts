import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_split', () => {
  const shared = sharedToolkit();

  const split = async (text: string, more: Record<string, unknown>): Promise<string[]> =>
    ((await shared.toolkit.execute('text_split', { text, ...more })) as unknown as { parts: string[] }).parts;

  const separators = [
    { text: 'red;green;;blue', separator: ';' },
    { text: ';', separator: ';' },
    { text: '', separator: ';' },
    { text: 'no separator', separator: ';' },
    { text: 'aaaa', separator: 'aa' },
    { text: 'Größe👋世界👋', separator: '👋' },
    { text: 'a.b*c', separator: '.' },
    { text: 'one two\tthree\u00a0four', separator: '\\s+', regex: true },
    { text: 'a1b22c', separator: '\\d', regex: true },
    { text: '1, 2,3', separator: ',\\s*', regex: true },
    { text: '👋é世', separator: '[é]', regex: true },
  ];
  it('divides as split of Python does', async () => {
    const expected = pythonValue<string[][]>(
      '[re.split(case["separator"], case["text"]) if case.get("regex") else case["text"].split(case["separator"]) for case in given]',
      separators,
      'import re',
    );
    for (const [index, { text, ...more }] of separators.entries())
      expect(await split(text, more), `${more.separator} in ${text}`).to.deep.equal(expected[index]);
  });

  it('divides at a place between characters, as split of JavaScript does', async () => {
    for (const separator of ['(?:)', ',*', '(?=b)', '\\b', '(?<=\\n)']) {
      const text = 'ab,,b b\nä👋';
      expect(await split(text, { separator, regex: true }), separator).to.deep.equal(text.split(new RegExp(separator, 'u')));
    }
  });

  it('leaves out what groups match', async () => {
    expect(await split('a1b2c', { separator: '(\\d)', regex: true })).to.deep.equal(['a', 'b', 'c']);
  });

  const prose =
    'Der schnelle braune Fuchs springt über den faulen Hund.\n\nDanach schläft er 👩‍👩‍👧 zehn Stunden lang – ohne Unterbrechung; Donaudampfschifffahrtsgesellschaftskapitän. ' +
    '私は猫が好きです。世界にはたくさんの猫がいます。';
  for (const chunk_size of [1, 2, 7, 20, 50, 1000]) {
    it(`makes chunks of up to ${chunk_size} characters that make up the text again`, async () => {
      const parts = await split(prose, { chunk_size });
      expect(parts.join('')).to.equal(prose);
      for (const part of parts) expect(Array.from(part).length).to.be.within(1, chunk_size);
    });
  }

  it('ends chunks behind the white space that follows a word', async () => {
    expect(await split('The quick brown fox jumps', { chunk_size: 11 })).to.deep.equal(['The quick ', 'brown fox ', 'jumps']);
    expect(await split('a\n\n\nb c', { chunk_size: 4 })).to.deep.equal(['a\n\n\n', 'b c']);
  });

  it('divides text without spaces between words, and long words between graphemes', async () => {
    expect(await split('私は猫が好きです。', { chunk_size: 5 })).to.deep.equal(['私は猫が', '好きです。']);
    expect(await split('e\u0301e\u0301e\u0301', { chunk_size: 3 })).to.deep.equal(['e\u0301', 'e\u0301', 'e\u0301']);
  });

  for (const overlap of [0, 5, 12, 19]) {
    it(`repeats up to ${overlap} characters of whole words in the next chunk`, async () => {
      const words = Array.from({ length: 100 }, (_, index) => `Wort${index % 13} `);
      const parts = await split(words.join(''), { chunk_size: 20, overlap });
      let end = 0;
      for (const [index, part] of parts.entries()) {
        expect(part.length).to.be.at.most(20);
        const start = words.join('').indexOf(part, Math.max(0, end - overlap));
        if (index > 0) expect(end - start).to.be.within(overlap < 7 ? 0 : 6, overlap);
        expect(part).to.match(/^(Wort\d+ )+$/);
        end = start + part.length;
      }
      expect(end).to.equal(words.join('').length);
    });
  }

  it('gives no chunk for an empty text', async () => {
    expect(await split('', { chunk_size: 5, overlap: 2 })).to.deep.equal([]);
  });

  const mistakes = [
    { parameters: {}, path: 'separator', says: 'received neither' },
    { parameters: { separator: ',', chunk_size: 5 }, path: 'separator', says: 'received both' },
    { parameters: { separator: '' }, path: 'separator', says: 'fewer than 1' },
    { parameters: { separator: '(', regex: true }, path: 'separator', says: 'Unterminated group' },
    { parameters: { chunk_size: 5, regex: true }, path: 'regex', says: 'Leave "regex" out' },
    { parameters: { chunk_size: 5, overlap: 5 }, path: 'overlap', says: 'less than "chunk_size" (5), received 5' },
    { parameters: { separator: ',', overlap: 5 }, path: 'overlap', says: 'Leave "overlap" out' },
    { parameters: { chunk_size: 0 }, path: 'chunk_size', says: '1' },
  ];
  for (const { parameters, path, says } of mistakes) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      const error = await rejection(split('a,b', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal(path);
    });
  }

  it('refuses more parts, and more text, than its limits', async () => {
    expect(await split(','.repeat(99_999), { separator: ',' })).to.have.length(100_000);
    const error = await rejection(split(','.repeat(100_000), { separator: ',' }), 'OUTPUT_TOO_LARGE');
    expect(error.message).to.include('more than 100000 parts');
    await rejection(split('ab '.repeat(20_000), { chunk_size: 3000, overlap: 2999 }), 'OUTPUT_TOO_LARGE');
  });
});
