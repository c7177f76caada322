import { expect } from 'chai';
import { segmentsOf } from '../../../../tools/core/text/segments.ts';
import { inRound } from '../../../support/round.ts';

/** Parts of the test texts: every kind of border, and every character that forbids one. */
const pieces = [
  ...[
    'a',
    'A',
    'bc',
    'Dr.',
    'é',
    'e\u0301',
    'Ж',
    'ﬀ',
    '5',
    '3.5',
    ' ',
    '\u00a0',
    '\n',
    '\r\n',
    '\r',
    '\u2028',
    '.',
    '. ',
    '! ',
    '? ',
    '"',
    ')',
    ',',
    '’',
  ],
  ...[
    '。',
    '！',
    '、',
    '世界',
    '猫',
    'ガ',
    'か\u3099',
    'が',
    '한',
    '\u1112\u1161\u11ab',
    'ไทย',
    'ำ',
    'हिन्दी',
    'क्ष',
    '\u0600',
    '\u0301',
    '\u200d',
  ],
  ...['👩‍👩‍👧', '👍', '👍🏽', '🏽', '❤\ufe0f', '\ufe0f', '1\ufe0f\u20e3', 'ℹ', 'Ⓜ', '🇩🇪', '🇫'],
];

/** Numbers from 0 to 1 that are the same in every run (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('segments of a long text', () => {
  for (const granularity of ['grapheme', 'word', 'sentence'] as const) {
    it(`are those of Intl.Segmenter for every ${granularity}, although it gets the text in stretches`, () => {
      const segmenter = new Intl.Segmenter('en', { granularity });
      const next = numbers(1);
      for (let round = 0; round < inRound({ whole: 30, short: 8 }); round++) {
        const chosen = pieces.filter(() => next() < 0.4);
        let text = '';
        while (text.length < 4000) text += chosen[Math.floor(next() * chosen.length)] ?? 'x';
        expect(
          Array.from(segmentsOf(text, granularity), ({ segment, isWordLike }) => [segment, isWordLike]),
          JSON.stringify(text),
        ).to.deep.equal(Array.from(segmenter.segment(text), ({ segment, isWordLike }) => [segment, isWordLike]));
      }
    });
  }

  it('are cut out of the text without a gap', () => {
    const text = 'Wort '.repeat(5000);
    expect(Array.from(segmentsOf(text, 'word'), ({ segment }) => segment).join('')).to.equal(text);
    expect([...segmentsOf('', 'word')]).to.deep.equal([]);
  });
});
