import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ReferenceTexts } from '../../../../../plugins/toolkit/docs/reference-pages.ts';
import { lightPicture } from '../../../../../plugins/toolkit/docs/site/pictures.ts';
import { sitePages } from '../../../../../plugins/toolkit/docs/site/site-pages.ts';
import { siteSource } from '../../../../../plugins/toolkit/docs/site/site-source.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { siteDocument, siteHtml } from './site-reader.ts';

const pagesOf = async (files: Readonly<Record<string, string>>) => sitePages(await temporaryFolder(files), [], {} as ReferenceTexts);

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => error.message,
  );

describe('the pages of the site', () => {
  it('name a guide that is in no section of the menu, and the file of the menu', async () => {
    const failure = await failureOf(pagesOf({ 'README.md': '# toolkit', 'plugins/new-thing/README.md': '# New' }));
    expect(failure).to.include('plugins/new-thing/README.md').and.include('name this guide in plugins/toolkit/docs/site/sidebar.ts');
  });

  it('name a page of the reference that is in no section of the menu', async () => {
    const root = await temporaryFolder({ 'README.md': '# toolkit' });
    const failure = await failureOf(sitePages(root, [], { 'errors.md': '# Errors' } as ReferenceTexts));
    expect(failure).to.include('plugins/toolkit/reference/errors.md is in no section of the site');
  });

  it('have the files that they link to, and the files that those link to', async () => {
    const pages = await pagesOf({
      'README.md': '# toolkit\n\n[more](docs/more.md) [missing](docs/missing.md) [out](../../out.md)',
      'docs/more.md': '# More\n\n[code](code.ts)',
      'docs/code.ts': 'export {};\n',
    });
    expect(pages.map(({ file }) => file)).to.deep.equal(['README.md', 'docs/more.md', 'docs/code.ts']);
    expect(pages[2]).to.include({ title: 'docs/code.ts', isSearched: false });
  });

  it('refuse a picture that has no form for dark pages', async () => {
    const root = await temporaryFolder({ 'README.md': '# toolkit\n\n![a](a.png)' });
    const options = { root, base: '/', title: '', description: '', llms: '' };
    expect(await failureOf(siteSource(await sitePages(root, [], {} as ReferenceTexts), options))).to.include('a.png is no SVG');
  });

  it('have each picture of pixels with the dark one beside it, byte by byte', async () => {
    const root = await temporaryFolder({ 'README.md': '# toolkit\n\n![a](docs/a.webp)', 'docs/a.webp': '', 'docs/a-dark.webp': '' });
    const [light, dark] = [Buffer.from([0xff, 0, 1]), Buffer.from([0xfe, 2, 3])];
    await Promise.all([writeFile(path.join(root, 'docs/a.webp'), light), writeFile(path.join(root, 'docs/a-dark.webp'), dark)]);
    const options = { root, base: '/', title: '', description: '', llms: '' };
    const source = await siteSource(await sitePages(root, [], {} as ReferenceTexts), options);
    expect([source.get('public/pictures/docs/a-light.webp'), source.get('public/pictures/docs/a-dark.webp')]).to.deep.equal([light, dark]);
    const page = siteDocument('![a](docs/a.webp)', 'README.md', { fileOf: () => 'README.md', hasPage: () => false });
    const shown = page('img')
      .get()
      .map((element) => page(element).attr('src'));
    expect(shown).to.deep.equal(['/pictures/docs/a-light.webp', '/pictures/docs/a-dark.webp']);
  });

  it('keep a comment that the generator would replace by a file', async () => {
    const root = await temporaryFolder({ 'README.md': '```html\n<!-- @include: ./secret.md -->\n```\n' });
    const source = await siteSource(await sitePages(root, [], {} as ReferenceTexts), {
      root,
      base: '/',
      title: '',
      description: '',
      llms: '',
    });
    expect(source.get('index.md')).to.not.match(/<!--\s*@include/);
  });

  it('link each other as the files do', () => {
    const files = new Map([
      ['index.md', 'README.md'],
      ['plugins/mcp/README.md', 'plugins/mcp/README.md'],
      ['tools/core/git/git_log.md', 'tools/core/git/git_log.yaml'],
    ]);
    const pages = { fileOf: (source: string) => files.get(source), hasPage: (file: string) => [...files.values()].includes(file) };
    const page = siteDocument(
      '[a](../../README.md#start) [b](../../tools/core/git/git_log.yaml) [c](#here) [d](https://x.example/y.md)',
      'plugins/mcp/README.md',
      pages,
    );
    const hrefs = page('a')
      .get()
      .map((element) => page(element).attr('href'));
    expect(hrefs).to.deep.equal(['../../index.html#start', '../../tools/core/git/git_log.html', '#here', 'https://x.example/y.md']);
  });

  it('give an anchor to each row that begins with code, and none that a heading has', () => {
    const page = siteDocument('## a_b\n\n| key | meaning |\n| --- | --- |\n| `a_b` | one |\n| [`c`](x) | two |\n| d | three |\n');
    expect(
      page('[id]')
        .get()
        .map((element) => page(element).attr('id')),
    ).to.deep.equal(['a_b', 'a_b-1', 'c']);
  });

  it('show HTML of a document as text', () => {
    expect(siteHtml('<script>alert(1)</script>\n\na <b>b</b>')).to.not.match(/<(script|b)>/);
  });
});

describe('the light form of a picture', () => {
  it('has the light color for each dark one', () => {
    expect(lightPicture('<rect fill="#0d1117"/>')).to.equal('<rect fill="#f6f8fa"/>');
  });

  it('is refused where a color has no light one', () => {
    expect(() => lightPicture('<rect fill="#123456"/>')).to.throw('#123456 has no light color');
  });
});
