import { expect } from 'chai';
import { pageEnds } from '../../../plugins/output-budget/pages.ts';

function pagesOf(text: string, size: number): string[] {
  const ends = pageEnds(text, size);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

describe('pages of a text', () => {
  const cases: readonly { title: string; text: string; size: number; pages: readonly string[] }[] = [
    { title: 'are none of an empty text', text: '', size: 4, pages: [] },
    { title: 'are one where the text fits', text: 'abcd', size: 4, pages: ['abcd'] },
    { title: 'end where they are full without a line to end at', text: 'abcdefghij', size: 4, pages: ['abcd', 'efgh', 'ij'] },
    { title: 'end behind the last line that ends in them', text: 'a\nbc\ndefgh', size: 6, pages: ['a\nbc\n', 'defgh'] },
    { title: 'end behind a line that ends with the page', text: 'abc\ndef\n', size: 4, pages: ['abc\n', 'def\n'] },
    { title: 'are not made short for a line that ends early', text: 'a\nbcdefgh', size: 8, pages: ['a\nbcdefg', 'h'] },
    { title: 'do not cut a character in two', text: 'abc🔑def', size: 4, pages: ['abc', '🔑de', 'f'] },
    { title: 'may end with a character of two halves', text: 'ab🔑def', size: 4, pages: ['ab🔑', 'def'] },
    {
      title: 'cut between half characters that belong to nobody',
      text: 'abc\udc00\udc00\ud800\ud800x',
      size: 4,
      pages: ['abc\udc00', '\udc00\ud800\ud800x'],
    },
  ];
  for (const { title, text, size, pages } of cases) {
    it(title, () => {
      expect(pagesOf(text, size)).to.deep.equal(pages);
    });
  }

  for (const [title, text] of [
    ['one long line', 'x'.repeat(5000)],
    ['short lines', 'line\r\n'.repeat(900)],
    ['empty lines', '\n'.repeat(5000)],
    ['characters of two halves', '🔑'.repeat(2500)],
    ['a mixture', 'a🔑\n語 text, and more text\r\n🔑🔑'.repeat(200)],
  ] as const) {
    it(`give all of ${title}, in pages of the right size, for any size`, () => {
      for (let size = 2; size < 300; size++) {
        const pages = pagesOf(text, size);
        expect(pages.join('') === text, `size ${size}`).to.equal(true);
        expect(
          pages.every((page) => page.length > 0 && page.length <= size && page.isWellFormed()),
          `size ${size}`,
        ).to.equal(true);
      }
    });
  }

  it('look at each character once, however long a line is', () => {
    const size = 1000;
    let looked = 0;
    const text = {
      length: 1_000_000,
      slice(start: number, end: number) {
        looked += end - start;
        return 'x'.repeat(end - start);
      },
    };
    expect(pageEnds(text as unknown as string, size)).to.have.length(1000);
    expect(looked).to.be.at.most(text.length);
  });
});
