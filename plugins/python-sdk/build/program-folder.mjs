/** Makes the folder `toolkit/_program/` of the wheel: the built program with the packages it imports, and nothing that only people or compilers read. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { glob } from 'tinyglobby';
import { inlined } from '../../toolkit/bundle-options.mjs';

const run = promisify(execFile);

/** Files of packages that are left out: pages, types, maps, compiled sources and tests. Licences stay. */
const left = [
  /\.(md|markdown|map|d\.[cm]?ts|flow|tsbuildinfo|ts|tsx|cts|mts)$/i,
  // At the top only: further down such a name may be that of code.
  /^\/(test|tests|__tests__|examples?|docs?|bench|benchmark|\.github)$/,
];

/** Files of this package that are left out. The compiled code fits only the Node of the build; another one has its own in the cache of the account. */
const leftOfOurs = [/\.(md|map|d\.[cm]?ts)$/, /^dist\/toolkit\.cache$/];

/** @param {{ root: string; into: string }} folders The clone, built; the folder to make anew. */
export async function writeProgramFolder({ root, into }) {
  await stat(path.join(root, 'dist/plugins/toolkit/main.js')).catch(() => {
    throw new Error('The program is not built. Run "npm run build" first.');
  });
  await rm(into, { recursive: true, force: true });
  // Own text: of this package.
  const { name, version, type, license, engines, dependencies, exports, files } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  );
  for (const file of await programFiles(root, files))
    if (keepsPage(file) || !leftOfOurs.some((pattern) => pattern.test(file))) await copy(root, file, into);
  await copy(root, 'LICENSE', into);
  await writeFile(path.join(into, 'package.json'), `${JSON.stringify({ name, version, type, license, engines, exports }, null, 2)}\n`);
  const wanted = Object.keys(dependencies).filter((dependency) => !inlined.includes(dependency));
  for (const folder of await closure(root, wanted)) await copyPackage(root, folder, into);
  await loadEach(into, wanted);
}

/** Returns the built files that npm would publish, by the patterns of package.json. npm itself takes five seconds to list them, because it packs them first. */
function programFiles(root, patterns) {
  return glob(
    patterns.filter((pattern) => /^!?dist\b/.test(pattern)),
    { cwd: root },
  );
}

/** Loads every package from there, so that a file that is missing ends the build. One that is data alone is JSON, which is not imported. */
async function loadEach(into, names) {
  const code = `import { createRequire } from 'node:module';
const load = createRequire(process.cwd() + '/');
for (const name of ${JSON.stringify(names)}) await (load.resolve(name).endsWith('.json') ? load(name) : import(name));`;
  await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: into });
}

/** Skills are pages that the program reads. */
function keepsPage(file) {
  return /\.md$/.test(file) && /^dist\/(tools|plugins)\//.test(file);
}

/** Folders of these packages, and of those that they need, as the lock file lays them out. */
async function closure(root, names) {
  // Own text: of this package.
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const folders = new Set();
  const add = (name, from) => {
    let at = from;
    for (;;) {
      const folder = path.posix.join(at, 'node_modules', name);
      if (packages[folder] !== undefined) {
        if (folders.has(folder)) return;
        folders.add(folder);
        for (const dependency of Object.keys(packages[folder].dependencies ?? {})) add(dependency, folder);
        return;
      }
      if (at === '') throw new Error(`The lock file has no "${name}", which ${from || 'the program'} needs. Run "npm install".`);
      at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '';
    }
  };
  for (const name of names) add(name, '');
  return folders;
}

async function copyPackage(root, folder, into) {
  await cp(path.join(root, folder), path.join(into, folder), {
    recursive: true,
    dereference: true,
    filter: (file) => {
      const inside = path.relative(path.join(root, folder), file).replaceAll('\\', '/');
      return inside === '' || !(inside.startsWith('node_modules') || left.some((pattern) => pattern.test(`/${inside}`)));
    },
  });
}

async function copy(root, file, into) {
  await mkdir(path.dirname(path.join(into, file)), { recursive: true });
  await cp(path.join(root, file), path.join(into, file));
}
