import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { program } from './program.ts';

const run = promisify(execFile);
const preload = path.resolve('fixtures/preload/trace-loads.mjs');

/** A flag under which V8 rejects the code cache of the build, as another version of Node does. */
const otherNode = '--no-opt';

interface Account {
  readonly cwd: string;
  /** Its entries in the cache, by kind. */
  entries(kind: string): Promise<readonly string[]>;
  toolkit(args: readonly string[], node?: readonly string[]): Promise<string>;
}

async function account(files: Readonly<Record<string, string>> = {}): Promise<Account> {
  const cwd = await temporaryFolder({ 'package.json': '{}', ...files });
  const cache = path.join(await temporaryFolder(), 'toolkit');
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, XDG_CACHE_HOME: path.dirname(cache), LOADS: path.join(cwd, 'loads.txt') };
  return {
    cwd,
    async entries(kind) {
      const names = await readdir(cache).catch(() => []);
      return names.filter((name) => name.startsWith(`${kind}-`)).map((name) => path.join(cache, name));
    },
    async toolkit(args, node = []) {
      const { stdout } = await run(process.execPath, [...node, program, ...args], { cwd, env });
      return stdout;
    },
  };
}

async function changeByte(file: string, at: number): Promise<void> {
  const written = await readFile(file);
  written[at] = (written[at] ?? 0) ^ 1;
  await writeFile(file, written);
}

describe('the code of the built program', () => {
  it('is one copy for all who import a part of it, and each has what the sources export', async () => {
    const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: Record<string, { default?: string }> };
    const plugins = (await readdir('plugins')).filter((name) => !['README.md', 'shared', 'toolkit', 'python-sdk'].includes(name));
    const named = Object.values(exports).flatMap((entry) => entry.default ?? []);
    const files = named.flatMap((file) => (file.includes('*') ? plugins.map((name) => file.replace('*', name)) : [file]));
    const kernel = (await import(pathToFileURL(path.resolve('dist/kernel/index.js')).href)) as Record<string, unknown>;
    expect(files.length).to.be.greaterThan(20);
    for (const file of files) {
      const built = (await import(pathToFileURL(path.resolve(file)).href)) as Record<string, unknown>;
      const source = (await import(pathToFileURL(path.resolve(file.replace('./dist/', '').replace(/\.js$/, '.ts'))).href)) as object;
      expect(Object.keys(built).sort(), file).to.deep.equal(Object.keys(source).sort());
      for (const [name, value] of Object.entries(built)) if (name in kernel) expect(value, `${name} of ${file}`).to.equal(kernel[name]);
    }
  });

  it('is taken as the build has compiled it: nothing is left in the cache of the account', async () => {
    const { toolkit, entries } = await account();
    await toolkit(['run', 'time_now']);
    expect(await entries('code')).to.deep.equal([]);
  });

  it('is left by a command for the next one where another Node runs it, not by help', async () => {
    const { toolkit, entries } = await account();
    await toolkit(['--help'], [otherNode]);
    expect(await entries('code')).to.deep.equal([]);
    expect(await toolkit(['run', 'text_count', '--text', 'x'], [otherNode])).to.include('"characters": 1');
    const [entry = '', ...more] = await entries('code');
    expect(more).to.deep.equal([]);
    const left = await readFile(entry);
    expect(await toolkit(['run', 'text_count', '--text', 'x'], [otherNode])).to.include('"characters": 1');
    expect((await readFile(entry)).equals(left)).to.equal(true);
  });

  it('is compiled and left anew where a byte of what was left is another', async () => {
    const { toolkit, entries } = await account();
    await toolkit(['run', 'time_now'], [otherNode]);
    const [entry = ''] = await entries('code');
    await changeByte(entry, 5000);
    const harmed = await readFile(entry);
    expect(await toolkit(['run', 'text_count', '--text', 'x'], [otherNode])).to.include('"characters": 1');
    expect((await readFile(entry)).equals(harmed)).to.equal(false);
  });

  it('is left whole by two processes at once', async () => {
    const { toolkit, entries } = await account();
    await Promise.all([toolkit(['run', 'time_now'], [otherNode]), toolkit(['run', 'time_now'], [otherNode])]);
    const [entry = '', ...more] = await entries('code');
    expect(more).to.deep.equal([]);
    const left = await readFile(entry);
    await toolkit(['run', 'time_now'], [otherNode]);
    expect((await readFile(entry)).equals(left)).to.equal(true);
  });
});

describe('a configuration in TypeScript', () => {
  const files = {
    'toolkit.config.ts': `import { defineConfig } from '@toolkit/core';
import { most } from './parts/most.ts';
if (most > 8) throw new Error('too many');
export default defineConfig({ plugins: [['toolkit/standard', { autoDiscover: most < 2, includeCore: most > 0 }]] });
`,
    'parts/most.ts': 'export const most: number = 1;\n',
  };

  /** Runs the program. Returns its output, and true for `compiled` when it needed the compiler. */
  async function listed({ cwd, toolkit }: Account): Promise<{ compiled: boolean; tools: number }> {
    await writeFile(path.join(cwd, 'loads.txt'), '');
    const { length } = JSON.parse(await toolkit(['list', '--json'], ['--import', preload])) as unknown[];
    return { compiled: (await readFile(path.join(cwd, 'loads.txt'), 'utf8')).includes('/babel.cjs'), tools: length };
  }

  for (const name of ['toolkit.config.ts', 'toolkit.config.mjs'])
    it(`has each part of the package from the running copy, as ${name} too`, async () => {
      const { toolkit } = await account({
        [name]: `import { mcp, standard } from '@toolkit/core';
import { definePlugin } from '@toolkit/core/kernel';
import { mcp as part } from '@toolkit/core/plugins/mcp';
import { standard as preset } from '@toolkit/core/standard';
import { createTestKit } from '@toolkit/core/testing';
const own = mcp === part && standard === preset && definePlugin !== undefined && createTestKit !== undefined;
export default { plugins: [standard({ includeCore: own, autoDiscover: false })] };
`,
      });
      expect(await toolkit(['run', 'text_count', '--text', 'x'])).to.include('"characters": 1');
    });

  it('is compiled once, without the compiler from then on', async () => {
    const own = await account(files);
    const first = await listed(own);
    expect(first.compiled).to.equal(true);
    expect(await listed(own)).to.deep.equal({ ...first, compiled: false });
    expect(await own.entries('typescript')).to.have.lengthOf(2);
  });

  it('is compiled anew when one byte of it, or of what it imports, is another', async () => {
    const own = await account(files);
    const { tools } = await listed(own);
    await writeFile(path.join(own.cwd, 'parts/most.ts'), 'export const most: number = 0;\n');
    const changed = await listed(own);
    expect(changed.compiled).to.equal(true);
    expect(changed.tools).to.be.lessThan(tools);
    await writeFile(path.join(own.cwd, 'toolkit.config.ts'), files['toolkit.config.ts'].replace('most > 0', 'most < 1'));
    expect(await listed(own)).to.deep.equal({ compiled: true, tools });
  });

  it('is compiled anew when a byte of what was kept is another', async () => {
    const own = await account(files);
    const { tools } = await listed(own);
    for (const entry of await own.entries('typescript')) await changeByte(entry, 100);
    expect(await listed(own)).to.deep.equal({ compiled: true, tools });
  });

  it('names its file and line where it throws, compiled now or before', async () => {
    const own = await account({ ...files, 'parts/most.ts': 'export const most: number = 9;\n' });
    for (const _ of ['now', 'before']) {
      const { stderr } = await own.toolkit(['list', '--debug']).catch((error) => error);
      expect(stderr)
        .to.include('too many')
        .and.to.include(`${path.join(own.cwd, 'toolkit.config.ts')}:3:`);
    }
  });
});
