import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The generator. It is installed when a site is made, because nothing else of the project needs it. */
const vitepress = { name: 'vitepress', version: '1.6.4' } as const;

export interface BuiltSite {
  /** The folder of package.json. */
  readonly root: string;
  /** The folder of the site. It is replaced. */
  readonly outDir: string;
}

/** Writes the source of a site and makes the site of it by VitePress, which it installs. Throws with the output of npm or VitePress when one fails. */
export async function buildSite(source: ReadonlyMap<string, string | Uint8Array>, { root, outDir }: BuiltSite): Promise<void> {
  const installed = path.join(root, 'node_modules', '.cache', 'site');
  await install(installed);
  const folder = path.join(installed, 'source');
  await rm(folder, { recursive: true, force: true });
  for (const [name, text] of [...source, ['.vitepress/config.mjs', configModule()] as const]) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const program = path.join(installed, 'node_modules', vitepress.name, 'bin', 'vitepress.js');
  run(process.execPath, [program, 'build', folder, '--outDir', outDir], 'VitePress made no site');
}

function configModule(): string {
  const module = pathToFileURL(path.join(import.meta.dirname, 'site-config.ts')).pathname;
  const lines = [
    `import { siteConfig } from ${JSON.stringify(module)};`,
    "import data from './data.json';",
    'export default siteConfig(data);',
  ];
  return `${lines.join('\n')}\n`;
}

async function install(folder: string): Promise<void> {
  const { name, version } = vitepress;
  const manifest = path.join(folder, 'node_modules', name, 'package.json');
  const text = existsSync(manifest) ? await readFile(manifest, 'utf8') : '{}';
  // Own text: written by npm.
  const present = JSON.parse(text) as { readonly version?: string };
  if (present.version === version) return;
  await mkdir(folder, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  run('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], `npm did not install ${name}`);
}

function run(program: string, args: readonly string[], failure: string): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    shell: program === 'npm' && process.platform === 'win32',
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${failure}:\n${stdout}${stderr}`);
}
