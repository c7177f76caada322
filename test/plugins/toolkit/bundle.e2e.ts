import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import { build, type Metafile } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions, scriptOptions } from '../../../plugins/toolkit/bundle-options.mjs';
import { builtInCommands } from '../../../plugins/toolkit/program/built-in-commands.ts';
import { listedCommands } from '../../../plugins/toolkit/program/listed-commands.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';

/** Libraries of tools with so many files that a thread would take long to open them. */
const heavy = ['@rgrove/parse-xml', 'cheerio', 'html-to-text', 'libphonenumber-js', 'linkedom', 'mathjs'];

describe('the bundle of the core tools', () => {
  const root = path.resolve('.');
  let metafile: Metafile;

  before(async () => {
    const entryPoints = await glob('tools/core/*/**/*.ts', { cwd: root });
    ({ metafile } = await build({ ...(await bundleOptions(root)), entryPoints, outdir: 'none', write: false, metafile: true }));
  });

  for (const name of heavy)
    it(`holds ${name} in few files`, () => {
      const holding = Object.values(metafile.outputs).filter(({ inputs }) =>
        Object.keys(inputs).some((input) => input.startsWith(`node_modules/${name}/`)),
      );
      expect(holding.length).to.be.within(1, 3);
      expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map((one) => one.path))).to.not.include(name);
    });

  it('leaves out nothing that a bundled library has in another version than the program', () => {
    const ofProgram = createRequire(path.join(root, 'package.json'));
    const others = Object.entries(metafile.inputs)
      .filter(([input]) => input.includes('node_modules/'))
      .flatMap(([input, { imports }]) => imports.filter(({ external }) => external).map((one) => ({ input, name: one.path })))
      // linkedom goes without canvas where that is not installed.
      .filter(({ name }) => !isBuiltin(name) && !name.startsWith('<') && name !== 'canvas')
      .filter(({ input, name }) => createRequire(path.join(root, input)).resolve(name) !== ofProgram.resolve(name));
    expect(others).to.deep.equal([]);
  });
});

/** Returns the modules that run on import, with those that they import, as long as nothing is called. */
function runBy(entries: readonly string[], { inputs }: Metafile): ReadonlySet<string> {
  const run = new Set<string>();
  const visit = (file: string): void => {
    if (run.has(file)) return;
    run.add(file);
    // In our own code what is required is called for.
    const isLater = (kind: string): boolean => kind === 'dynamic-import' || (kind === 'require-call' && !file.startsWith('node_modules/'));
    for (const { path: to, kind, external } of inputs[file]?.imports ?? []) if (external !== true && !isLater(kind)) visit(to);
  };
  entries.forEach(visit);
  return run;
}

describe('the script with our own code', () => {
  const root = path.resolve('.');
  const nameOf = (file: string): string => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? '';
  let metafile: Metafile;

  before(async () => {
    const entryPoints = ['plugins/toolkit/program/command-line.ts', 'plugins/toolkit/index.ts'];
    ({ metafile } = await build({
      ...scriptOptions(await bundleOptions(root)),
      entryPoints,
      outdir: 'none',
      write: false,
      metafile: true,
      logLevel: 'silent',
    }));
  });

  const cases = [
    {
      what: 'help',
      entries: ['plugins/toolkit/program/command-line.ts'],
      libraries: ['commander', 'consola', 'fastest-levenshtein', 'tapable', 'typebox'],
    },
    {
      what: 'the standard preset and the server, until a call or a client needs more,',
      entries: ['plugins/toolkit/program/command-line.ts', 'plugins/toolkit/index.ts'],
      libraries: ['commander', 'consola', 'fastest-levenshtein', 'ipaddr.js', 'tapable', 'typebox'],
    },
  ];
  for (const { what, entries, libraries } of cases)
    it(`runs for ${what} no other library than these: ${libraries.join(', ')}`, () => {
      const names = new Set([...runBy(entries, metafile)].map(nameOf).filter((name) => name !== ''));
      expect([...names].sort()).to.deep.equal(libraries);
    });

  it('shows help without the plugins of the standard preset', () => {
    expect([...runBy(['plugins/toolkit/program/command-line.ts'], metafile)]).to.not.include('plugins/toolkit/standard.ts');
    const shown = listedCommands(builtInCommands()).map(({ name }) => name);
    const ofStandard = standard().flatMap(({ commands = [] }) => commands.map(({ name }) => name));
    expect(ofStandard.filter((name) => !shown.includes(name))).to.deep.equal([]);
    expect(ofStandard).to.include('migrate');
  });
});
