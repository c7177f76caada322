/** Packs the program and every provider package as npm would publish them, and installs them in empty projects. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { addressesIn } from '../docs/markdown-page.ts';
import { setupCommands } from '../e2e/readme-project.ts';
import { compilerSays } from '../support/compiler.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { packFolder, packNames } from '../tools/packs.ts';

const run = promisify(execFile);

/** Lists the tools of the project that it runs in, and says what is wrong with them. */
const listing = `
import { Toolkit } from '@toolkit/core';
const toolkit = await Toolkit.init({ autoDiscover: true, includeCore: false, logLevel: 'error' });
const { registry } = toolkit.kernel;
console.log(JSON.stringify({ tools: [...registry.tools.keys()], skills: [...registry.skills.keys()], problems: registry.problems }));
await toolkit.close();
`;

/** Prints how many tools there are without and with discovery, how many names they have, and what was found wrong. */
const counting = `
  for (const autoDiscover of [false, true]) {
    const toolkit = await Toolkit.init({ autoDiscover, logLevel: 'warn' });
    const names = toolkit.listTools().map(({ name }) => name);
    console.log(names.length, new Set(names).size, toolkit.kernel.registry.problems.length);
    await toolkit.close();
  }
`;
const counted = '136 136 0\n262 262 0\n';

/** Names from every door of the package, and a mistake that the types find. */
const doors = `
import { apiVersion, createKernel, defineConfig, definePlugin, mcp, tool, Toolkit, ToolkitError } from '@toolkit/core';
import { Redactor, type Kernel } from '@toolkit/core/kernel';
import { auditTrail } from '@toolkit/core/plugins/audit-trail';
import { standard } from '@toolkit/core/standard';
import { checkPlugin, createTestKit } from '@toolkit/core/testing';

const plugin = definePlugin({
  name: 'slow',
  apiVersion,
  apply({ hooks, logger }) {
    hooks.settled.tap('slow', ({ toolName, durationMs }) => logger.info(toolName, { durationMs: durationMs.toFixed(1) }));
  },
});
export default defineConfig({ plugins: [standard(), plugin(), mcp({ transport: 'http', port: 0 }), auditTrail({ path: 'calls.jsonl' })] });
export const others = { checkPlugin, createKernel, Redactor, createTestKit, tool, isError: ToolkitError.is(1) };
export const closed = (kernel: Kernel): Promise<void> => kernel.close();
// @ts-expect-error an option of the wrong kind
export const wrong = (): unknown => Toolkit.init({ autoDiscover: 'yes' });
`;

/** Where the package has the program, from its folder on. */
const installedProgram = 'dist/plugins/toolkit/main.js';

/** Where npm put each package, by its name. */
async function pack(into: string): Promise<Readonly<Record<string, string>>> {
  const all = ['--workspaces', '--include-workspace-root'];
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', ...all, '--pack-destination', into]);
  const packed = JSON.parse(stdout) as readonly { name: string; filename: string }[];
  return Object.fromEntries(packed.map(({ name, filename }) => [name, `file:${path.join(into, filename)}`]));
}

/** npm as a person runs it, but without questions to the registry that do not matter here. */
const npmSettings = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Copies what git knows of this checkout, as a clone has it; files that are not committed yet come along. */
async function cloneInto(folder: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { maxBuffer: 16 * 1024 * 1024 });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(file));
  for (const directory of new Set(files.map((file) => path.dirname(file)))) await mkdir(path.join(folder, directory), { recursive: true });
  for (const file of files) await copyFile(file, path.join(folder, file));
}

/** Waits for a line of the output that the pattern matches, and returns its first group. Throws when the output ends before. */
async function lineOf(output: Readable, pattern: RegExp): Promise<string> {
  const seen: string[] = [];
  for await (const line of createInterface(output)) {
    seen.push(line);
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`No line matches ${pattern}:\n${seen.slice(-20).join('\n')}`);
}

describe('a package as npm publishes it', () => {
  let folder = '';
  /** Has the program alone, then more and more beside it: npm takes long to write what that depends on. */
  let project = '';
  let files: Readonly<Record<string, string>> = {};
  const coreAlone = (): Record<string, string> => ({ '@toolkit/core': files['@toolkit/core'] ?? '' });

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-packs-'));
    files = await pack(folder);
    expect(Object.keys(files)).to.have.members(['@toolkit/core', ...(await packNames()).map((name) => `@toolkit/${name}`)]);
    project = path.join(folder, 'project');
    await mkdir(project);
    await install(coreAlone());
  });

  after(() => rm(folder, { recursive: true }));

  /** Makes these the dependencies of the project: nothing else is installed there afterwards. */
  async function install(dependencies: Readonly<Record<string, string>>): Promise<void> {
    await writeManifest(dependencies);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock'], { cwd: project });
  }

  const writeManifest = (dependencies: Readonly<Record<string, string>>): Promise<void> =>
    writeFile(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));

  it('is installed and set up by the command of the README, from its file', async () => {
    const cwd = path.join(folder, 'first');
    await mkdir(cwd);
    const [command = ''] = setupCommands();
    expect(command).to.include('npm install @toolkit/core ');
    const fromFile = command.replace('@toolkit/core', `'${files['@toolkit/core'] ?? ''}'`);
    const env = { ...process.env, ...npmSettings, HOME: cwd };
    const { stdout } = await run('sh', ['-ec', fromFile], { cwd, env });
    expect(stdout)
      .to.match(/^core +136 /m)
      .and.include('"mcpServers"');
    const program = path.join('node_modules/@toolkit/core', installedProgram);
    expect(stdout).to.include(program);
    expect((await run(process.execPath, [program, '--version'], { cwd })).stdout).to.match(/^\d+\.\d+\.\d+/);
  });

  describe('of a provider', () => {
    async function list(): Promise<{ tools: string[]; skills: string[]; problems: unknown[] }> {
      await writeFile(path.join(project, 'list.js'), listing);
      const { stdout } = await run(process.execPath, ['list.js'], { cwd: project });
      return JSON.parse(stdout) as { tools: string[]; skills: string[]; problems: unknown[] };
    }

    /** Has this package alone beside the program. npm installs it only where it brings others along. */
    async function installBeside(name: string): Promise<void> {
      const file = files[`@toolkit/${name}`] ?? '';
      const dependencies = { ...coreAlone(), [`@toolkit/${name}`]: file };
      const manifest = JSON.parse(await readFile(path.join(packFolder(name), 'package.json'), 'utf8')) as { dependencies?: object };
      const scope = path.join(project, 'node_modules/@toolkit');
      for (const other of await readdir(scope)) if (other !== 'core') await rm(path.join(scope, other), { recursive: true });
      if (manifest.dependencies !== undefined) return install(dependencies);
      await mkdir(path.join(scope, name));
      await run('tar', ['-xzf', file.slice('file:'.length), '--strip-components=1', '-C', path.join(scope, name)]);
      await writeManifest(dependencies);
    }

    it('is not needed: alone, the program has its core tools, which the project leaves out', async () => {
      expect(await list()).to.deep.equal({ tools: [], skills: [], problems: [] });
    });

    it('is found by itself beside the program, each alone', async () => {
      for (const name of await packNames()) {
        await installBeside(name);
        const { tools, skills, problems } = await list();
        expect(problems, name).to.deep.equal([]);
        expect(skills).to.deep.equal([name]);
        expect(tools).to.have.length.greaterThan(0);
        // Tools of data are named for the files that they read.
        const prefixes = name === 'data' ? ['data', 'sheet', 'calendar', 'image'] : [name];
        expect(tools.filter((tool) => !prefixes.some((prefix) => tool.startsWith(`${prefix}_`)))).to.deep.equal([]);
      }
    });
  });

  describe('beside all others', () => {
    before(async () => {
      const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { devDependencies: Record<string, string> };
      const compiler = Object.fromEntries(['typescript', '@types/node'].map((name) => [name, devDependencies[name] ?? '']));
      await install({ ...files, ...compiler });
    });

    /** A folder of the project whose code is of that type. */
    async function part(name: string, type: string, written: Readonly<Record<string, string>>): Promise<string> {
      const cwd = path.join(project, name);
      await mkdir(cwd, { recursive: true });
      await writeFile(path.join(cwd, 'package.json'), JSON.stringify({ type }));
      for (const [file, text] of Object.entries(written)) await writeFile(path.join(cwd, file), text);
      return cwd;
    }

    /** Returns the messages of the compiler for everything below the folder, with the options of a strict project. */
    async function compile(name: string, compilerOptions: object): Promise<string> {
      const cwd = path.join(project, name);
      const tsconfig = { compilerOptions: { target: 'es2022', strict: true, skipLibCheck: false, ...compilerOptions } };
      await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig));
      return compilerSays(cwd, path.join(project, 'node_modules/typescript/bin/tsc'));
    }

    async function output(cwd: string): Promise<string> {
      return (await run(process.execPath, ['main.js'], { cwd })).stdout;
    }

    const required = `(async () => {${counting}})();\n`;

    it('serves JavaScript that is a module: 136 tools without discovery and 262 with it, none twice', async () => {
      const cwd = await part('module', 'module', { 'main.js': `import { Toolkit } from '@toolkit/core';\n${counting}` });
      expect(await output(cwd)).to.equal(counted);
    });

    it('serves JavaScript that is CommonJS', async () => {
      const cwd = await part('commonjs', 'commonjs', { 'main.js': `const { Toolkit } = require('@toolkit/core');\n${required}` });
      expect(await output(cwd)).to.equal(counted);
    });

    const imported = `import { Toolkit } from '@toolkit/core';\n${counting}`;

    it("serves strict TypeScript that checks the libraries' types, with nodenext, as a module and as CommonJS", async () => {
      const module = await part('nodenext/module', 'module', { 'main.ts': imported, 'doors.ts': doors });
      const main = `import { Toolkit } from '@toolkit/core';\nvoid ${required}`;
      const commonjs = await part('nodenext/commonjs', 'commonjs', { 'main.ts': main });
      expect(await compile('nodenext', { module: 'nodenext' })).to.equal('');
      for (const cwd of [module, commonjs]) expect(await output(cwd), cwd).to.equal(counted);
      await run(process.execPath, ['doors.js'], { cwd: module });
    });

    it("serves strict TypeScript that checks the libraries' types, with esnext and bundler", async () => {
      const cwd = await part('bundler', 'module', { 'main.ts': imported, 'doors.ts': doors });
      expect(await compile('bundler', { module: 'esnext', moduleResolution: 'bundler' })).to.equal('');
      expect(await output(cwd)).to.equal(counted);
      await run(process.execPath, ['doors.js'], { cwd });
    });

    it('serves strict TypeScript that becomes CommonJS, with node16, and tells it to import when it runs', async () => {
      const main = `void (async () => {\n  const { Toolkit } = await import('@toolkit/core');${counting}})();\n`;
      const early = "import { Toolkit } from '@toolkit/core';\nvoid Toolkit;\n";
      const cwd = await part('node16', 'commonjs', { 'main.ts': main, 'early.ts': early });
      // It reads the same types as nodenext, which have been checked above.
      const said = await compile('node16', { module: 'node16', skipLibCheck: true });
      expect(said.match(/^\S+: error TS\d+/gm), said).to.deep.equal(['early.ts(1,25): error TS1479']);
      expect(said).to.include('import("@toolkit/core")');
      expect(await output(cwd)).to.equal(counted);
    });

    it('serves the command line by the name of the program', async () => {
      const { stdout } = await run('npx', ['--no-install', 'toolkit', 'list', '--json'], { cwd: project });
      expect(JSON.parse(stdout)).to.have.length(262);
    });

    it('has a README all of whose links lead to what was installed', async () => {
      for (const name of Object.keys(files)) {
        const place = path.join(project, 'node_modules', name);
        const dead: string[] = [];
        const present = new Set(await readdir(place, { recursive: true }));
        for (const link of addressesIn(await readFile(path.join(place, 'README.md'), 'utf8')))
          if (!/^(https?|mailto):|^#/.test(link) && !present.has(path.normalize(link.replace(/#.*$/, '')))) dead.push(link);
        expect(dead, name).to.deep.equal([]);
      }
    });

    it('says that it is public', async () => {
      for (const name of Object.keys(files)) {
        const text = await readFile(path.join(project, 'node_modules', name, 'package.json'), 'utf8');
        const { publishConfig } = JSON.parse(text) as { publishConfig: unknown };
        expect(publishConfig, name).to.deep.equal({ access: 'public' });
      }
    });
  });
});

describe('a clone', function () {
  this.timeout(600_000);

  it('is built and served by the command of the README', async () => {
    const folder = await temporaryFolder();
    await cloneInto(folder);
    const [, command = ''] = setupCommands();
    expect(command).to.equal('npm ci && npm start');
    // A group of its own, so that all that npm starts can be ended. The usual port may be taken on this machine.
    const server = spawn('sh', ['-ec', `${command} -- --port 0`], {
      cwd: folder,
      env: { ...process.env, ...npmSettings },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(server, 'exit');
    try {
      server.stdout.resume();
      const url = await lineOf(server.stderr, /(http:\/\/127\.0\.0\.1:\d+)\/mcp/);
      const answer = await fetch(`${url}/health`);
      expect(await answer.json()).to.deep.equal({ status: 'ok', tools: 262 });
    } finally {
      if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
      server.stderr.resume();
      await ended;
    }
  });
});
