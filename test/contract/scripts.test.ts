import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';

interface Data {
  readonly variable: string;
  readonly folder: string;
  readonly holds: string;
}

interface Suite {
  readonly about: string;
  readonly spec: readonly string[];
  readonly whole?: Readonly<Record<string, string>>;
}

const load = async <Module>(file: string): Promise<Module> => (await import(path.resolve('test/suites', file))) as Module;

const { suites, grouped } = await load<{ suites: Readonly<Record<string, Suite>>; grouped: readonly string[] }>('suites.mjs');
const { oldScripts } = await load<{ oldScripts: Readonly<Record<string, string>> }>('old-scripts.mjs');
const { missingData } = await load<{ missingData: (data: readonly Data[], env: object) => readonly string[] }>('missing-data.mjs');
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

const alias = 'node test/suites/run.mjs --old';
const isHook = (name: string): boolean => /^(pre|post)/.test(name) && name.replace(/^(pre|post)/, '') in scripts;
const names = Object.keys(scripts).filter((name) => scripts[name] !== alias && !isHook(name));

/** Runs `npm run test:suite` with these arguments. */
const runSuite = (...args: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['test/suites/run.mjs', ...args], { encoding: 'utf8' });

describe('the scripts of package.json', () => {
  it('have at most fifteen names that a person runs', () => {
    expect(names).to.include.members(['build', 'start', 'test', 'test:e2e', 'test:suite', 'lint', 'docs', 'bench']);
    expect(names.length).to.be.at.most(15);
  });

  it('have a new command for each old name', () => {
    const aliases = Object.keys(scripts).filter((name) => scripts[name] === alias);
    expect(aliases).to.have.members(Object.keys(oldScripts));
    for (const command of Object.values(oldScripts)) {
      const [, script = '', suite] = /^npm run -s (\S+)(?: ([\w:-]+))? --$/.exec(command) ?? [];
      if (command.startsWith('node plugins/toolkit/build.mjs ')) continue;
      expect(names, command).to.include(script);
      if (script === 'test:suite') expect([...Object.keys(suites), 'grouped'], command).to.include(suite?.replace(/:whole$/, ''));
      if (suite?.endsWith(':whole')) expect(suites[suite.replace(/:whole$/, '')], command).to.have.property('whole');
    }
  });
});

describe('the suites of npm run test:suite', () => {
  it('run files that are there', async () => {
    for (const [name, { spec }] of Object.entries(suites))
      for (const pattern of spec) expect(await glob(pattern), `${name}: ${pattern}`).to.not.have.lengthOf(0);
  });

  it('run every *.suite.ts file', async () => {
    const run = await glob(Object.values(suites).flatMap(({ spec }) => spec));
    expect(await glob('test/**/*.suite.ts')).to.be.an('array').that.is.not.empty;
    expect((await glob('test/**/*.suite.ts')).filter((file) => !run.includes(file))).to.deep.equal([]);
  });

  it('are known where .ci/run runs several together', () => {
    expect(grouped.filter((name) => !(name in suites))).to.deep.equal([]);
  });

  it('are listed with one line each where none is named', () => {
    const { status, stdout } = runSuite();
    expect(status).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ', 1)[0])).to.deep.equal(Object.keys(suites));
    expect(Object.values(suites).filter(({ about }) => about.length > 100)).to.deep.equal([]);
  });

  for (const [given, nearest] of [
    ['atacks', 'attacks'],
    ['fuzz:hole', 'fuzz:whole'],
    ['constructor', 'inspector'],
  ] as const)
    it(`have no "${given}", and the error names "${nearest}"`, () => {
      const { status, stderr } = runSuite(given);
      expect(status).to.equal(1);
      expect(stderr).to.equal(`There is no suite "${given}". The nearest name is "${nearest}". "npm run test:suite" lists them all.\n`);
    });

  it('say in one sentence where files that are not part of the project can be', () => {
    const data = [{ variable: 'TOOLKIT_SPECS', folder: '../none/specs', holds: 'the descriptions' }];
    expect(missingData(data, {})).to.deep.equal([
      'There is no folder "../none/specs". Set TOOLKIT_SPECS to a folder with the descriptions.',
    ]);
    expect(missingData(data, { TOOLKIT_SPECS: 'test' })).to.deep.equal([]);
  });
});

describe('the name of a test file', () => {
  it('is *.test.ts only where the test needs no built program', async () => {
    const files = await glob('test/**/*.test.ts');
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const usesProgram = /import \{[^}]*\b(?:start|stdioClient|program)\b[^}]*\} from '[^']*\/e2e\/program\.ts'/;
    expect(files.filter((_, index) => usesProgram.test(texts[index] ?? ''))).to.deep.equal([]);
  });

  it('ends in .test.ts, .e2e.ts or .suite.ts wherever tests are defined', async () => {
    const files = (await glob('test/**/*.ts')).filter((file) => !/\.(test|e2e|suite)\.ts$/.test(file));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(files.filter((_, index) => /^describe\(/m.test(texts[index] ?? ''))).to.deep.equal([]);
  });
});
