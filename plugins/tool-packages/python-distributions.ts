import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTextIfReadable } from '../shared/text/read-text.ts';
import { normalizeName } from './named-distributions.ts';
import type { ToolPackage } from './node-packages.ts';

/** Name of this program as a distribution, which has no tools. */
const ownName = 'toolkit-core';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds installed Python distributions named `toolkit-*` and their definition files. Reads the site-packages folders instead of starting a Python
 * process.
 */
export async function findPythonDistributions(extra: readonly string[], env: Environment): Promise<ToolPackage[]> {
  const found = new Map<string, ToolPackage>();
  for (const folder of [...extra, ...(await sitePackages(env))]) {
    for (const info of (await entriesOf(folder)).filter((name) => /^toolkit[_-].+\.dist-info$/i.test(name)).sort()) {
      const name = normalizeName(info.replace(/-[^-]*\.dist-info$/i, ''));
      if (name !== ownName && !found.has(name)) found.set(name, { name, paths: await definitionsOf(folder, info) });
    }
  }
  return [...found.values()].filter(({ paths }) => paths.length > 0);
}

/** Returns the YAML and skill files in RECORD; for an editable installation the project folder (PEP 610). */
async function definitionsOf(folder: string, info: string): Promise<string[]> {
  const project = editableProject((await readTextIfReadable(path.join(folder, info, 'direct_url.json'))) ?? '{}');
  if (project !== undefined) return [project];
  const record = (await readTextIfReadable(path.join(folder, info, 'RECORD'))) ?? '';
  return record
    .split(/\r?\n/)
    .map((line) => /^"?([^",]+\.ya?ml|(?:[^",]+\/)?SKILL\.md)"?,/.exec(line)?.[1])
    .filter((file) => file !== undefined)
    .map((file) => path.resolve(folder, file));
}

/** Returns the project folder in a `direct_url.json`; undefined when the installation is not editable or the file is damaged. */
function editableProject(text: string): string | undefined {
  try {
    // No number: a URL, and whether it is editable.
    const { url, dir_info: info } = JSON.parse(text) as { url?: string; dir_info?: { editable?: boolean } };
    return info?.editable === true && url?.startsWith('file:') ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the site-packages of PYTHONPATH, the active virtual environment, the first python3 on the PATH, the user, and Debian. */
export async function sitePackages(env: Environment): Promise<string[]> {
  const prefixes = [env['VIRTUAL_ENV'], await pythonPrefix(env), env['HOME'] === undefined ? undefined : path.join(env['HOME'], '.local')];
  const folders = await Promise.all(prefixes.filter((prefix) => prefix !== undefined).map(librariesOf));
  const listed = (env['PYTHONPATH'] ?? '').split(path.delimiter).filter((entry) => entry !== '');
  return [...new Set([...listed, ...folders.flat()])];
}

async function librariesOf(prefix: string): Promise<string[]> {
  const lib = path.join(prefix, 'lib');
  const versions = (await entriesOf(lib)).filter((name) => /^python3(\.\d+)?$/.test(name));
  return versions.flatMap((version) => ['site-packages', 'dist-packages'].map((name) => path.join(lib, version, name)));
}

/** Returns the prefix of the first `<prefix>/bin/python3` on the PATH; for a pyenv shim, the prefix of the selected version. */
async function pythonPrefix(env: Environment): Promise<string | undefined> {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    const program = path.join(folder, 'python3');
    const real = await realpath(program).catch(() => undefined);
    if (real === undefined) continue;
    if (path.basename(folder) !== 'shims') return path.dirname(path.dirname(real));
    const root = path.dirname(folder);
    const version = (env['PYENV_VERSION'] ?? (await readTextIfReadable(path.join(root, 'version'))))?.trim().split(/\s/)[0];
    if (version !== undefined) return path.join(root, 'versions', version);
  }
  return undefined;
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
