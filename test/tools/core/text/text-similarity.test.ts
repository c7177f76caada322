import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Similarity {
  readonly score: number;
  readonly distance: number | null;
}

/** Written after the definitions, for texts whose graphemes are code points and whose words are between spaces. */
const measures = `
from collections import Counter
def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        row, old = [i + 1], row
        for j, y in enumerate(b): row.append(min(row[j] + 1, old[j + 1] + 1, old[j] + (x != y)))
    return {"score": 1 - row[-1] / max(len(a), len(b), 1), "distance": row[-1]}
def dice(a, b):
    if a == b: return {"score": 1, "distance": None}
    one, other = (Counter(map("".join, zip(t, t[1:]))) for t in (a, b))
    size = sum(one.values()) + sum(other.values())
    return {"score": 2 * sum((one & other).values()) / size if size else 0, "distance": None}
def cosine(a, b):
    if a == b: return {"score": 1, "distance": None}
    one, other = Counter(a.split()), Counter(b.split())
    size = (sum(n * n for n in one.values()) * sum(n * n for n in other.values())) ** 0.5
    return {"score": sum(n * other[w] for w, n in one.items()) / size if size else 0, "distance": None}
`;

describe('text_similarity', () => {
  const shared = sharedToolkit();

  const similarity = (left: string, right: string, method?: string): Promise<Similarity> =>
    shared.toolkit.execute('text_similarity', { left, right, ...(method === undefined ? {} : { method }) }) as never;

  const pairs = [
    ['kitten', 'sitting'],
    ['', ''],
    ['', 'abc'],
    ['a', 'b'],
    ['a', 'a'],
    ['Größe', 'Grösse'],
    ['世界 平和', '平和 世界'],
    ['👋👍', '👍👋👋'],
    ['the cat sat', 'the cat sat on the mat'],
    ['night', 'nacht'],
    ['aaaa', 'aa'],
    ['x'.repeat(500), `${'x'.repeat(250)}y${'x'.repeat(250)}`],
    ['abcdefghijklmnopqrstuvwxyz'.repeat(4), 'zyxwvutsrqponmlkjihgfedcba'.repeat(4)],
  ] as const;
  for (const method of ['levenshtein', 'dice', 'cosine']) {
    it(`measures ${method} by its definition`, async () => {
      const expected = pythonValue<Similarity[]>(`[${method}(*pair) for pair in given]`, pairs, measures);
      for (const [index, [left, right]] of pairs.entries()) {
        const { score, distance } = await similarity(left, right, method);
        expect(score, `${left} and ${right}`).to.be.closeTo(expected[index]?.score ?? Number.NaN, 1e-12);
        expect(distance, `${left} and ${right}`).to.equal(expected[index]?.distance);
      }
    });
  }

  // Winkler, W. E. (1990): String Comparator Metrics and Enhanced Decision Rules; rounded to three places there.
  const names = [
    { left: 'MARTHA', right: 'MARHTA', score: 0.961 },
    { left: 'DWAYNE', right: 'DUANE', score: 0.84 },
    { left: 'DIXON', right: 'DICKSONX', score: 0.813 },
    { left: 'ABC', right: 'XYZ', score: 0 },
    { left: '', right: 'A', score: 0 },
    { left: '', right: '', score: 1 },
    { left: 'Jürgen', right: 'Jürgen', score: 1 },
  ];
  for (const { left, right, score } of names) {
    it(`measures jaro_winkler between "${left}" and "${right}"`, async () => {
      const result = await similarity(left, right, 'jaro_winkler');
      expect(result.score).to.be.closeTo(score, 0.0005);
      expect(result.distance).to.equal(null);
    });
  }

  it('takes what a reader takes for one character as one', async () => {
    expect(await similarity('👩‍👩‍👧x', '👩‍👩‍👦x')).to.deep.equal({ score: 0.5, distance: 1 });
    expect(await similarity('q\u0301a', 'qa')).to.deep.equal({ score: 0.5, distance: 1 });
  });

  it('takes a letter with an accent for the same however it is encoded', async () => {
    for (const method of ['levenshtein', 'jaro_winkler', 'dice', 'cosine'])
      expect(await similarity('Café', 'Cafe\u0301', method)).to.include({ score: 1 });
  });

  it('takes levenshtein when no method is given, and knows no others', async () => {
    expect(await similarity('a', 'A')).to.deep.equal({ score: 0, distance: 1 });
    await rejection(similarity('a', 'b', 'hamming'), 'INVALID_PARAMETERS');
  });

  for (const method of ['levenshtein', 'jaro_winkler', 'dice', 'cosine']) {
    it(`measures ${method} of very long texts, with many different characters`, async () => {
      // 50,000 is the longest that it takes.
      const length = inRound({ whole: 50_000, short: 20_000 });
      const left = Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + (index % (0.4 * length)))).join('');
      const { score } = await similarity(left, `${left.slice(1)}a`, method);
      expect(score).to.be.within(0.8, 1);
    });
  }

  it('refuses longer texts', async () => {
    const error = await rejection(similarity('a'.repeat(50_001), ''), 'INVALID_PARAMETERS');
    expect(error.message).to.include('left').and.to.include('50000');
  });
});
