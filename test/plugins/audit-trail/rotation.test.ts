import { readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { type AuditOptions, audited, linesIn, recordsIn, writeLines } from './audited.ts';

const maxBytes = 64 * 1024;
const text = 'x'.repeat(1000);

async function filesOf(file: string): Promise<number> {
  return (await readdir(path.dirname(file))).filter((name) => !name.endsWith('.lock')).length;
}

/** A closed trail of so many files. */
async function rotatedTrail(files: number, options: AuditOptions = {}): Promise<string> {
  const { kernel, file } = await audited({ maxBytes, maxRotatedFiles: 0, ...options });
  const names = async () => (await readdir(path.dirname(file))).filter((name) => !name.endsWith('.lock'));
  while (!(await names()).includes(`audit.jsonl.${files - 1}`)) await kernel.execute('echo', { text });
  await kernel.execute('echo', { text });
  await kernel.close();
  return file;
}

describe('the rotation of an audit trail', () => {
  it('begins a new file before the limit, and the chain goes on in it', async () => {
    const file = await rotatedTrail(3);
    expect((await readdir(path.dirname(file))).sort()).to.deep.equal(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2', 'audit.jsonl.head']);
    for (const name of [`${file}.1`, `${file}.2`]) expect((await stat(name)).size).to.be.within(maxBytes - 16 * 1024 - 1500, maxBytes);
    const [last] = (await recordsIn(`${file}.1`)).slice(-1);
    const [first] = await recordsIn(`${file}.2`);
    expect(first).to.include({ event: 'continued', cause: 'rotated', after: 'audit.jsonl.1', begins_at: 1 });
    expect([first?.previous, first?.seq]).to.deep.equal([last?.hash, (last?.seq ?? 0) + 1]);
    const report = await verifyTrail(file);
    expect(report.files).to.deep.equal([`${file}.1`, `${file}.2`, file]);
    expect(report).to.deep.include({ problems: [], notes: [] });
  });

  it('keeps modes to the user alone', async () => {
    const file = await rotatedTrail(2);
    for (const name of [file, `${file}.1`]) expect((await stat(name)).mode & 0o777).to.equal(0o600);
  });

  for (const [maxRotatedFiles, kept] of [
    [1, [5]],
    [2, [4, 5]],
    [0, [1, 2, 3, 4, 5]],
    [10, [1, 2, 3, 4, 5]],
  ] as const) {
    it(`keeps the files ${kept.join(', ')} of five with maxRotatedFiles: ${maxRotatedFiles}, and says what is gone`, async () => {
      const file = await rotatedTrail(6, { maxRotatedFiles });
      const names = kept.map((number) => `${file}.${number}`);
      const report = await verifyTrail(file);
      expect(report.files).to.deep.equal([...names, file]);
      expect(report.problems).to.deep.equal([]);
      const [first] = await recordsIn(names[0] ?? '');
      expect((await recordsIn(file))[0]).to.include({ begins_at: first?.seq });
    });
  }

  it('goes on with the numbers after a restart, beyond nine', async () => {
    const file = await rotatedTrail(2);
    await rename(`${file}.1`, `${file}.9`);
    await rotatedTrail(11, { path: file });
    const { files, problems } = await verifyTrail(file);
    expect(files).to.deep.equal([`${file}.9`, `${file}.10`, file]);
    expect(problems).to.deep.equal([]);
  });

  const damages: { title: string; damage: (file: string) => Promise<unknown>; says: string; at: string; options?: AuditOptions }[] = [
    { title: 'a file in between that is gone', damage: (file) => unlink(`${file}.2`), says: 'are missing before it', at: '.3:1' },
    { title: 'an oldest file that is gone', damage: (file) => unlink(`${file}.1`), says: 'records 1 to ', at: '.2:1' },
    {
      title: 'an oldest file that is gone beside those that rotation removed',
      damage: (file) => unlink(`${file}.2`),
      says: 'are missing before it: the files begin with record',
      at: '.3:1',
      options: { maxRotatedFiles: 2 },
    },
    {
      title: 'rotated files that are all gone',
      damage: (file) => Promise.all([1, 2, 3].map((number) => unlink(`${file}.${number}`))),
      says: 'records 1 to ',
      at: ':1',
    },
    {
      title: 'a line removed at the end of a rotated file',
      damage: async (file) => writeLines(`${file}.1`, (await linesIn(`${file}.1`)).slice(0, -1)),
      says: 'is missing before it',
      at: '.2:1',
    },
    {
      title: 'two files that changed places',
      damage: async (file) => {
        await rename(`${file}.1`, `${file}.x`);
        await rename(`${file}.2`, `${file}.1`);
        await rename(`${file}.x`, `${file}.2`);
      },
      says: 'out of place',
      at: '.2:1',
    },
    {
      title: 'a file twice',
      damage: async (file) => {
        await rename(`${file}.3`, `${file}.4`);
        await writeFile(`${file}.3`, await readFile(`${file}.2`));
      },
      says: 'out of place',
      at: '.3:1',
    },
  ];
  for (const { title, damage, says, at, options = {} } of damages) {
    it(`does not hide ${title}`, async () => {
      const file = await rotatedTrail(4, options);
      await damage(file);
      const { problems } = await verifyTrail(file);
      const found = problems.filter(({ message }) => message.includes(says)).map((problem) => `${problem.file}:${problem.line}`);
      expect(found).to.include(`${file}${at}`);
    });
  }

  for (const isRestarted of [false, true]) {
    it(`does not hide a removed file by later rotations${isRestarted ? ' after a restart' : ''}`, async () => {
      const { kernel, file } = await audited({ maxBytes });
      while ((await filesOf(file)) < 3) await kernel.execute('echo', { text });
      await unlink(`${file}.1`);
      if (isRestarted) await kernel.close();
      const later = isRestarted ? (await audited({ maxBytes, path: file })).kernel : kernel;
      while ((await filesOf(file)) < 4) await later.execute('echo', { text });
      expect((await verifyTrail(file)).problems.map(({ message }) => message.slice(0, 13))).to.deep.equal(['records 1 to ']);
    });
  }

  const halves: { title: string; prepare: (file: string) => Promise<unknown> }[] = [
    { title: 'between renaming and creating', prepare: (file) => rename(file, `${file}.2`) },
    {
      title: 'between creating and the first record',
      prepare: async (file) => {
        await rename(file, `${file}.2`);
        await writeFile(file, '');
      },
    },
  ];
  for (const { title, prepare } of halves) {
    it(`goes on after a crash ${title}`, async () => {
      const file = await rotatedTrail(2);
      await prepare(file);
      const { kernel } = await audited({ path: file });
      await kernel.execute('echo');
      expect((await recordsIn(file)).map(({ event }) => event)).to.deep.equal(['continued', undefined]);
      expect((await verifyTrail(file)).problems).to.deep.equal([]);
    });
  }

  it('does not start over when the end of the rotated files does not verify', async () => {
    const file = await rotatedTrail(2);
    await rm(file);
    await writeLines(`${file}.1`, [...(await linesIn(`${file}.1`)).slice(0, -1), '{}']);
    const { kernel } = await audited({ path: file });
    const error = await rejection(kernel.execute('echo'), 'POLICY_DENIED');
    expect(error.message).to.include('its last line does not verify');
  });

  it('verifies the whole while the trail is written', async () => {
    const { kernel, file } = await audited({ maxBytes, maxRotatedFiles: 0 });
    const calls = Promise.all(Array.from({ length: 400 }, () => kernel.execute('echo', { text })));
    let isDone = false;
    void calls.then(() => {
      isDone = true;
    });
    let reports = 0;
    while (!isDone) {
      await kernel.execute('echo');
      const { problems } = await verifyTrail(file);
      // A record may be on its way.
      expect(problems.filter(({ message }) => !message.startsWith('it is half a line'))).to.deep.equal([]);
      reports++;
    }
    expect(reports).to.be.greaterThan(0);
    expect((await verifyTrail(file)).records).to.be.greaterThan(400);
  });
});
