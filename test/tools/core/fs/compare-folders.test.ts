import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { asNobody } from './as-nobody.ts';
import { sharedToolkit } from './shared-toolkit.ts';

const tree = { 'a.txt': 'a', 'a/b.txt': 'b', 'a-b/c.txt': 'c', 'ä/d.bin': '\0d', empty: '' };

/** Changes of the right one of two equal folders, and what is reported. */
const changes: readonly {
  readonly what: string;
  readonly change: (right: string) => Promise<unknown> | unknown;
  readonly differences: readonly (readonly [path: string, status: string])[];
}[] = [
  { what: 'nothing', change: () => {}, differences: [] },
  {
    what: 'another byte of the same file',
    change: (right) => writeFile(path.join(right, 'a/b.txt'), 'x'),
    differences: [['a/b.txt', 'differs']],
  },
  { what: 'another length', change: (right) => writeFile(path.join(right, 'empty'), 'x'), differences: [['empty', 'differs']] },
  {
    what: 'a new file and a new folder',
    change: (right) => cp(path.join(right, 'a'), path.join(right, 'z/z'), { recursive: true }),
    differences: [['z/', 'only_right']],
  },
  {
    what: 'a folder that is gone',
    change: (right) => rm(path.join(right, 'a-b'), { recursive: true }),
    differences: [['a-b/', 'only_left']],
  },
  {
    what: 'a folder in the place of a file',
    change: async (right) => {
      await rm(path.join(right, 'empty'));
      await mkdir(path.join(right, 'empty'));
    },
    differences: [
      ['empty', 'only_left'],
      ['empty/', 'only_right'],
    ],
  },
  {
    what: 'a link to an equal file in the place of a file',
    change: async (right) => {
      await rm(path.join(right, 'empty'));
      await symlink('a.txt', path.join(right, 'empty'));
    },
    differences: [['empty', 'differs']],
  },
];

describe('fs_compare_files of two folders', () => {
  const shared = sharedToolkit();

  const compare = (folder: string, more: JsonObject = {}): Promise<JsonObject> =>
    shared.toolkit.execute('fs_compare_files', {
      left: path.join(folder, 'left'),
      right: path.join(folder, 'right'),
      ...more,
    }) as Promise<JsonObject>;

  async function twoEqual(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const folder = await temporaryFolder(
      Object.fromEntries(Object.entries({ ...tree, ...more }).map(([name, text]) => [`left/${name}`, text])),
    );
    await cp(path.join(folder, 'left'), path.join(folder, 'right'), { recursive: true });
    return folder;
  }

  for (const { what, change, differences } of changes)
    it(`tells of ${what}`, async () => {
      const folder = await twoEqual();
      await change(path.join(folder, 'right'));
      const output = await compare(folder);
      expect(output).to.deep.include({
        method: 'folders',
        equal: differences.length === 0,
        truncated: false,
        differences: differences.map(([file, status]) => ({ path: file, status })),
      });
    });

  it('names the files that diff -rq names, in hundreds of folders', async () => {
    const numbers = Array.from({ length: 400 }, (_, number) => number);
    const folder = await temporaryFolder(
      Object.fromEntries(
        numbers.flatMap((number) => [
          [`left/${number % 7}/${number % 90}/file ${number}`, `same ${number}`],
          [`right/${number % 7}/${number % 90}/file ${number}`, number % 5 === 0 ? `other ${number}` : `same ${number}`],
        ]),
      ),
    );
    const { differences, counts } = (await compare(folder)) as unknown as { differences: { path: string }[]; counts: JsonObject };
    const diff = execFileSync('sh', ['-c', 'diff -rq left right || true'], { cwd: folder, encoding: 'utf8' });
    const named = Array.from(diff.matchAll(/^Files (?:left)\/(.*) and right\/.* differ$/gm), ([, file]) => file);
    expect(differences.map((one) => one.path)).to.have.members(named);
    expect(counts).to.deep.equal({ same: 320, differs: 80, only_left: 0, only_right: 0, not_compared: 0 });
  });

  it('compares files that are longer than what it reads at once', async () => {
    const folder = await temporaryFolder({
      'left/a': 'x'.repeat(600_000),
      'right/a': `${'x'.repeat(599_999)}y`,
      'left/b': 'z'.repeat(524_288),
      'right/b': 'z'.repeat(524_288),
    });
    expect(await compare(folder)).to.deep.include({ differences: [{ path: 'a', status: 'differs' }] });
  });

  it('does not follow links, whose texts it compares, and does not open pipes', async () => {
    const outside = await temporaryFolder({ 'secret.txt': 'planted' });
    const folder = await twoEqual();
    for (const side of ['left', 'right']) {
      await symlink(outside, path.join(folder, side, 'out'));
      await symlink(side, path.join(folder, side, 'other'));
      execFileSync('mkfifo', [path.join(folder, side, 'pipe')]);
    }
    expect(await compare(folder)).to.deep.include({
      counts: { same: 6, differs: 1, only_left: 0, only_right: 0, not_compared: 1 },
      differences: [
        { path: 'other', status: 'differs' },
        { path: 'pipe', status: 'not_compared' },
      ],
    });
  });

  it('leaves out what is git’s and does not compare what holds secrets', async () => {
    const folder = await twoEqual({ '.git/config': 'same', 'sub/.env': 'TOKEN=1' });
    await writeFile(path.join(folder, 'right/.git/config'), 'other');
    await writeFile(path.join(folder, 'right/sub/.env'), 'TOKEN=2');
    expect(await compare(folder)).to.deep.include({
      equal: false,
      differences: [{ path: 'sub/.env', status: 'not_compared' }],
      left_out: ['.git'],
    });
  });

  it('names what it may not read, and does not call the folders equal', async () => {
    const folder = await twoEqual();
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    await chmod(path.join(folder, 'right/a.txt'), 0);
    await chmod(path.join(folder, 'left/a'), 0);
    await compare(folder);
    const output = await asNobody(() => compare(folder));
    await chmod(path.join(folder, 'left/a'), 0o755);
    expect(output).to.deep.include({ equal: false, differences: [], unreadable: { count: 2, paths: ['a', 'a.txt'] } });
  });

  it('goes on by next_offset until there is no more', async () => {
    const folder = await temporaryFolder({
      'right/x': '',
      ...Object.fromEntries(Array.from({ length: 25 }, (_, number) => [`left/${number}`, ''])),
    });
    const seen: unknown[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const part: JsonObject = await compare(folder, { max_results: 10, offset });
      seen.push(...(part['differences'] as unknown[]));
      offset = part['next_offset'] as number | undefined;
    }
    expect(seen).to.deep.equal((await compare(folder))['differences']);
    expect(seen).to.have.length(26);
  });

  it('refuses a file and a folder, and says which is which', async () => {
    const folder = await temporaryFolder({ 'left/a': '', right: '' });
    const error = await rejection(compare(folder), 'EXECUTION_FAILED');
    expect(error.message).to.include('"left" is a folder and "right" is none');
  });
});
