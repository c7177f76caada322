import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import { inlined } from '../../plugins/toolkit/bundle-options.mjs';
import { type Import, importsOf } from './imports.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The build, and a loader for sources: `copy-assets.mjs` leaves them out of what is published. */
const unshipped = [
  'plugins/toolkit/build.mjs',
  'plugins/toolkit/build-console.mjs',
  'plugins/toolkit/compile-templates.mjs',
  'plugins/toolkit/bundle.mjs',
  'plugins/toolkit/schemas/doc-comments.mjs',
  'plugins/toolkit/schemas/write-schemas.mjs',
  'plugins/executor-function/source-threads.mjs',
];

/** The page of the console, which the build bundles with its packages for a browser. */
const page = 'plugins/console/page/';

const json = async <T>(file: string): Promise<T> => JSON.parse(await readFile(file, 'utf8')) as T;

/** `@acme/thing/part` is of the package `@acme/thing`. */
const packageOf = ({ to }: Import): string => to.split('/', to.startsWith('@') ? 2 : 1).join('/');

const isPackage = ({ to }: Import): boolean => !isBuiltin(to) && !['kernel', 'plugins', 'tools'].includes(to.split(path.sep)[0] ?? '');

/** The packages that these files import, each with the first file that does. */
async function packagesIn(pattern: string): Promise<ReadonlyMap<string, string>> {
  const found = (await importsOf(pattern)).filter((one) => isPackage(one) && !unshipped.includes(one.from) && !one.from.startsWith(page));
  return new Map(found.reverse().map((one) => [packageOf(one), one.from]));
}

interface Unit {
  readonly manifest: string;
  /** Its code. */
  readonly pattern: string;
}

/** The program, and each provider package. */
async function units(): Promise<readonly Unit[]> {
  const { workspaces } = await json<{ workspaces: readonly string[] }>('package.json');
  const own = { manifest: 'package.json', pattern: '{kernel,plugins,tools/core}/**/*.{ts,js,mjs,cjs}' };
  return [own, ...workspaces.map((folder) => ({ manifest: `${folder}/package.json`, pattern: `${folder}/**/*.{ts,mjs,cjs}` }))];
}

describe('the packages that are installed with what is published', () => {
  it('are found at all: the program uses many, and one provider has its own', async () => {
    expect((await packagesIn('{kernel,plugins,tools/core}/**/*.{ts,js,mjs,cjs}')).size).to.be.greaterThan(40);
    expect([...(await packagesIn('tools/postgres/**/*.ts')).keys()]).to.deep.equal(['pg']);
  });

  it('are each imported by its code', async () => {
    for (const { manifest, pattern } of await units()) {
      const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = await json<Manifest>(manifest);
      const used = await packagesIn(pattern);
      const unused = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter((name) => !used.has(name));
      // A provider package is for this program, of which its code needs no more than types.
      expect(unused, manifest).to.deep.equal(manifest === 'package.json' ? [] : ['@toolkit/core']);
    }
  });

  it('are all that its code imports, but for what the program has in it', async () => {
    for (const { manifest, pattern } of await units()) {
      const { dependencies, optionalDependencies, peerDependencies } = await json<Manifest>(manifest);
      const known = { ...dependencies, ...optionalDependencies, ...peerDependencies };
      const bundled = manifest === 'package.json' ? inlined : [];
      const strangers = [...(await packagesIn(pattern))].filter(([name]) => !(name in known) && !bundled.includes(name));
      expect(strangers, manifest).to.deep.equal([]);
    }
  });

  it('are locked by what is in them, whatever the place that they come from', async () => {
    const { packages } = await json<{ packages: Readonly<Record<string, { resolved?: string; integrity?: string; link?: boolean }>> }>(
      'package-lock.json',
    );
    const { workspaces } = await json<{ workspaces: readonly string[] }>('package.json');
    const installed = Object.entries(packages).filter(([place]) => place.includes('node_modules/'));
    expect(installed.length).to.be.greaterThan(100);
    const places = installed.filter(([, { resolved = '' }]) => resolved !== '' && !workspaces.includes(resolved));
    expect(places.map(([place]) => place)).to.deep.equal([]);
    const unlocked = installed.filter(([, { link, integrity }]) => link !== true && integrity === undefined);
    expect(unlocked.map(([place]) => place)).to.deep.equal([]);
  });
});
