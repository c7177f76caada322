import { expect } from 'chai';
import { type ScanResult, scanItems } from '../../../../plugins/shared/scanner/scan-items.ts';
import { heldOutHarmless } from './texts/held-out-harmless.ts';
import { heldOutHostile } from './texts/held-out-hostile.ts';

const scan = (description: string): ScanResult => scanItems([{ type: 'tool', name: 'example', source: 'server', value: { description } }]);

const isFound = (text: string): boolean => scan(text).findings.length > 0;

/** Each second text was not looked at while the rules were made. */
const unseen = (texts: readonly string[]): readonly string[] => texts.filter((_, index) => index % 2 === 1);

describe('the scanner on held-out texts', () => {
  it('finds at least three of five hostile texts that its rules were not made from', () => {
    const texts = unseen(heldOutHostile);
    const missed = texts.filter((text) => !isFound(text));
    expect(missed.length, missed.join('\n')).to.be.at.most(Math.floor(texts.length * 0.4));
  });

  it('finds at least three of four hostile texts in all', () => {
    const missed = heldOutHostile.filter((text) => !isFound(text));
    expect(missed.length, missed.join('\n')).to.be.at.most(heldOutHostile.length / 4);
  });

  it('blocks no harmless text, and warns of one in forty at most', () => {
    expect(heldOutHarmless.filter((text) => scan(text).hard > 0)).to.deep.equal([]);
    const warned = heldOutHarmless.filter(isFound);
    expect(warned.length, warned.join('\n')).to.be.at.most(heldOutHarmless.length / 40);
  });
});
