import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { builtPage } from './built-page.ts';

describe('the built page of the console', () => {
  let folder: string;
  before(async () => {
    folder = await builtPage();
  });

  it('is one script and one style sheet, named by their content, with under 60 kB in all when they are compressed', async () => {
    const files = (await readdir(folder)).filter((name) => name !== 'assets.json').sort();
    expect(files.map((name) => name.replace(/-[A-Z0-9]{8}\./, '-<hash>.')).sort()).to.deep.equal(['app-<hash>.css', 'app-<hash>.js']);
    const [style, script] = files.sort((a, b) => path.extname(a).localeCompare(path.extname(b)));
    // Own text: the build wrote it.
    expect(JSON.parse(await readFile(path.join(folder, 'assets.json'), 'utf8'))).to.deep.equal({ script, style });
    const sizes = await Promise.all(files.map(async (name) => gzipSync(await readFile(path.join(folder, name))).length));
    expect(sizes.reduce((sum, size) => sum + size)).to.be.below(60_000);
  });

  it('asks for nothing from elsewhere, and makes no code of a text', async () => {
    for (const name of await readdir(folder)) {
      const text = await readFile(path.join(folder, name), 'utf8');
      expect(text.match(/https?:\/\/(?!www\.w3\.org)[^"'`\s]*|\beval\(|new Function|document\.write/g), name).to.equal(null);
    }
  });
});
