import { expect } from 'chai';
import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';
import { escapedLength, textWithin } from '../../../../plugins/shared/output-room/text-within.ts';

describe('the room for an output', () => {
  it('takes items until the JSON of all of them is as long as the budget', () => {
    const around = { items: [], truncated: false };
    const items = Array.from({ length: 100 }, (_, index) => ({ index, text: '"\n'.repeat(index % 7) }));
    const room = new OutputRoom(1000, around);
    const taken = items.slice(
      0,
      items.findIndex((item) => !room.take(item)),
    );
    expect(JSON.stringify({ items: taken, truncated: false }).length).to.be.within(950, 1000);
  });

  it('takes everything where there is no budget', () => {
    const room = new OutputRoom(undefined, {});
    expect(room.take('x'.repeat(1_000_000))).to.equal(true);
    expect(room.takeText('text')).to.equal('text');
  });

  for (const [name, text] of [
    ['plain text', 'word '.repeat(100)],
    ['line ends and quotes', '"a"\n'.repeat(100)],
    ['control characters', '\u0001\u0002'.repeat(100)],
    ['characters of two units', '😀é'.repeat(100)],
    ['halves of characters', '\ud83d'.repeat(100)],
  ] as const)
    it(`gives the longest beginning of ${name} that fits, and no half of a character`, () => {
      for (const room of [0, 1, 7, 50, 51, 52, 53, 1000]) {
        const part = textWithin(text, room);
        expect(text.startsWith(part)).to.equal(true);
        expect(escapedLength(part)).to.be.at.most(room);
        const next = String.fromCodePoint(text.codePointAt(part.length) ?? 0);
        if (part.length < text.length) expect(escapedLength(part + next)).to.be.above(room);
      }
    });
});
