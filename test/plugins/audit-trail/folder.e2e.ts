import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Chain } from '../../../plugins/audit-trail/chain.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type AuditOptions, audited, linesIn, recordsIn, writeLines } from './audited.ts';
import { formerPid } from './former-pid.ts';

/** A folder with two segments, of two kernels at once, with as many records each. */
async function folderTrail(options: AuditOptions = {}, records = 3): Promise<{ folder: string; segments: readonly string[] }> {
  const folder = `${path.join(await temporaryFolder(), 'trail')}/`;
  const kernels = [await audited({ ...options, path: folder }), await audited({ ...options, path: folder })];
  for (const { kernel } of kernels)
    for (let record = 0; record < records; record++) await kernel.execute('echo', { text: 'x'.repeat(900) });
  for (const { kernel } of kernels) await kernel.close();
  return { folder, segments: await segmentsIn(folder) };
}

async function segmentsIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^\d.*\.jsonl$/.test(name)).map((name) => path.join(folder, name));
}

async function problemsIn(folder: string): Promise<readonly string[]> {
  return (await verifyTrail(folder)).problems.map(({ message }) => message);
}

describe('a folder as an audit trail', () => {
  it('has a segment for each process that writes, and verifies while they do', async () => {
    const folder = `${path.join(await temporaryFolder(), 'trail')}/`;
    const kernels = await Promise.all(Array.from({ length: 5 }, () => audited({ path: folder })));
    await Promise.all(kernels.map(({ kernel }) => kernel.execute('echo')));
    const report = await verifyTrail(folder);
    expect(report).to.deep.include({ problems: [], notes: [], records: 5 });
    expect(report.segments?.map(({ records }) => records)).to.deep.equal([1, 1, 1, 1, 1]);
    for (const { kernel } of kernels) await kernel.close();
    expect((await readdir(folder)).filter((name) => name.includes('.lock'))).to.deep.equal([]);
    expect(await problemsIn(folder)).to.deep.equal([]);
  });

  it('is one also where it is there already, without a "/" in the path', async () => {
    const folder = path.join(await temporaryFolder(), 'trail');
    await mkdir(folder);
    const { kernel } = await audited({ path: folder });
    await kernel.execute('echo');
    expect(await verifyTrail(folder)).to.deep.include({ problems: [], records: 1 });
  });

  it('continues a segment whose process has ended, so that there are never more than processes at once', async () => {
    const { folder, segments } = await folderTrail();
    for (let round = 0; round < 4; round++) {
      const { kernel } = await audited({ path: folder });
      await kernel.execute('echo');
      await kernel.close();
    }
    expect(await segmentsIn(folder)).to.deep.equal(segments);
    expect(await verifyTrail(folder)).to.deep.include({ problems: [], records: 10 });
  });

  it('begins another segment beside one that is damaged, which stays as it is', async () => {
    const { folder, segments } = await folderTrail();
    const [damaged = ''] = segments;
    await appendFile(damaged, 'mine\n');
    const bytes = await readFile(damaged);
    const kernels = [await audited({ path: folder }), await audited({ path: folder })];
    for (const { kernel } of kernels) await kernel.execute('echo');
    expect(await segmentsIn(folder)).to.have.length(3);
    expect(await readFile(damaged)).to.deep.equal(bytes);
    expect(await problemsIn(folder)).to.deep.equal(['it is not JSON']);
  });

  it('rotates, enters what is rotated in the index, and removes what is more than "maxRotatedFiles"', async () => {
    const { folder } = await folderTrail({ maxBytes: 64 * 1024, maxRotatedFiles: 2 }, 220);
    const entries = (await recordsIn(path.join(folder, 'index.jsonl'))).filter(({ event }) => event === 'rotated');
    expect(entries.length).to.be.greaterThan(4);
    expect((await readdir(folder)).filter((name) => /\.jsonl\.\d+$/.test(name))).to.have.length(4);
    expect(await problemsIn(folder)).to.deep.equal([]);
  });

  it('verifies with its key alone', async () => {
    const { folder } = await folderTrail({ key: 'a key that is long enough' });
    expect((await verifyTrail(folder, { key: 'a key that is long enough' })).problems).to.deep.equal([]);
    expect((await verifyTrail(folder)).problemCount).to.be.greaterThan(0);
  });

  it('takes the heads that were noted of it, and misses one of them', async () => {
    const { folder, segments } = await folderTrail();
    const { head = '' } = await verifyTrail(folder);
    expect(head.split(',')).to.have.length(3);
    const { kernel } = await audited({ path: folder });
    await kernel.execute('echo');
    await kernel.close();
    expect((await verifyTrail(folder, { head })).problems).to.deep.equal([]);
    const [, other = ''] = segments;
    for (const part of ['', '.head']) await rm(`${other}${part}`);
    await writeLines(path.join(folder, 'index.jsonl'), (await linesIn(path.join(folder, 'index.jsonl'))).slice(0, 1));
    const { problems } = await verifyTrail(folder, { head });
    expect(problems.map(({ message }) => message).join()).to.include('no record has a hash that --head gives');
  });

  const refused: { title: string; prepare: (folder: string) => Promise<unknown>; says: string }[] = [
    { title: 'a file', prepare: (folder) => writeFile(folder, ''), says: 'it is not a folder' },
    {
      title: 'a symbolic link',
      prepare: async (folder) => {
        await mkdir(`${folder}.target`);
        await symlink(`${folder}.target`, folder);
      },
      says: 'it is a symbolic link',
    },
    {
      title: 'a folder with other files',
      prepare: async (folder) => {
        await mkdir(folder);
        await writeFile(path.join(folder, 'notes.txt'), '');
      },
      says: 'its folder holds other files',
    },
  ];
  for (const { title, prepare, says } of refused) {
    it(`refuses ${title} before anything runs`, async () => {
      const folder = path.join(await temporaryFolder(), 'trail');
      await prepare(folder);
      expect((await rejection(audited({ path: `${folder}/` }), 'PLUGIN_FAILED')).message).to.include(says);
    });
  }

  interface Tampering {
    readonly title: string;
    readonly tamper: (segments: readonly string[], folder: string) => Promise<unknown>;
    readonly says: string;
    /** Records of each segment. @default 3 */
    readonly records?: number;
  }
  const indexOf = (folder: string): string => path.join(folder, 'index.jsonl');
  const dropped = async (file: string, line: number): Promise<void> =>
    writeLines(
      file,
      (await linesIn(file)).filter((_, index) => index !== line),
    );
  const swapped = async (a: string, b: string): Promise<void> => {
    await rename(a, `${a}.aside`);
    await rename(b, a);
    await rename(`${a}.aside`, b);
  };
  const rotatedOf = (segment = ''): string => `${segment}.1`;
  const tamperings: readonly Tampering[] = [
    { title: 'a segment that was removed', tamper: ([one = '']) => rm(one), says: 'records at the end were cut off' },
    {
      title: 'a segment that was removed with its head',
      tamper: async ([one = '']) => {
        for (const part of ['', '.head']) await rm(`${one}${part}`);
      },
      says: 'it is missing, and the index names it',
    },
    { title: 'a segment that was emptied', tamper: ([one = '']) => truncate(one), says: 'records at the end were cut off' },
    {
      title: 'the last record of a segment that was cut off',
      tamper: ([one = '']) => dropped(one, 2),
      says: 'records at the end were cut off',
    },
    {
      title: 'the last record of a segment that was cut off with its head',
      tamper: async ([one = '']) => {
        await dropped(one, 2);
        await rm(`${one}.head`);
      },
      says: 'it was removed or emptied',
    },
    {
      title: 'two segments that were swapped with their heads',
      tamper: async ([one = '', two = '']) => {
        for (const part of ['', '.head']) await swapped(`${one}${part}`, `${two}${part}`);
      },
      says: 'it does not begin at the entry of this file in the index',
    },
    {
      title: 'a segment of another trail in its place',
      tamper: async ([one = '']) => {
        const other = await folderTrail();
        for (const part of ['', '.head']) await rename(`${other.segments[0]}${part}`, `${one}${part}`);
      },
      says: 'it does not begin at the entry of this file in the index',
    },
    {
      title: 'a segment that was put there',
      tamper: async (_, folder) => {
        const [one = ''] = (await folderTrail()).segments;
        for (const part of ['', '.head']) await rename(`${one}${part}`, path.join(folder, `20200101T000000Z-00000000.jsonl${part}`));
      },
      says: 'no entry of the index names it',
    },
    {
      title: 'an entry of the index that was removed',
      tamper: (_, folder) => dropped(indexOf(folder), 0),
      says: 'record 1 is missing before it',
    },
    {
      title: 'the last entry of the index that was removed',
      tamper: (_, folder) => dropped(indexOf(folder), 1),
      says: 'records at the end were cut off',
    },
    {
      title: 'the last entry of the index that was removed with the head of the index',
      tamper: async (_, folder) => {
        await dropped(indexOf(folder), 1);
        await rm(`${indexOf(folder)}.head`);
      },
      says: 'no entry of the index names it',
    },
    { title: 'an index that was removed', tamper: (_, folder) => rm(indexOf(folder)), says: 'records at the end were cut off' },
    {
      title: 'an index that was removed with its head',
      tamper: async (_, folder) => {
        for (const part of ['', '.head']) await rm(`${indexOf(folder)}${part}`);
      },
      says: 'the index is missing',
    },
    { title: 'a rotated file that was removed', tamper: ([one]) => rm(rotatedOf(one)), says: 'before it', records: 150 },
    {
      title: 'all files of a segment that were removed',
      tamper: async ([one = '']) => {
        for (const part of ['', '.head', '.1', '.2', '.3', '.4', '.5', '.6']) await rm(`${one}${part}`, { force: true });
      },
      says: 'it is missing, and the index names it',
      records: 150,
    },
    {
      title: 'a segment that was cut off behind what is rotated, and its head put back',
      tamper: async ([one = '']) => {
        await rm(one);
        await rm(`${one}.2`, { force: true });
        await writeFile(`${one}.head`, '');
      },
      says: 'the index names record',
      records: 150,
    },
    {
      title: 'rotated files that were swapped',
      tamper: ([one, two]) => swapped(rotatedOf(one), rotatedOf(two)),
      says: 'it does not begin at the entry of this file in the index',
      records: 150,
    },
  ];
  for (const { title, tamper, says, records } of tamperings) {
    it(`shows ${title}`, async () => {
      const { folder, segments } = await folderTrail({ maxBytes: 64 * 1024 }, records);
      expect(await problemsIn(folder)).to.deep.equal([]);
      await tamper(segments, folder);
      expect((await problemsIn(folder)).join('\n')).to.include(says);
    });
  }

  /** Every state in which a process may have been killed before it wrote a record, or in the middle of one. */
  const states: { title: string; leave: (segment: string, folder: string) => Promise<unknown>; records: number }[] = [
    {
      title: 'a segment is there, and its entry not yet',
      leave: (_, folder) => writeFile(path.join(folder, '20300101T000000Z-00000000.jsonl'), ''),
      records: 3,
    },
    {
      title: 'an entry is there, and no record yet',
      leave: async (segment) => {
        await truncate(segment);
        await rm(`${segment}.head`);
      },
      records: 0,
    },
    {
      title: 'half a record is there, and its head not yet',
      leave: async (segment) => {
        const [first = '', second = ''] = await linesIn(segment);
        await writeFile(segment, `${first}\n${second.slice(0, 100)}`);
        const { seq, hash, mac } = await headBehind(segment);
        await writeFile(`${segment}.head`, `${JSON.stringify({ seq, hash, mac }).padEnd(191)}\n`);
      },
      records: 1,
    },
    {
      title: 'the lock of a process that was killed is there',
      leave: async (segment) => writeFile(`${segment}.lock`, JSON.stringify({ pid: await formerPid(), host: hostname() })),
      records: 3,
    },
    {
      title: 'the lock of the index of a process that was killed is there',
      leave: async (_, folder) => writeFile(`${indexOf(folder)}.lock`, JSON.stringify({ pid: await formerPid(), host: hostname() })),
      records: 3,
    },
  ];
  for (const { title, leave, records } of states) {
    it(`verifies, and goes on, where ${title}`, async () => {
      const folder = `${path.join(await temporaryFolder(), 'trail')}/`;
      const { kernel } = await audited({ path: folder });
      for (const text of ['a', 'b', 'c']) await kernel.execute('echo', { text });
      await kernel.close();
      await leave((await segmentsIn(folder))[0] ?? '', folder);
      expect(await verifyTrail(folder)).to.deep.include({ problems: [], records });
      // The second of them needs the index.
      const kernels = [await audited({ path: folder }), await audited({ path: folder })];
      for (const next of kernels) await next.kernel.execute('echo');
      const report = await verifyTrail(folder);
      expect(report.problems).to.deep.equal([]);
      expect(report.records).to.be.at.least(records + 2);
    });
  }
});

/** The head that names the first record of a segment, as a process leaves it that is killed while it writes the second one. */
async function headBehind(segment: string) {
  const [first] = (await linesOfWhole(segment)).map((line) => JSON.parse(line));
  return JSON.parse(new Chain().sealHead(first));
}

async function linesOfWhole(segment: string): Promise<readonly string[]> {
  return (await readFile(segment, 'utf8')).split('\n').filter((line) => line.endsWith('}'));
}
