import { expect } from 'chai';
import { documentText, sectionsIn } from './markdown-page.ts';

const sections = sectionsIn(await documentText('CONTRIBUTING.md'));
const glossary = sections.find(({ anchor }) => anchor === 'glossary')?.text ?? '';
const rows = [...glossary.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
  .map(([, word = '', meaning = '']) => ({ word, meaning }))
  .filter(({ word }) => word !== 'word' && word !== '---');

describe('CONTRIBUTING.md', () => {
  it('begins with the recipes', () => {
    const titles = sections.slice(1, 8).map(({ title }) => title);
    expect(titles).to.deep.equal([
      'Add a tool',
      'Add a provider',
      'Add a command',
      'Add a flag of an option',
      'Add a check',
      'Add an executor',
      'Add a resolver',
    ]);
  });

  it('has a glossary of at most 60 words, each once', () => {
    const words = rows.map(({ word }) => word);
    expect(words.length).to.be.within(40, 60);
    expect(new Set(words).size).to.equal(words.length);
  });

  it('explains each word in one sentence', () => {
    const others = rows.filter(({ meaning }) => !/^[A-Z].*[^.]\.$/.test(meaning) || /\. /.test(meaning) || meaning.length > 110);
    expect(others).to.deep.equal([]);
  });
});
