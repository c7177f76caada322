import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary.ts';
import { packNames } from '../tools/packs.ts';
import { program } from './program.ts';

const preload = path.resolve('fixtures/preload/trace-loads.mjs');

/** Returns the modules and files that the program loads until it has answered tools/list, with all provider packages. */
async function loadsOfStart(): Promise<{ modules: string[]; files: string[]; tools: number }> {
  const cwd = await temporaryFolder();
  const log = path.join(cwd, 'loads.txt');
  const env = { PATH: process.env['PATH'] ?? '', TOOLKIT_CWD: cwd, LOADS: log };
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['--import', preload, program, 'mcp'], env, stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  await client.close();
  const lines = (await readFile(log, 'utf8')).trim().split('\n');
  const ofKind = (kind: string): string[] => lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  return { modules: ofKind('module'), files: ofKind('file'), tools: tools.length };
}

describe('the start of the server, with every tool there is', () => {
  it('loads no library beside the script that holds what every start needs', async () => {
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: Record<string, string> };
    const { modules, tools } = await loadsOfStart();
    expect(tools).to.be.greaterThan(100);
    const loaded = Object.keys({ ...dependencies, pg: '' }).filter((name) =>
      modules.some((file) => file.includes(`/node_modules/${name}/`)),
    );
    expect(loaded).to.deep.equal([]);
  });

  it('loads our own code as one script: the modules are the ones that lead to it', async () => {
    const { modules } = await loadsOfStart();
    const own = modules.filter((file) => file.includes('/dist/')).map((file) => path.relative(path.dirname(program), file));
    expect(own.length).to.be.within(3, 8);
  });

  it('loads no handler of a tool', async () => {
    const { modules } = await loadsOfStart();
    expect(modules.filter((file) => /\/tools\/[^/]+\//.test(file))).to.deep.equal([]);
  });

  it('reads of a provider package its definitions, its skill, and the code that a tool could write, each definition once', async () => {
    const { files } = await loadsOfStart();
    for (const name of await packNames()) {
      const own = files.filter((file) => file.includes(`/tools/${name}/`)).map((file) => path.basename(file));
      expect(own).to.include('definition.yaml');
      // Here the folder of a package lies outside of node_modules, so what runs with its tools is pinned.
      expect(own.filter((file) => !/\.yaml$|^SKILL\.md$|\.ts$|^(package|tsconfig)\.json$/.test(file))).to.deep.equal([]);
      const definitions = own.filter((file) => /\.yaml$|^SKILL\.md$/.test(file));
      expect(definitions).to.have.lengthOf(new Set(definitions).size);
    }
  });
});
