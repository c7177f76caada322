import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

type Counts = Readonly<Record<'characters' | 'graphemes' | 'words' | 'lines' | 'sentences' | 'bytes', number>>;

describe('text_count', () => {
  const shared = sharedToolkit();

  const count = (text: string): Promise<Counts> => shared.toolkit.execute('text_count', { text }) as unknown as Promise<Counts>;

  const cases = [
    { what: 'an empty text', text: '', graphemes: 0, words: 0, lines: 0, sentences: 0 },
    { what: 'prose', text: 'Das ist es. Ist es das? Ja!\n', graphemes: 28, words: 7, lines: 1, sentences: 3 },
    { what: 'accents that are characters of their own', text: 'e\u0301te\u0301', graphemes: 3, words: 1, lines: 1, sentences: 1 },
    { what: 'an emoji of five characters', text: '👩‍👩‍👧', graphemes: 1, words: 0, lines: 1, sentences: 1 },
    { what: 'an accent without a letter', text: 'ab\n\u0301', graphemes: 4, words: 1, lines: 2, sentences: 2 },
    { what: 'flags', text: '🇩🇪🇫🇷', graphemes: 2, words: 0, lines: 1, sentences: 1 },
    { what: 'Japanese', text: '私は猫が好き。犬も好き。', graphemes: 12, words: 8, lines: 1, sentences: 2 },
    { what: 'numbers and contractions', text: "It's 3.5 well-known", graphemes: 19, words: 4, lines: 1, sentences: 1 },
    { what: 'white space only', text: ' \t\n ', graphemes: 4, words: 0, lines: 2, sentences: 0 },
    { what: 'three kinds of line endings', text: 'a\r\nb\rc\nd', graphemes: 7, words: 4, lines: 4, sentences: 4 },
    { what: 'empty lines', text: '\n\n', graphemes: 2, words: 0, lines: 2, sentences: 0 },
  ];
  for (const { what, text, ...counts } of cases) {
    it(`counts ${what}`, async () => {
      expect(await count(text)).to.include(counts);
    });
  }

  it('counts characters, bytes and lines as Python does', async () => {
    const texts = cases.map(({ text }) => text);
    const expected = pythonValue<Counts[]>(
      '[{"characters": len(t), "bytes": len(t.encode()), "lines": len(re.split("\\r\\n|[\\r\\n]", t)) - (t == "" or t[-1] in "\\r\\n")} for t in given]',
      texts,
      'import re',
    );
    for (const [index, text] of texts.entries()) expect(await count(text)).to.include(expected[index]);
  });

  it('counts half of a surrogate pair as a character', async () => {
    expect(await count('a\ud83d')).to.include({ characters: 2, bytes: 4 });
  });

  for (const [what, unit, each] of [
    ['long lines', 'The fox, quick and brown, jumps. ', { characters: 33, graphemes: 33, words: 6, sentences: 1, bytes: 33 }],
    ['many lines', 'Größe\n', { characters: 6, graphemes: 6, words: 1, sentences: 1, lines: 1, bytes: 8 }],
    ['Japanese', '私は猫が好き。', { characters: 7, graphemes: 7, words: 5, sentences: 1, bytes: 21 }],
    ['emoji', '👩‍👩‍👧👍🏽', { characters: 7, graphemes: 2, words: 0, bytes: 26 }],
  ] as const) {
    it(`counts ${what} of some hundred thousand characters`, async () => {
      const times = Math.ceil(300_000 / unit.length);
      const counts = await count(unit.repeat(times));
      for (const [name, number] of Object.entries(each)) expect(counts[name as keyof Counts], name).to.equal(number * times);
    });
  }

  it('reports its steps for a long text', async () => {
    const seen: unknown[] = [];
    await shared.toolkit.execute('text_count', { text: 'Wort '.repeat(5000) }, { onProgress: (progress) => seen.push(progress) });
    expect(seen).to.deep.equal([
      { progress: 1, total: 3, message: 'graphemes' },
      { progress: 2, total: 3, message: 'words' },
      { progress: 3, total: 3, message: 'sentences' },
    ]);
  });
});
