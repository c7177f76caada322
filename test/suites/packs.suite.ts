/** Packs toolkit and every provider package as npm would publish them, and installs each beside toolkit in an empty project. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { after, before } from 'mocha';
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

async function pack(folder: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return path.join(into, filename);
}

describe('a package as npm publishes it', function () {
  this.timeout(300_000);
  let folder = '';
  let toolkit = '';

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-packs-'));
    toolkit = await pack('.', folder);
    await mkdir(path.join(folder, 'project'));
    await writeFile(path.join(folder, 'project/list.js'), listing);
    await install({});
  });

  after(() => rm(folder, { recursive: true }));

  /** As the dependencies of the project, beside toolkit. */
  async function install(packages: Readonly<Record<string, string>>): Promise<void> {
    const project = path.join(folder, 'project');
    const dependencies = { toolkit: `file:${toolkit}`, ...packages };
    await writeFile(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock'], { cwd: project });
  }

  async function list(): Promise<{ tools: string[]; skills: string[]; problems: unknown[] }> {
    const { stdout } = await run(process.execPath, ['list.js'], { cwd: path.join(folder, 'project') });
    return JSON.parse(stdout) as { tools: string[]; skills: string[]; problems: unknown[] };
  }

  it('offers nothing by itself but the core tools, which the project leaves out', async () => {
    expect(await list()).to.deep.equal({ tools: [], skills: [], problems: [] });
  });

  it('is found by itself beside toolkit, each alone', async () => {
    for (const name of await packNames()) {
      await install({ [`@toolkit/${name}`]: `file:${await pack(packFolder(name), folder)}` });
      const { tools, skills, problems } = await list();
      expect(problems, name).to.deep.equal([]);
      expect(skills).to.deep.equal([name]);
      expect(tools).to.have.length.greaterThan(0);
      expect(tools.filter((tool) => !tool.startsWith(`${name}_`))).to.deep.equal([]);
    }
  });
});
