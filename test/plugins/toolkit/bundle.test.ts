import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import { build, type Metafile } from 'esbuild';
import { glob } from 'tinyglobby';
import { bundleOptions } from '../../../plugins/toolkit/bundle-options.mjs';

/** Libraries of tools with so many files that a thread would take long to open them. */
const heavy = ['cheerio', 'feedsmith', 'html-to-text', 'libphonenumber-js', 'linkedom', 'mathjs'];

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
