import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { guides } from '../../plugins/toolkit/docs/guides.ts';
import { referenceFolder, referenceTitles } from '../../plugins/toolkit/docs/reference-pages.ts';
import { documentText, htmlOf, relativeLinks, sectionsIn } from './markdown-page.ts';

const documents = [
  ...new Set([
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
    ...guides.map(({ file }) => file),
    ...Object.keys(referenceTitles).map((name) => `${referenceFolder}/${name}`),
  ]),
];

describe('the documents', () => {
  for (const file of documents)
    it(`have no dead link: ${file}`, async () => {
      const dead: string[] = [];
      for (const link of relativeLinks(file, await documentText(file))) {
        if (!existsSync(link.file)) dead.push(link.href);
        else if (link.anchor !== undefined && link.file.endsWith('.md')) {
          const sections = sectionsIn(await documentText(link.file));
          if (!sections.some(({ anchor }) => anchor === link.anchor)) dead.push(link.href);
        }
      }
      expect(dead).to.deep.equal([]);
    });

  it('are found by their links: every guide is reached from the README', async () => {
    const reached = new Set(['README.md']);
    for (const file of reached)
      if (file.endsWith('.md') && existsSync(file))
        for (const link of relativeLinks(file, await documentText(file))) reached.add(link.file);
    expect(documents.filter((file) => !reached.has(file))).to.deep.equal([]);
  });

  it('name only files that exist, where the front page and the page for contributors show a path', async () => {
    const missing: string[] = [];
    for (const file of ['README.md', 'CONTRIBUTING.md'])
      for (const [path] of (await documentText(file)).matchAll(
        /\b(?:kernel|plugins|tools|test|fixtures)\/[\w./-]+\.(?:ts|mjs|md|ya?ml|json)\b/g,
      ))
        if (!existsSync(path) && path !== 'tools/count_words.yaml') missing.push(path);
    expect(missing).to.deep.equal([]);
  });
});

describe('the figures of the README', () => {
  it('are those of the pages with the proof', async () => {
    const text = await documentText('README.md');
    const tools = await documentText(`${referenceFolder}/tools.md`);
    expect(tools).to.match(/^262 tools: /m);
    expect(text).to.include('`@toolkit/core` has 136 tools.').and.include('The clone has all 262;');
    const ofPackages = [...text.matchAll(/\(tools\/\w+\/README\.md\) (\d+)/g)].map(([, count]) => Number(count));
    expect(ofPackages.reduce((sum, count) => sum + count, 136)).to.equal(262);
    const [, call = ''] = /\*\*Calls are cheap\.\*\* (\d+ µs)/.exec(text) ?? [];
    expect(await documentText('test/bench/README.md')).to.match(new RegExp(`^\\| toolkit, .*stdio .*\\| ${call} \\|$`, 'm'));
  });
});

describe('the rendered README', () => {
  it('shows its picture, which is an image and says in words what it shows', async () => {
    const html = htmlOf(await documentText('README.md'));
    const [, file = '', words = ''] = /<img src="([^"]+)" alt="([^"]+)"/.exec(html) ?? [];
    expect(words.length).to.be.greaterThan(20);
    expect(await readFile(file, 'utf8')).to.match(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  });

  it('has its tables and code as such, and nothing left unread', async () => {
    const html = htmlOf(await documentText('README.md'));
    expect(html.match(/<table>/g)).to.have.lengthOf(2);
    expect(html.match(/<pre><code class="language-/g)).to.have.lengthOf(7);
    expect(html.replace(/<pre>[\s\S]*?<\/pre>/g, '')).to.not.match(/```|\]\(|<p>\||\*\*/);
  });
});
