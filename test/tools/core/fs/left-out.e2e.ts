import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../../kernel/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const { coreToolkit } = coreGroup('fs', 'archive');

/** A tree with repositories of several kinds in it, and what belongs to git of them. */
async function tree(): Promise<string> {
  const folder = await temporaryFolder({
    'p/a.txt': 'word',
    'p/.git/config': 'word',
    'p/.git/objects/ab/c': 'word',
    'p/sub/.GIT': 'gitdir: ../../elsewhere',
    'p/sub/b.txt': 'word',
    'p/.gitignore': 'word',
  });
  execFileSync('git', ['init', '--quiet', '--bare', path.join(folder, 'p/store')]);
  return folder;
}

const leftOut = ['.git', 'store', 'sub/.GIT'];

interface Row {
  readonly tool: string;
  readonly parameters: JsonObject;
  readonly names: readonly string[];
  /** The paths that the tool has come to. */
  readonly seen: (output: never, folder: string) => readonly string[] | Promise<readonly string[]>;
  readonly expected: readonly string[];
}

const inArchive = ['p', 'p/.gitignore', 'p/a.txt', 'p/store', 'p/sub', 'p/sub/b.txt'];

async function listed(tool: string, destination: string, folder: string): Promise<string[]> {
  const { entries } = (await (await coreToolkit({ roots: [folder] })).execute(tool, { path: destination })) as {
    entries: { path: string }[];
  };
  return entries.map((entry) => entry.path.replace(/\/$/, '')).sort();
}

/** Every tool that walks through a tree. */
const rows: readonly Row[] = [
  {
    tool: 'fs_copy',
    parameters: { source: 'p', destination: 'q', recursive: true },
    names: leftOut,
    seen: async (_, folder) => (await readdir(path.join(folder, 'q'), { recursive: true })).sort(),
    expected: ['.gitignore', 'a.txt', 'store', 'sub', 'sub/b.txt'],
  },
  {
    tool: 'archive_zip_create',
    parameters: { paths: ['p'], destination: 'p.zip' },
    names: leftOut.map((name) => `p/${name}`),
    seen: (_, folder) => listed('archive_list', 'p.zip', folder),
    expected: inArchive,
  },
  {
    tool: 'archive_tar_create',
    parameters: { paths: ['p'], destination: 'p.tgz' },
    names: leftOut.map((name) => `p/${name}`),
    seen: (_, folder) => listed('archive_list', 'p.tgz', folder),
    expected: inArchive,
  },
  {
    tool: 'fs_find',
    parameters: { path: 'p', pattern: '*' },
    names: leftOut,
    seen: ({ paths }: { paths: string[] }) => paths,
    expected: ['.gitignore', 'a.txt', 'sub/b.txt'],
  },
  {
    tool: 'fs_search',
    parameters: { path: 'p', pattern: 'word|gitdir|bare' },
    names: leftOut,
    seen: ({ matches }: { matches: { path: string }[] }) => matches.map((match) => match.path),
    expected: ['.gitignore', 'a.txt', 'sub/b.txt'],
  },
  {
    tool: 'fs_replace_in_files',
    parameters: { path: 'p', pattern: 'word|gitdir|bare', replacement: 'x', regex: true, glob: '*' },
    names: leftOut,
    seen: ({ files }: { files: { path: string }[] }) => files.map((file) => file.path),
    expected: ['.gitignore', 'a.txt', 'sub/b.txt'],
  },
  {
    tool: 'fs_tree',
    parameters: { path: 'p', depth: 9 },
    names: leftOut,
    seen: ({ tree: text }: { tree: string }) => text.split('\n').map((line) => line.replace(/^[│├└─ ]+/, '')),
    expected: ['p/', '.gitignore', 'a.txt', 'store/', 'sub/', 'b.txt'],
  },
  {
    tool: 'fs_disk_usage',
    parameters: { path: 'p', depth: 9 },
    names: leftOut,
    seen: ({ entries }: { entries: { path: string }[] }) => entries.map((entry) => entry.path).sort(),
    expected: ['.gitignore', 'a.txt', 'store/', 'sub/', 'sub/b.txt'],
  },
];

/** Files of core tools that list a folder and are no tool that walks: they list one, refuse a tree as a whole, or make something. */
const otherListings = [
  'tools/core/fs/files/folder-at.ts',
  'tools/core/fs/trees/delete.ts',
  'tools/core/fs/trees/list-directory.ts',
  'tools/core/fs/trees/move.ts',
  'tools/core/fs/trees/place-tree.ts',
  'tools/core/fs/trees/remove-tree.ts',
  'tools/core/git/git-folder.ts',
  'tools/core/git/local-remote.ts',
];

describe('what is git’s in a tree', () => {
  for (const { tool, parameters, names, seen, expected } of rows)
    it(`is left out by ${tool}, which names it`, async () => {
      const folder = await tree();
      const output = (await (await coreToolkit({ roots: [folder] })).execute(tool, parameters)) as { left_out?: string[] };
      expect(output.left_out).to.deep.equal(names);
      expect(await seen(output as never, folder)).to.deep.equal(expected);
    });

  it('is counted by fs_disk_usage where that is wanted', async () => {
    const folder = await tree();
    const output = await (await coreToolkit({ roots: [folder] })).execute('fs_disk_usage', { path: 'p', include_git: true });
    expect(output).to.not.have.property('left_out');
    expect(JSON.stringify(output)).to.include('".git/"');
  });

  it('is not named where there is nothing of it', async () => {
    const folder = await temporaryFolder({ 'p/a.txt': '', 'p/.github/b': '' });
    const output = await (await coreToolkit({ roots: [folder] })).execute('fs_copy', { source: 'p', destination: 'q', recursive: true });
    expect(output).to.not.have.property('left_out');
  });

  it('is looked for by every file of the core tools that walks through folders', async () => {
    const files = (await readdir('tools/core', { recursive: true })).filter((file) => file.endsWith('.ts'));
    const texts = await Promise.all(
      files.map(async (file) => [`tools/core/${file}`, await readFile(path.join('tools/core', file), 'utf8')] as const),
    );
    const without = texts.filter(([, text]) => /\b(?:readdir|opendir|glob)(?:Sync)?\(/.test(text) && !/\bGitExclusions\b/.test(text));
    expect(without.map(([file]) => file).sort()).to.deep.equal(otherListings);
  });
});
