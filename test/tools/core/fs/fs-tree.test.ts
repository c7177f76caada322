import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

const { coreToolkit } = coreGroup('fs');

interface Drawn {
  readonly tree: string;
  readonly entries: number;
  readonly truncated: boolean;
}

/** A folder `Projekt` with these files, in one of its own. */
async function project(names: readonly string[]): Promise<string> {
  const parent = await temporaryFolder(Object.fromEntries(names.map((name) => [`Projekt/${name}`, ''])));
  const folder = path.join(parent, 'Projekt');
  await mkdir(folder, { recursive: true });
  return folder;
}

const files = [
  'b.ts',
  'a.ts',
  'lib/ä/世界.txt',
  'lib/ä/deep/deeper/x',
  'lib/z.log',
  '.env',
  'node_modules/m/i.js',
  'Ö.md',
  'lib/m/node_modules/i.js',
];

describe('fs_tree', () => {
  const shared = sharedToolkit();

  const draw = (folder: string, parameters: Record<string, unknown> = {}): Promise<Drawn> =>
    shared.toolkit.execute('fs_tree', { path: folder, ...parameters }) as unknown as Promise<Drawn>;

  it('draws three levels with hidden files, in the order of the characters', async () => {
    const folder = await project(files);
    expect(await draw(folder)).to.deep.equal({
      tree: [
        'Projekt/',
        '├── .env',
        '├── a.ts',
        '├── b.ts',
        '├── lib/',
        '│   ├── m/',
        '│   │   └── node_modules/',
        '│   ├── z.log',
        '│   └── ä/',
        '│       ├── deep/',
        '│       └── 世界.txt',
        '├── node_modules/',
        '│   └── m/',
        '│       └── i.js',
        '└── Ö.md',
      ].join('\n'),
      entries: 14,
      truncated: false,
    });
  });

  for (const depth of [1, 2, 5, 20]) {
    it(`shows as many entries as find for depth ${depth}`, async () => {
      const folder = await project(files);
      const found = execFileSync('find', [folder, '-mindepth', '1', '-maxdepth', String(depth)], { encoding: 'utf8' });
      const { entries, tree } = await draw(folder, { depth });
      expect(entries).to.equal(found.trim().split('\n').length);
      expect(tree.split('\n')).to.have.length(entries + 1);
    });
  }

  const ignored = [
    { ignore: ['node_modules'], entries: ['lib/', 'm/', 'a.log', 'old/', 'b.log', 'c.ts'] },
    { ignore: ['node_modules/', '*.log'], entries: ['lib/', 'm/', 'old/', 'c.ts'] },
    { ignore: ['lib/old', 'node_modules'], entries: ['lib/', 'm/', 'a.log'] },
    { ignore: ['/node_modules', 'lib/**/*.{log,ts}'], entries: ['lib/', 'm/', 'node_modules/', 'i.js', 'old/'] },
    { ignore: ['*'], entries: [] },
  ];
  for (const { ignore, entries } of ignored) {
    it(`leaves out ${ignore.join(' and ')}`, async () => {
      const folder = await project(['lib/a.log', 'lib/old/b.log', 'lib/old/c.ts', 'lib/m/node_modules/i.js', 'node_modules/x.js']);
      const { tree } = await draw(folder, { ignore, depth: 4 });
      const names = tree
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/^[│├└─ ]+/, ''));
      expect(names).to.have.members(entries);
    });
  }

  it('shows the upper levels first when there is too much, and says how much is missing', async () => {
    const folder = await project(['a/1', 'a/2', 'a/3', 'b/4', 'c']);
    expect(await draw(folder, { max_entries: 4 })).to.deep.equal({
      tree: ['Projekt/', '├── a/', '│   ├── 1', '│   └── … 2 more', '├── b/', '│   └── … 1 more', '└── c'].join('\n'),
      entries: 4,
      truncated: true,
    });
    expect(await draw(folder, { max_entries: 2 })).to.deep.equal({
      tree: ['Projekt/', '├── a/', '│   └── … 3 more', '├── b/', '│   └── … 1 more', '└── … 1 more'].join('\n'),
      entries: 2,
      truncated: true,
    });
    expect(await draw(folder, { max_entries: 7 })).to.include({ entries: 7, truncated: false });
  });

  it('shows where symbolic links lead without following them', async () => {
    const outside = await temporaryFolder({ 'secret.txt': '' });
    const folder = await project(['real/a.txt']);
    await symlink('real', path.join(folder, 'in'));
    await symlink(outside, path.join(folder, 'out'));
    await symlink('..', path.join(folder, 'circle'));
    await symlink('nirgends', path.join(folder, 'dangling'));
    const { tree, entries } = await draw(folder);
    expect(tree.split('\n')).to.deep.equal([
      'Projekt/',
      '├── circle -> ..',
      '├── dangling -> nirgends',
      '├── in -> real',
      `├── out -> ${outside}`,
      '└── real/',
      '    └── a.txt',
    ]);
    expect(entries).to.equal(6);
    expect((await draw(folder, { ignore: ['out', 'circle'] })).entries).to.equal(4);
  });

  it('keeps one line for a name with a line break, and shows pipes', async () => {
    const folder = await project([]);
    await writeFile(path.join(folder, 'a\n└── b\x1b'), '');
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    expect((await draw(folder)).tree.split('\n')).to.deep.equal(['Projekt/', '├── a\\u{a}└── b\\u{1b}', '└── pipe']);
  });

  it('draws an empty folder', async () => {
    const folder = await project([]);
    expect(await draw(folder)).to.deep.equal({ tree: 'Projekt/', entries: 0, truncated: false });
  });

  it('draws the folder behind a link inside the root and refuses one that leaves it', async () => {
    const outside = await temporaryFolder({ 'secret.txt': '' });
    const folder = await project(['real/a.txt']);
    await symlink('real', path.join(folder, 'in'));
    await symlink(outside, path.join(folder, 'out'));
    expect((await draw(path.join(folder, 'in'))).tree).to.equal('real/\n└── a.txt');
    const toolkit = await coreToolkit({ roots: [folder] });
    for (const place of ['out', '..', outside]) await rejection(toolkit.execute('fs_tree', { path: place }), 'INVALID_PARAMETERS');
  });

  it('says that a folder does not exist, or is a file', async () => {
    const folder = await project(['a.txt']);
    const missing = await rejection(draw(path.join(folder, 'fehlt')), 'NOT_FOUND');
    expect(missing.message).to.include('Projekt/fehlt').and.to.include('fs_tree');
    const file = await rejection(draw(path.join(folder, 'a.txt')), 'EXECUTION_FAILED');
    expect(file.message).to.include('it is a file, expected a folder');
  });

  it('passes over a folder that it may not read, and fails when it is the one to draw', async () => {
    const folder = await project(['closed/a.txt', 'open/b.txt']);
    await chmod(path.dirname(folder), 0o755);
    await chmod(path.join(folder, 'closed'), 0);
    await draw(folder);
    const { tree } = await asNobody(() => draw(folder));
    expect(tree).to.equal(['Projekt/', '├── closed/', '└── open/', '    └── b.txt'].join('\n'));
    const error = await asNobody(() => rejection(draw(path.join(folder, 'closed')), 'EXECUTION_FAILED'));
    expect(error.message).to.include('permission is denied');
    await chmod(path.join(folder, 'closed'), 0o755);
  });

  for (const parameters of [{ depth: 0 }, { depth: 21 }, { max_entries: 0 }, { max_entries: 10_001 }, { ignore: [''] }]) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      const folder = await project([]);
      await rejection(draw(folder, parameters), 'INVALID_PARAMETERS');
    });
  }
});
