import { expect } from 'chai';
import { documentText, relativeLinks, sectionsIn } from './markdown-page.ts';
import { questions } from './questions.ts';

describe('the README answers "how do I …"', () => {
  it('for ten questions', () => {
    expect(new Set(questions.map(({ question }) => question)).size).to.equal(10);
  });

  for (const { question, link, file, anchor, words } of questions)
    it(`${question}: a link leads to the section that says it`, async () => {
      const links = relativeLinks('README.md', await documentText('README.md')).map(({ href }) => href);
      expect(links).to.include(link);
      expect(link === file || link === `${file}#${anchor}`, `${link} leads to another page`).to.equal(true);
      const section = sectionsIn(await documentText(file)).find((each) => each.anchor === anchor);
      expect(section, `${file} has no section #${anchor}`).to.not.equal(undefined);
      expect(words.filter((word) => !section?.text.includes(word))).to.deep.equal([]);
    });
});
