import { expect } from 'chai';
import { marksExcess, normalizeText } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';

describe('normalizing a text', () => {
  it('gives each form', () => {
    expect(normalizeText('e\u0301')).to.equal('\u00e9');
    expect(normalizeText('\u00e9', 'NFD')).to.equal('e\u0301');
    expect(normalizeText('\ufb01', 'NFKC')).to.equal('fi');
  });

  it('refuses more than 128 marks in a row, before they are put in order', async () => {
    expect(normalizeText(`a${'\u0315\u0300'.repeat(64)}b`.repeat(100))).to.be.a('string');
    for (const text of ['\u0315\u0300'.repeat(400_000), `a${'\u0315'.repeat(129)}`, `${'\u{1d165}\u0300'.repeat(65)}`])
      await rejection((async () => normalizeText(text))(), 'INVALID_PARAMETERS');
    expect(marksExcess('\u0315'.repeat(129))).to.equal('expected at most 128 combining marks in a row, received 129');
  });

  it('counts every character that becomes nothing but marks', () => {
    const isOnlyMarks = (character: string): boolean => /^\p{M}+$/u.test(character.normalize('NFKD'));
    const uncounted = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => isOnlyMarks(character) && marksExcess(character.repeat(129)) === undefined);
    expect(uncounted).to.deep.equal([]);
  });
});
