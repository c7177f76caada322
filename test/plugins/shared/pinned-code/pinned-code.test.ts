import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { PinnedCode } from '../../../../kernel/index.ts';
import { changedFiles } from '../../../../plugins/shared/pinned-code/code-file.ts';
import { codeOfProgram, findModuleCode } from '../../../../plugins/shared/pinned-code/pinned-code.ts';
import { temporaryFolder, writeFiles } from '../../../support/temporary.ts';

interface Case {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** The module of a handler, or a program with its arguments. */
  readonly runs: string | readonly [command: string, ...args: string[]];
  /** Paths that are pinned among others. */
  readonly pins?: readonly string[];
  readonly leaves?: readonly string[];
  readonly reserves?: readonly string[];
}

const cases: readonly Case[] = [
  {
    what: 'imports of imports, however they are written',
    files: {
      'tools/a.mjs': 'import "../lib/one.mjs";\nexport * from\n  "../lib/two.mjs"; const three = await import(`../lib/three.mjs`);',
      'lib/one.mjs': 'import "./deep/four.mjs"; require("./five.cjs"); new Worker(new URL("./six.mjs", import.meta.url))',
      'lib/two.mjs': 'import value from /* here */ "./seven.json" with { type: "json" };',
      'lib/three.mjs': '',
      'lib/deep/four.mjs': 'import fs from "node:fs"; import "fs/promises"; import "zod";',
      'lib/five.cjs': '',
      'lib/six.mjs': '',
      'lib/seven.json': '{}',
    },
    runs: './a.mjs#run',
    pins: ['lib/one.mjs', 'lib/two.mjs', 'lib/three.mjs', 'lib/deep/four.mjs', 'lib/five.cjs', 'lib/six.mjs', 'lib/seven.json'],
    leaves: ['tools/a.mjs'],
    reserves: ['lib/deep/node_modules/zod', 'node_modules/zod'],
  },
  {
    what: 'an import without an extension, and every other file that it could mean',
    files: { 'tools/a.ts': 'import { up } from "../lib/up"; import "../lib/folder"', 'lib/up.ts': '', 'lib/folder/index.ts': '' },
    runs: './a.ts',
    pins: ['lib/up.ts', 'lib/folder/index.ts', 'lib/package.json', 'tools/tsconfig.json'],
    reserves: ['lib/up.js', 'lib/up.mjs', 'lib/up', 'lib/folder/index.js', 'lib/folder.ts'],
  },
  {
    what: 'the source beside a compiled module',
    files: { 'tools/a.mjs': 'import "../lib/up.js"', 'lib/up.js': '' },
    runs: './a.mjs',
    pins: ['lib/up.js'],
    reserves: ['lib/up.ts'],
  },
  {
    what: 'names of package.json, for all conditions',
    files: {
      'package.json':
        '{ "name": "own", "imports": { "#up/*": { "node": "./lib/*.mjs", "default": "./other/*.mjs" } }, "exports": { "./x": "./lib/x.mjs" } }',
      'tools/a.mjs': 'import "#up/one"; import "own/x"',
      'lib/one.mjs': '',
      'other/one.mjs': '',
      'lib/x.mjs': '',
    },
    runs: './a.mjs',
    pins: ['package.json', 'lib/one.mjs', 'other/one.mjs', 'lib/x.mjs'],
  },
  {
    what: 'a module of the workspace, through the link in node_modules',
    files: {
      'tools/a.mjs': 'import "@acme/util"; import "left"',
      'packages/util/package.json': '{ "exports": { ".": { "import": "./main.mjs" } } }',
      'packages/util/main.mjs': '',
      'node_modules/left/index.js': 'require("./inner.js")',
      'node_modules/left/inner.js': '',
    },
    runs: './a.mjs',
    pins: ['packages/util/main.mjs', 'packages/util/package.json'],
    leaves: ['node_modules/left/index.js', 'node_modules/left/inner.js'],
    reserves: ['tools/node_modules/@acme/util'],
  },
  {
    what: 'imports of Python, also over several lines, relative and by name',
    files: {
      'tools/a.py':
        'import one, two as second\nfrom pack import (\n    inner,  # this\n    other)\nimportlib.import_module("late")\nif True: import nested\n',
      'tools/one.py': '',
      'tools/two.py': 'import three',
      'tools/three.py': '',
      'tools/late.py': '',
      'tools/nested.py': '',
      'tools/pack/__init__.py': 'from . import beside\nfrom .sub.deep import x',
      'tools/pack/inner.py': '',
      'tools/pack/beside.py': '',
      'tools/pack/sub/__init__.py': '',
      'tools/pack/sub/deep.py': '',
    },
    runs: './a.py#run',
    pins: [
      'tools/one.py',
      'tools/two.py',
      'tools/three.py',
      'tools/late.py',
      'tools/nested.py',
      'tools/pack/__init__.py',
      'tools/pack/inner.py',
      'tools/pack/beside.py',
      'tools/pack/sub/deep.py',
      'tools',
    ],
    reserves: ['tools/__init__.py', 'tools/__pycache__', 'tools/one', 'tools/pack/__pycache__'],
  },
  {
    what: 'folders that Python code adds to its path',
    files: {
      'tools/a.py':
        'from pathlib import Path\nROOT = Path(__file__).resolve().parent.parent\nsys.path.append(str(ROOT / "lib"))\nimport up',
      'lib/up.py': '',
    },
    runs: './a.py',
    pins: ['lib/up.py'],
    reserves: ['tools/up.py', 'tools/pathlib.py'],
  },
  {
    what: 'a package around a handler',
    files: { 'tools/__init__.py': 'import side', 'tools/a.py': 'from .helper import x', 'tools/helper.py': '', 'side.py': '' },
    runs: './a.py',
    pins: ['tools/__init__.py', 'tools/helper.py', 'side.py'],
  },
  {
    what: 'a script and what it imports, and each place where Python looks first',
    files: { 'scripts/rep.py': 'import yaml, helper', 'scripts/helper.py': '' },
    runs: ['python3', '-u', 'scripts/rep.py', '--all'],
    pins: ['scripts/rep.py', 'scripts/helper.py'],
    reserves: ['scripts/yaml.py', 'scripts/yaml'],
  },
  {
    what: 'python3 -m and python3 -c',
    files: { 'reports/__init__.py': '', 'reports/__main__.py': 'import reports.data', 'reports/data.py': '' },
    runs: ['python3', '-m', 'reports'],
    pins: ['reports/__init__.py', 'reports/__main__.py', 'reports/data.py'],
  },
  { what: 'code in an argument', files: { 'up.py': '' }, runs: ['python3', '-c', 'import up'], pins: ['up.py'], reserves: ['up'] },
  {
    what: 'a script for node',
    files: { 's/a.mjs': 'import "./b.mjs"', 's/b.mjs': '' },
    runs: ['node', 's/a.mjs'],
    pins: ['s/a.mjs', 's/b.mjs'],
  },
  {
    what: 'a file in an option, and a script that is missing',
    files: { 'conf.json': '{}' },
    runs: ['sh', 'run.sh', '--config=conf.json', 'status'],
    pins: ['conf.json'],
    reserves: ['run.sh'],
  },
];

async function codeOf({ files, runs }: Case): Promise<{ folder: string; code: PinnedCode }> {
  const folder = await temporaryFolder({});
  await writeFiles(folder, files);
  if (files['packages/util/main.mjs'] !== undefined) {
    await mkdir(path.join(folder, 'node_modules/@acme'), { recursive: true });
    await symlink('../../packages/util', path.join(folder, 'node_modules/@acme/util'));
  }
  const origin = { trust: 'operator', directory: path.join(folder, 'tools') } as const;
  if (typeof runs === 'string') return { folder, code: findModuleCode([runs], origin, new Map()) };
  const [command, ...args] = runs;
  return { folder, code: codeOfProgram({ command, args, cwd: folder }, origin, new Map()) };
}

describe('what runs with the code of a tool', () => {
  for (const one of cases)
    it(`is pinned: ${one.what}`, async () => {
      const { folder, code } = await codeOf(one);
      const pinned = code.files.map(({ file }) => path.relative(folder, file));
      expect(pinned).to.include.members([...(one.pins ?? [])]);
      for (const file of one.leaves ?? []) expect(pinned).to.not.include(file);
      expect(code.reserved.map((place) => path.relative(folder, place))).to.include.members([...(one.reserves ?? [])]);
      expect(changedFiles(code.files)).to.deep.equal([]);
    });

  it('is left out for installed packages', async () => {
    const folder = await temporaryFolder({ 'node_modules/pack/a.mjs': 'import "./b.mjs"', 'node_modules/pack/b.mjs': '' });
    const origin = { trust: 'package', directory: path.join(folder, 'node_modules/pack') } as const;
    expect(findModuleCode(['./a.mjs'], origin, new Map())).to.deep.equal({ files: [], reserved: [] });
  });

  it('is another one when a file changes, comes or goes, whatever its times say', async () => {
    const [first] = cases;
    if (first === undefined) throw new Error('no case');
    const { folder, code } = await codeOf(first);
    await writeFile(path.join(folder, 'lib/one.mjs'), 'export {}');
    await writeFile(path.join(folder, 'lib/package.json'), '{ "type": "commonjs" }');
    expect(changedFiles(code.files).map(({ file }) => path.relative(folder, file))).to.have.members(['lib/one.mjs', 'lib/package.json']);
  });

  it('is another one when a link leads to the same text elsewhere, which imports what is there', async () => {
    const text = 'import "./deep.mjs"';
    const folder = await temporaryFolder({
      'tools/a.mjs': 'import "../lib/up.mjs"',
      'lib/up.mjs': text,
      'lib/deep.mjs': '',
      'other/up.mjs': text,
      'other/deep.mjs': 'planted()',
    });
    const { files } = findModuleCode(['./a.mjs'], { trust: 'operator', directory: path.join(folder, 'tools') }, new Map());
    await rm(path.join(folder, 'lib/up.mjs'));
    await symlink('../other/up.mjs', path.join(folder, 'lib/up.mjs'));
    expect(changedFiles(files).map(({ file }) => path.relative(folder, file))).to.deep.equal(['lib/up.mjs']);
  });

  it('is the same where a manifest changes what runs nothing', async () => {
    const folder = await temporaryFolder({ 'package.json': '{ "type": "module", "version": "1.0.0" }', 'tools/a.mjs': '' });
    const { files } = findModuleCode(['./a.mjs'], { trust: 'operator', directory: path.join(folder, 'tools') }, new Map());
    await writeFile(path.join(folder, 'package.json'), '{ "version": "2.0.0", "scripts": {}, "type": "module" }');
    expect(changedFiles(files)).to.deep.equal([]);
  });
});
