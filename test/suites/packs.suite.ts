/** Packs the program and every provider package as npm would publish them, and installs them in empty projects. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { marked } from 'marked';
import { after, before } from 'mocha';
import { compilerSays } from '../support/compiler.ts';
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
const counted = '136 136 0\n255 255 0\n';

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

async function pack(folder: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return path.join(into, filename);
}

describe('a package as npm publishes it', function () {
  this.timeout(300_000);
  let folder = '';
  const files: Record<string, string> = {};

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-packs-'));
    files['@toolkit/core'] = `file:${await pack('.', folder)}`;
    for (const name of await packNames()) files[`@toolkit/${name}`] = `file:${await pack(packFolder(name), folder)}`;
  });

  after(() => rm(folder, { recursive: true }));

  /** A project with these dependencies, and nothing else. */
  async function install(project: string, dependencies: Readonly<Record<string, string>>): Promise<string> {
    const place = path.join(folder, project);
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock'], { cwd: place });
    return place;
  }

  describe('of a provider', () => {
    let bare = '';
    before(async () => {
      bare = await install('one', coreAlone());
    });

    const coreAlone = (): Record<string, string> => ({ '@toolkit/core': files['@toolkit/core'] ?? '' });

    async function list(cwd: string): Promise<{ tools: string[]; skills: string[]; problems: unknown[] }> {
      await writeFile(path.join(cwd, 'list.js'), listing);
      const { stdout } = await run(process.execPath, ['list.js'], { cwd });
      return JSON.parse(stdout) as { tools: string[]; skills: string[]; problems: unknown[] };
    }

    /** A project with the program and this package, which npm installs only where it brings others along. */
    async function projectWith(name: string): Promise<string> {
      const dependencies = { ...coreAlone(), [`@toolkit/${name}`]: files[`@toolkit/${name}`] ?? '' };
      const manifest = JSON.parse(await readFile(path.join(packFolder(name), 'package.json'), 'utf8')) as { dependencies?: object };
      if (manifest.dependencies !== undefined) return install(`with-${name}`, dependencies);
      const scope = path.join(bare, 'node_modules/@toolkit');
      for (const other of await readdir(scope)) if (other !== 'core') await rm(path.join(scope, other), { recursive: true });
      await mkdir(path.join(scope, name));
      await run('tar', [
        '-xzf',
        dependencies[`@toolkit/${name}`]?.slice('file:'.length) ?? '',
        '--strip-components=1',
        '-C',
        path.join(scope, name),
      ]);
      await writeFile(path.join(bare, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
      return bare;
    }

    it('is not needed: alone, the program has its core tools, which the project leaves out', async () => {
      expect(await list(bare)).to.deep.equal({ tools: [], skills: [], problems: [] });
    });

    it('is found by itself beside the program, each alone', async () => {
      for (const name of await packNames()) {
        const { tools, skills, problems } = await list(await projectWith(name));
        expect(problems, name).to.deep.equal([]);
        expect(skills).to.deep.equal([name]);
        expect(tools).to.have.length.greaterThan(0);
        expect(tools.filter((tool) => !tool.startsWith(`${name}_`))).to.deep.equal([]);
      }
    });
  });

  describe('beside all others', () => {
    let project = '';

    before(async () => {
      const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { devDependencies: Record<string, string> };
      const compiler = Object.fromEntries(['typescript', '@types/node'].map((name) => [name, devDependencies[name] ?? '']));
      project = await install('all', { ...files, ...compiler });
    });

    /** A folder of the project whose code is of that type. */
    async function part(name: string, type: string, written: Readonly<Record<string, string>>): Promise<string> {
      const cwd = path.join(project, name);
      await mkdir(cwd);
      await writeFile(path.join(cwd, 'package.json'), JSON.stringify({ type }));
      for (const [file, text] of Object.entries(written)) await writeFile(path.join(cwd, file), text);
      return cwd;
    }

    /** What the compiler says of `main.ts` and what stands beside it. Nothing is set that a strict project would not set. */
    async function compile(cwd: string, compilerOptions: object): Promise<string> {
      const tsconfig = { compilerOptions: { target: 'es2022', strict: true, skipLibCheck: false, ...compilerOptions } };
      await writeFile(path.join(cwd, 'tsconfig.json'), JSON.stringify(tsconfig));
      return compilerSays(cwd, path.join(project, 'node_modules/typescript/bin/tsc'));
    }

    async function output(cwd: string): Promise<string> {
      return (await run(process.execPath, ['main.js'], { cwd })).stdout;
    }

    const required = `(async () => {${counting}})();\n`;

    it('serves JavaScript that is a module: 136 tools without discovery and 255 with it, none twice', async () => {
      const cwd = await part('module', 'module', { 'main.js': `import { Toolkit } from '@toolkit/core';\n${counting}` });
      expect(await output(cwd)).to.equal(counted);
    });

    it('serves JavaScript that is CommonJS', async () => {
      const cwd = await part('commonjs', 'commonjs', { 'main.js': `const { Toolkit } = require('@toolkit/core');\n${required}` });
      expect(await output(cwd)).to.equal(counted);
    });

    for (const compilerOptions of [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }])
      it(`serves strict TypeScript that checks the libraries' types, with ${Object.values(compilerOptions).join(' and ')}`, async () => {
        const main = `import { Toolkit } from '@toolkit/core';\n${counting}`;
        const cwd = await part(`typescript-${compilerOptions.module}`, 'module', { 'main.ts': main, 'doors.ts': doors });
        expect(await compile(cwd, compilerOptions)).to.equal('');
        expect(await output(cwd)).to.equal(counted);
        await run(process.execPath, ['doors.js'], { cwd });
      });

    const ways = [
      { module: 'nodenext', main: `import { Toolkit } from '@toolkit/core';\nvoid ${required}` },
      { module: 'node16', main: `void (async () => {\n  const { Toolkit } = await import('@toolkit/core');${counting}})();\n` },
    ];
    for (const { module, main } of ways)
      it(`serves strict TypeScript that becomes CommonJS, with ${module}`, async () => {
        const cwd = await part(`commonjs-${module}`, 'commonjs', { 'main.ts': main });
        expect(await compile(cwd, { module })).to.equal('');
        expect(await output(cwd)).to.equal(counted);
      });

    it('tells TypeScript of CommonJS under node16 to import when it runs', async () => {
      const cwd = await part('commonjs-static', 'commonjs', { 'main.ts': "import { Toolkit } from '@toolkit/core';\nvoid Toolkit;\n" });
      expect(await compile(cwd, { module: 'node16', noEmit: true, skipLibCheck: true }))
        .to.include('TS1479')
        .and.to.include('import("@toolkit/core")');
    });

    it('serves the command line by the name of the program', async () => {
      const { stdout } = await run('npx', ['--no-install', 'toolkit', 'list', '--json'], { cwd: project });
      expect(JSON.parse(stdout)).to.have.length(255);
    });

    it('has a README all of whose links lead to what was installed', async () => {
      for (const name of Object.keys(files)) {
        const place = path.join(project, 'node_modules', name);
        const dead: string[] = [];
        const present = new Set(await readdir(place, { recursive: true }));
        const page = marked.lexer(await readFile(path.join(place, 'README.md'), 'utf8'));
        marked.walkTokens(page, (token) => {
          if (token.type !== 'link' || /^(https?|mailto):|^#/.test(token.href)) return;
          if (!present.has(path.normalize(token.href.replace(/#.*$/, '')))) dead.push(token.href);
        });
        expect(dead, name).to.deep.equal([]);
      }
    });

    it('says where it comes from and that it is public', async () => {
      for (const name of Object.keys(files)) {
        const text = await readFile(path.join(project, 'node_modules', name, 'package.json'), 'utf8');
        const { repository, publishConfig } = JSON.parse(text) as {
          repository: { url: string; directory?: string };
          publishConfig: unknown;
        };
        const directory = name === '@toolkit/core' ? undefined : name.replace('@toolkit', 'tools');
        expect(repository.directory, name).to.equal(directory);
        expect(publishConfig).to.deep.equal({ access: 'public' });
      }
    });
  });
});
