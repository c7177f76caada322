import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';

const guide = await readFile('CONTRIBUTING.md', 'utf8');

/** The rows of the table that begins with this heading, cell by cell. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, table = ''] = new RegExp(`\\n\\| ${heading} \\|.*\\n\\|[ -|]+\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) => row.split('|').slice(1, -1));
}

const named = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
}

describe('the map in CONTRIBUTING.md', () => {
  const questions = rowsBelow('where is …');
  const folders = rowsBelow('folder');

  it('answers at least ten questions, each with one path', () => {
    expect(questions.length).to.be.at.least(10);
    const several = questions.filter(([, answer]) => named(answer).length !== 1);
    expect(several).to.deep.equal([]);
  });

  it('names only what is there', () => {
    const paths = [...questions.flatMap(([, answer]) => named(answer)), ...folders.flatMap(([folder]) => named(folder))];
    expect(paths.filter((place) => !place.includes('<') && !existsSync(place))).to.deep.equal([]);
  });

  for (const folder of ['kernel', 'plugins/shared'])
    it(`has a row for every room of ${folder}/`, async () => {
      const rows = folders.flatMap(([cell]) => named(cell));
      const rooms = (await foldersIn(folder)).map((room) => `${folder}/${room}/`);
      expect(rooms.filter((room) => !rows.includes(room))).to.deep.equal([]);
    });

  for (const folder of ['plugins/cli', 'plugins/executor-http', 'plugins/mcp', 'plugins/toolkit', 'test'])
    it(`names every room of ${folder}/ in its row`, async () => {
      const words = folders.find(([cell]) => named(cell).includes(`${folder}/`))?.[1] ?? '';
      const rooms = (await foldersIn(folder)).filter((room) => folder !== 'test' || !['kernel', 'plugins', 'tools'].includes(room));
      expect(rooms.filter((room) => !named(words).includes(`${room}/`))).to.deep.equal([]);
    });

  it('has no loose file in plugins/shared/', async () => {
    expect(await filesIn('plugins/shared')).to.deep.equal([]);
  });
});

describe('the core of the kernel', () => {
  it('has at most 2,400 lines in at most 22 files', async () => {
    const files = await filesIn('kernel');
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(files.length).to.be.at.most(22);
    expect(texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)).to.be.at.most(2400);
  });
});
