/** Builds the Python package, installs its wheel in a new virtual environment, and runs its tests there. */
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { glob } from 'tinyglobby';
import { runner } from './apiclient/runner.ts';

const run = promisify(execFile);

const sdk = path.resolve('plugins/python-sdk');
const files = await glob('**/test_*.py', { cwd: path.join(sdk, 'tests') });

/** Libraries that the tests use and the package does not need. */
const libraries = [
  'pytest',
  'mcp',
  'pydantic',
  'mypy',
  'openai',
  'anthropic',
  'langsmith',
  'jsonpatch',
  'pyyaml',
  'tenacity',
  'uuid-utils',
];

/** Without what it names for streams alone (langchain-protocol), which not every index has. */
const alone = ['langchain-core'];

/** The runner of collections is on the path. */
const withRunner = { ...process.env, PATH: [path.dirname(runner), process.env['PATH']].join(path.delimiter) };

function pythonIn(environment: string): string {
  return path.join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}

describe('the Python package', function () {
  this.timeout(600_000);
  let folder: string;
  let python: string;
  let wheel: string;

  /** Runs a command and returns its output. Its error has the output too. */
  async function output(program: string, args: readonly string[], options: { readonly cwd?: string } = {}): Promise<string> {
    try {
      const { stdout } = await run(program, [...args], { maxBuffer: 2 ** 26, timeout: 300_000, env: withRunner, ...options });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as ExecFileException;
      throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
    }
  }

  /** With the pip of the environment that has built the wheel: putting another one into this costs more than all that it installs. */
  async function install(...what: readonly string[]): Promise<void> {
    const args = ['-m', 'pip', '--python', python, '--disable-pip-version-check', 'install', '--quiet', ...what];
    await output(pythonIn('node_modules/.cache/python/build'), args);
  }

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-python-'));
    await output(process.execPath, ['plugins/python-sdk/build/build-wheel.mjs']);
    const dist = path.join(sdk, 'dist');
    const built = await readdir(dist);
    wheel = path.join(dist, built.find((name) => name.endsWith('.whl')) ?? 'no wheel');
    await output('python3', ['-m', 'venv', '--without-pip', path.join(folder, 'venv')]);
    python = pythonIn(path.join(folder, 'venv'));
    await install('--no-index', wheel);
  });

  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('has a wheel of at most 15 MB, with the program and its licences, and nothing that only compilers read', async () => {
    expect((await stat(wheel)).size).to.be.lessThan(15_000_000);
    const names = (await output(python, ['-m', 'zipfile', '--list', wheel])).split('\n').map((line) => line.split(' ')[0] ?? '');
    expect(names).to.include.members([
      'toolkit/py.typed',
      'toolkit/_program/package.json',
      'toolkit/_program/LICENSE',
      'toolkit/_program/dist/plugins/toolkit/main.js',
    ]);
    expect(names.filter((name) => /\.(d\.ts|map)$|^tests\//.test(name))).to.deep.equal([]);
  });

  it('is installed without a network, and calls a tool from an empty folder', async () => {
    const code =
      'from toolkit import Toolkit\nwith Toolkit.init(log_level="error") as t: print(t.execute("text_slugify", {"text": "Hello World"}))';
    expect(await output(python, ['-I', '-c', code], { cwd: folder })).to.equal("{'slug': 'hello-world'}\n");
  });

  it('has a source distribution without the program, which says how to get it', async () => {
    const sources = (await readdir(path.join(sdk, 'dist'))).find((name) => name.endsWith('.tar.gz')) ?? 'no sources';
    await output(python, ['-m', 'tarfile', '-e', path.join(sdk, 'dist', sources), folder]);
    const src = path.join(folder, sources.replace(/\.tar\.gz$/, ''), 'src');
    const code = `import sys; sys.path.insert(0, ${JSON.stringify(src)})\nimport toolkit\ntry: toolkit.Toolkit.init()\nexcept toolkit.ToolkitError as error: print(error.code, error)`;
    expect(await output(python, ['-I', '-c', code], { cwd: folder })).to.match(/^DEPENDENCY_MISSING .*source distribution.*wheel/);
  });

  describe('its own tests, with the installed wheel', () => {
    let told = '';

    before(async () => {
      await install('--no-compile', '--retries', '0', ...libraries);
      await install('--no-compile', '--retries', '0', '--no-deps', ...alone);
      // All in one process: starting one, with the libraries, takes as long as most files.
      told = await output(python, ['-m', 'pytest', '-q', '-rpfEsxX', '-p', 'no:cacheprovider', 'tests'], { cwd: sdk }).catch(String);
    });

    for (const file of files)
      it(file, () => {
        const ends = [...told.matchAll(/^([A-Z]+) .*?tests\/([\w/]+\.py)/gm)].filter(([, , of]) => of === file).map(([, end]) => end);
        expect(ends, told).to.have.length.greaterThan(0);
        expect(new Set(ends), told).to.deep.equal(new Set(['PASSED']));
      });
  });
});
