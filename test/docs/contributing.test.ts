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

  for (const title of [
    'Add a transport',
    'Add a definition key',
    'Add a hook',
    'Add a resolver',
    'Add a command',
    'Change the approval question',
    'Change the format of the log',
    'Upgrade the MCP SDK',
    'Serve a new revision of the protocol',
    'Remove a built-in plugin',
  ])
    it(`says which files this changes: ${title}`, () =>
      expect(sections.find((section) => section.title === title)?.text).to.match(/\*\*[Cc]hanges\*\*/));

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
