import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../../../plugins/toolkit/bundle-options.mjs';
import { type Defence, without } from './defences/defence.ts';

const root = path.resolve('.');

const pageFolder = 'plugins/console/page/';

/** Builds servers without some defences, in a folder where they find packages. */
export class Builder {
  readonly #folder = path.join(root, 'node_modules/.cache/console-attacks', randomUUID());
  #realPage: Promise<string> | undefined;

  /**
   * Returns the program without these defences, one file of JavaScript; without none it is the real one. A defence of a package puts that package into
   * the bundle. Throws where a defence is not where it says.
   */
  async build(defences: readonly Defence[]): Promise<string> {
    const folder = path.join(this.#folder, randomUUID());
    await mkdir(folder, { recursive: true });
    const ofPage = defences.filter(({ file }) => isOfPage(file));
    const file = path.join(folder, 'server.mjs');
    await buildProgram(
      file,
      ofPage.length > 0 ? await buildPage(folder, ofPage) : await this.#page(),
      defences.filter((defence) => !isOfPage(defence.file)),
    );
    return file;
  }

  /** Removes all that was built. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #page(): Promise<string> {
    this.#realPage ??= buildPage(path.join(this.#folder, 'real'), []);
    return this.#realPage;
  }
}

function isOfPage(file: string): boolean {
  return file.startsWith(pageFolder);
}

/** Builds the page, from a copy of its sources where they are changed. Resolves to the folder of its assets. */
async function buildPage(folder: string, defences: readonly Defence[]): Promise<string> {
  const assets = path.join(folder, 'assets');
  const script = path.join(root, 'plugins/toolkit/build-console.mjs');
  let cwd = root;
  if (defences.length > 0) {
    cwd = path.join(folder, 'sources');
    await linkAllBut('plugins', cwd);
    await linkAllBut('plugins/console', cwd);
    await linkAllBut(pageFolder, cwd);
    await cp(path.join(root, pageFolder), path.join(cwd, pageFolder), { recursive: true });
    for (const file of new Set(defences.map((defence) => defence.file)))
      await writeFile(path.join(cwd, file), without(defences, file, await readFile(file, 'utf8')));
  }
  await promisify(execFile)(process.execPath, [script, assets], { cwd });
  return assets;
}

/** Links what is beside a folder of the project from a copy of the project. */
async function linkAllBut(folder: string, copy: string): Promise<void> {
  const { dir, base } = path.posix.parse(folder);
  await mkdir(path.join(copy, dir), { recursive: true });
  const beside = (await readdir(path.join(root, dir))).filter((name) => name !== base);
  await Promise.all(beside.map((name) => symlink(path.join(root, dir, name), path.join(copy, dir, name))));
}

async function buildProgram(outfile: string, assets: string, defences: readonly Defence[]): Promise<void> {
  const {
    splitting: _splitting,
    chunkNames: _chunkNames,
    outbase: _outbase,
    plugins = [],
    external = [],
    ...options
  } = await bundleOptions(root);
  const entry = path.join(root, 'test/suites/console-attacks/server/server.ts');
  const inBundle = defences.flatMap(({ file }) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  const changed = new Set<string>();
  await build({
    ...options,
    external: external.filter((name) => !inBundle.some((one) => name === one || name === `${one}/*`)),
    // As if the sources ran: the program finds what lies beside them.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(root, 'server.ts')).href) },
    entryPoints: [entry],
    outfile,
    plugins: [changedSources([...defences, assetsAt(assets)], changed), ...plugins],
  });
  const missed = defences.filter(({ file }) => !changed.has(file));
  if (missed.length > 0) throw new Error(`The server does not have these files: ${missed.map(({ file }) => file).join(', ')}`);
}

/** Has the server read this page, and not that of `dist/`. */
function assetsAt(folder: string): Defence {
  const before = "return path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'plugins', 'console', 'assets');";
  return { name: 'the page', file: 'plugins/console/assets.ts', replace: [before, `return ${JSON.stringify(folder)};`] };
}

/** Loads the files of these defences without them, and notes which. */
function changedSources(defences: readonly Defence[], changed: Set<string>): Plugin {
  const files = [...new Set(defences.map(({ file }) => file))];
  const filter = new RegExp(`/(${files.map((file) => file.replaceAll('.', '\\.')).join('|')})$`);
  return {
    name: 'changed-sources',
    setup({ onLoad }) {
      onLoad({ filter }, async ({ path: loaded }) => {
        const file = path.relative(root, loaded).split(path.sep).join('/');
        if (!files.includes(file)) return undefined;
        changed.add(file);
        return { contents: without(defences, file, await readFile(loaded, 'utf8')), loader: file.endsWith('.ts') ? 'ts' : 'js' };
      });
    },
  };
}
