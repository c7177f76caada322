import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { areas, folders } from '../../plugins/toolkit/docs/where-is.ts';
import { type Import, importsOf } from './imports.ts';

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

/** Tests that stand elsewhere than the first module that they import, with the reason. At most 15. */
const elsewhere: Readonly<Record<string, string>> = {
  'test/kernel/secrets/redact-spellings.e2e.ts': 'masks texts; the log only bounds them',
  'test/plugins/mcp/commands/setup/plan.test.ts': 'tests the plan; the clients are its input',
  'test/plugins/cli/parameters/run-line.test.ts': 'tests the line; the command reads it back',
  'test/plugins/executor-http/request/styles/plain-values.test.ts': 'tests the styles of requests for definitions of each style',
  'test/plugins/mcp/transports/http/sessionless/replicas.test.ts': 'sends requests to two servers; the envelope is their form',
  'test/plugins/mcp/protocol/verdicts.test.ts': 'compares the whole protocol with the official schemas',
  'test/plugins/mcp/transports/stdio/answered.e2e.ts': 'sends every method of the protocol over stdio',
  'test/plugins/openapi/commands/eject.test.ts': 'tests eject; add writes the configuration',
  'test/plugins/openapi/commands/update.e2e.ts': 'tests update and diff; add writes the configuration',
  'test/plugins/openapi/mock/mock-server.test.ts': 'tests the mock; the source is its input',
  'test/plugins/openapi/source.test.ts': 'tests the whole source; accepting is one step',
  'test/plugins/shared/exposure/written-out/write-out.e2e.ts': 'compares what is written out with the portable schema',
  'test/plugins/toolkit/docs/site/site-files.e2e.ts': 'tests the files of the site; guides and pages are its input',
  'test/tools/core/web/feed/xml-feed.test.ts': 'tests the XML of a feed through the items of the feed',
};

/** Returns the part of the source that a file belongs to: the kernel, a plugin, a topic of `plugins/shared/`, a package of tools. */
function partOf(file: string): string {
  const [top = '', name = '', topic = ''] = file.split(path.sep);
  return top === 'kernel' ? top : path.join(top, name, ...(name === 'shared' ? [topic] : []));
}

/** Test support beside `test/`: types, errors, and the front doors with which every test makes its kernel. */
const isSupport = ({ to, isType }: Import): boolean =>
  isType || /^(kernel\/(index|errors)\.ts|plugins\/[^/]+\/index\.ts|plugins\/toolkit\/[^/]+\.ts)$/.test(to.split(path.sep).join('/'));

describe('a test', () => {
  it('stands where the first module of its own part stands that it imports and that is not support', async () => {
    const imports = await importsOf('test/{kernel,plugins,tools}/**/*.{test,e2e}.ts');
    const first = new Map<string, string>();
    for (const found of imports) {
      const own = partOf(path.relative('test', found.from));
      if (!isSupport(found) && partOf(found.to) === own && !first.has(found.from)) first.set(found.from, found.to);
    }
    expect(first.size).to.be.greaterThan(200);
    const misplaced = [...first].filter(([test, module]) => path.dirname(test) !== path.join('test', path.dirname(module)));
    expect(misplaced.filter(([test]) => !(test in elsewhere)).map(([test, module]) => `${test} imports ${module}`)).to.deep.equal([]);
    const tests = misplaced.map(([test]) => test);
    expect(Object.keys(elsewhere).filter((test) => !tests.includes(test))).to.deep.equal([]);
    expect(Object.keys(elsewhere).length).to.be.at.most(15);
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
