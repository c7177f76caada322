import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { compilerSays } from '../support/compiler.ts';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);
const esbuild = path.resolve('node_modules/esbuild/bin/esbuild');

/** A project with the decorated class, beside an installed toolkit. */
async function project(isLegacy: boolean): Promise<string> {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    outDir: 'out',
    rootDir: '.',
    types: ['node'],
    typeRoots: [path.resolve('node_modules/@types')],
    experimentalDecorators: isLegacy,
    // The types of libraries are checked where packages are installed.
    skipLibCheck: true,
  };
  const folder = await temporaryFolder({
    'package.json': '{ "name": "decorated", "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions, files: ['texts.ts'] }),
    // As a program does that loads TypeScript of its users, such as a configuration.
    'load.js': `import { createJiti } from '${import.meta.resolve('jiti')}';\nawait createJiti(import.meta.url, { fsCache: false }).import('./texts.ts');\n`,
  });
  await installIn(folder);
  await copyFile('fixtures/decorators/texts.ts', path.join(folder, 'texts.ts'));
  return folder;
}

async function bundled(folder: string): Promise<string> {
  const { stderr } = await run(esbuild, ['texts.ts', '--outdir=out', '--format=esm', '--target=node20', '--log-level=warning'], {
    cwd: folder,
  });
  return stderr;
}

const ways = [
  { way: 'compiled by tsc', isLegacy: false, compile: compilerSays, start: ['out/texts.js'] },
  { way: 'compiled by tsc with experimentalDecorators', isLegacy: true, compile: compilerSays, start: ['out/texts.js'] },
  { way: 'compiled by esbuild', isLegacy: false, compile: bundled, start: ['out/texts.js'] },
  { way: 'compiled by esbuild with experimentalDecorators', isLegacy: true, compile: bundled, start: ['out/texts.js'] },
  { way: 'run by tsx', isLegacy: false, compile: async () => '', start: ['--import', import.meta.resolve('tsx'), 'texts.ts'] },
  {
    way: 'run by tsx with experimentalDecorators',
    isLegacy: true,
    compile: async () => '',
    start: ['--import', import.meta.resolve('tsx'), 'texts.ts'],
  },
  { way: 'loaded by jiti', isLegacy: false, compile: async () => '', start: ['load.js'] },
];

describe('a class with methods that @tool replaces', () => {
  for (const { way, isLegacy, compile, start } of ways)
    it(`calls the tools when it is ${way}`, async () => {
      const folder = await project(isLegacy);
      expect(await compile(folder)).to.equal('');
      const { stdout } = await run(process.execPath, start, { cwd: folder });
      expect(JSON.parse(stdout)).to.deep.equal({ slug: { slug: 'aerger-im-buero' }, static: { slug: 'two-words' }, year: '20', words: 2 });
    });
});
