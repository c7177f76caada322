import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { definedPlugins, mayName, type NameUse, nameUses } from './plugin-names.ts';

interface Exception {
  readonly names: readonly string[];
  readonly reason: string;
}

/** The files that may name other plugins, which ones, and why. At most ten. */
const exceptions: Readonly<Record<string, Exception>> = {
  'plugins/mcp/commands/setup/project.ts': {
    names: ['secret-resolver'],
    reason: 'the wizard writes a configuration, which names plugins',
  },
  'plugins/cli/commands/test/seams/test-kernel.ts': {
    names: ['confine-paths', 'executor-command', 'executor-function'],
    reason: 'a test of tools replaces network, processes and folders of the built-in executors',
  },
  'plugins/cli/commands/tokens/command.ts': { names: ['mcp'], reason: 'the list that it measures is that of the server' },
  'plugins/console/page/pages/index.ts': {
    names: ['accounts'],
    reason: 'the page of that name, which shows the fact that any plugin may state',
  },
  'plugins/shared/calls/key-spaces.ts': { names: ['engine-local'], reason: 'all engines store calls under the name of the first one' },
  'plugins/shared/flags/tool-paths.ts': { names: ['tool-files'], reason: 'a record of --tool-paths becomes that option again' },
};

const names = new Set(['mcp', 'approval-gate']);

describe('names of other plugins', () => {
  for (const source of [
    "kernel.plugins.find(({ name }) => name === 'mcp');",
    "kernel.plugins.some((one) => 'mcp' !== one.name);",
    "problems.filter(({ plugin }) => plugin == 'mcp');",
    "const server = 'mcp';\nkernel.plugins.find(({ name }) => name === server);",
    "switch (plugin.name) {\n  case 'mcp':\n    break;\n}",
    "optionsOf(kernel, 'mcp');",
    "overrides['mcp'];",
    "pluginsByName.get('mcp');",
    'createKernel({ mcp: { port: 1 } });',
    "createKernel({ ['mcp']: { port: 1 } });",
    "const server = 'mcp';\ncreateKernel({ [server]: { port: 1 } });",
    'const mcp = {};\ncreateKernel({ mcp });',
    "createKernel({ 'approval-gate': { mode } });",
    "const listed = ['approval-gate'];",
    "new Set(['approval-gate']).has(name);",
    'const gate = `approval-gate`;',
    "isGate({ of: kernel }, 'approval-gate');",
  ]) {
    it(`are found: ${source.replace(/\s+/g, ' ')}`, () => expect(nameUses('plugins/other/index.ts', source, names)).to.have.lengthOf(1));
  }

  for (const source of [
    "const line = ['toolkit', 'mcp', '--transport'];",
    "const command = { name: 'mcp', description: 'Serves.' };",
    "if (form === 'mcp') serve();",
    'throw new Error(\'no plugin "approval-gate" is listed\');',
    "import { mcp } from './mcp.ts';",
    '// approval-gate',
  ]) {
    it(`are not found: ${source}`, () => expect(nameUses('plugins/other/index.ts', source, names)).to.deep.equal([]));
  }

  it('reach no look-up, override or comparison outside plugins/toolkit, but for a list', async () => {
    const files = await glob(['kernel/**/*.ts', 'plugins/**/*.ts', 'tools/**/*.ts'], { ignore: ['**/node_modules/**', '**/*.d.ts'] });
    const texts = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
    // Each folder of a plugin has its name. plugins/toolkit has some more; words among those also name other things.
    const ofToolkit = [...texts].filter(([file, text]) => roomOf(file) === 'plugins/toolkit' && text.includes('definePlugin({'));
    const folders = [...texts.keys()].filter((file) => /^plugins.(?!toolkit)[^\\/]+.index\.ts$/.test(file)).map(roomOf);
    const owners = new Map(
      [
        ...ofToolkit.flatMap(([, text]) => definedPlugins(text).map((name) => [name, 'plugins/toolkit'] as const)),
        ...folders.map((room) => [path.basename(room), room] as const),
      ].filter(([name, owner]) => owner !== 'plugins/toolkit' || name.includes('-')),
    );
    expect([...owners.keys()]).to.include.members(['mcp', 'approval-gate', 'secret-resolver', 'store-postgres']);
    const uses = [...texts].flatMap(([file, text]) => {
      const room = roomOf(file);
      if (room === 'plugins/toolkit') return [];
      const others = [...owners].filter(([name, owner]) => owner !== room && mayName(text, name)).map(([name]) => name);
      return others.length === 0 ? [] : nameUses(file, text, new Set(others));
    });
    const isListed = ({ file, name }: NameUse): boolean => exceptions[file]?.names.includes(name) === true;
    const unlisted = uses.filter((use) => !isListed(use)).map(({ file, line, name }) => `${file}:${line} ${name}`);
    expect(unlisted, 'state a fact in the plugin (extend.fact), or give it a check').to.deep.equal([]);
    const listed = Object.entries(exceptions).flatMap(([file, one]) => one.names.map((name) => ({ file, name })));
    const unused = listed.filter(({ file, name }) => !uses.some((use) => use.file === file && use.name === name));
    expect(unused, 'names that are used no more: take them off the list').to.deep.equal([]);
    expect(Object.keys(exceptions).length).to.be.at.most(10);
  });
});

/** Returns the folder of a plugin, such as `plugins/mcp`, or the first folder of other files. */
function roomOf(file: string): string {
  const [first = '', second = ''] = file.split(path.sep === '\\' ? /[\\/]/ : '/');
  return first === 'plugins' ? `plugins/${second}` : first;
}
