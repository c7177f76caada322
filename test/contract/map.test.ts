import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { areas, folders } from '../../plugins/toolkit/docs/where-is.ts';

/** The texts in backticks. */
const named = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
}

describe('the map of the source', () => {
  const places = areas.flatMap((area) => Object.entries(area.places));

  it('answers at least ten questions, each once and with one file', async () => {
    expect(places.length).to.be.at.least(10);
    const questions = places.map(([question]) => question);
    expect(questions.filter((question, index) => questions.indexOf(question) !== index)).to.deep.equal([]);
    const files = await Promise.all(places.map(async ([, file]) => (existsSync(file) && (await stat(file)).isFile() ? '' : file)));
    expect(files.filter((file) => file !== '')).to.deep.equal([]);
  });

  it('asks questions, in plain words', () => {
    expect(
      places.map(([question]) => question).filter((question) => !/^(How|Where|Which|What|When|In which|Is) .+\?$/.test(question)),
    ).to.deep.equal([]);
  });

  it('names only folders that are there', () => {
    expect(Object.keys(folders).filter((folder) => !folder.includes('<') && !existsSync(folder))).to.deep.equal([]);
  });

  for (const folder of ['kernel', 'plugins/shared'])
    it(`has a row for every room of ${folder}/`, async () => {
      const rooms = (await foldersIn(folder)).map((room) => `${folder}/${room}/`);
      expect(rooms.filter((room) => !(room in folders))).to.deep.equal([]);
    });

  for (const folder of ['plugins/cli', 'plugins/executor-http', 'plugins/mcp', 'plugins/toolkit', 'test'])
    it(`names every room of ${folder}/ in its row`, async () => {
      const words = named(folders[`${folder}/`] ?? '');
      const rooms = (await foldersIn(folder)).filter((room) => folder !== 'test' || !['kernel', 'plugins', 'tools'].includes(room));
      expect(rooms.filter((room) => !words.includes(`${room}/`))).to.deep.equal([]);
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
