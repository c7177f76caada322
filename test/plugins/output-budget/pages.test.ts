import { expect } from 'chai';
import { endOfPage, divideIntoPages as pagesOfSections, readPage, type Section } from '../../../plugins/output-budget/pages.ts';
import { escapedLength } from '../../../plugins/shared/output-room/text-within.ts';

function pagesOf(text: string, size: number): string[] {
  const pages: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfPage(text, start, size);
    pages.push(text.slice(start, end));
    start = end;
  }
  return pages;
}

describe('pages of a text', () => {
  const cases: readonly { title: string; text: string; size: number; pages: readonly string[] }[] = [
    { title: 'are none of an empty text', text: '', size: 4, pages: [] },
    { title: 'are one where the text fits', text: 'abcd', size: 4, pages: ['abcd'] },
    { title: 'end where they are full without a line to end at', text: 'abcdefghij', size: 4, pages: ['abcd', 'efgh', 'ij'] },
    { title: 'end behind the last line that ends in them', text: 'a\nbc\ndefgh', size: 7, pages: ['a\nbc\n', 'defgh'] },
    { title: 'end behind a line that ends with the page', text: 'abc\ndef\n', size: 5, pages: ['abc\n', 'def\n'] },
    { title: 'are not made short for a line that ends early', text: 'a\nbcdefgh', size: 9, pages: ['a\nbcdefg', 'h'] },
    { title: 'do not cut a character in two', text: 'abc🔑def', size: 4, pages: ['abc', '🔑de', 'f'] },
    { title: 'may end with a character of two halves', text: 'ab🔑def', size: 4, pages: ['ab🔑', 'def'] },
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
          pages.every((page) => page.length > 0 && escapedLength(page) <= size && page.isWellFormed()),
          `size ${size}`,
        ).to.equal(true);
      }
    });
  }
});

describe('pages of an output', () => {
  const sections: readonly Section[] = [
    { at: '', kind: 'shown', text: '{"log":"a","items":[1]}', shown: 0 },
    { at: '/log', kind: 'text', text: `a${'b\n'.repeat(3000)}`, shown: 1 },
    { at: '/items', kind: 'items', text: Array.from({ length: 500 }, (_, index) => `{"n":${index + 1}}`).join('\n'), shown: 1 },
    { at: '/more', kind: 'members', text: '"x": 1', shown: 0 },
  ];
  const paged = pagesOfSections(sections, [{ section: 0, start: 0, end: 23 }], 1000);

  it('begin with what was shown, and have everything else once', () => {
    const parts = paged.pages.flatMap((_, index) => readPage(paged, index + 1) ?? []);
    const textAt = (at: string): string => parts.flatMap((part) => (part.at === at ? part.text : [])).join('');
    expect(parts[0]).to.deep.equal({ at: '', from: 0, text: '{"log":"a","items":[1]}' });
    expect(`a${textAt('/log')}`).to.equal(sections[1]?.text);
    expect(textAt('/items')).to.equal(sections[2]?.text);
    expect(textAt('/more')).to.equal('"x": 1');
  });

  it('say how much of a text, and how many items of a list, come before each part', () => {
    for (const [index] of paged.pages.entries())
      for (const { at, from, text } of readPage(paged, index + 1) ?? [])
        if (at === '/log') expect(sections[1]?.text.slice(from, from + text.length)).to.equal(text);
        else if (at === '/items') expect(text.trimStart().startsWith(`{"n":${from}}`)).to.equal(true);
  });

  it('are no longer than the room as JSON', () => {
    for (const [index] of paged.pages.entries()) expect(JSON.stringify(readPage(paged, index + 1)).length).to.be.at.most(1000);
  });
});
