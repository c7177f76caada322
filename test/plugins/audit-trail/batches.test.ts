import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Chain } from '../../../plugins/audit-trail/chain.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { type AuditOptions, audited, linesIn, recordsIn, writeLines } from './audited.ts';

/** A trail of one record, a batch of four and another record: lines 1, 2 to 6 and 7, records 1 to 6. */
async function batchTrail(options: AuditOptions = {}): Promise<string> {
  const { kernel, file } = await audited(options);
  await kernel.execute('echo', { text: 'before' });
  for (const text of ['a', 'b', 'ç', 'd']) kernel.start({ tool: 'echo', parameters: { text }, isHeld: true });
  await kernel.beforeAnswers();
  await kernel.execute('echo', { text: 'after' });
  await kernel.close();
  return file;
}

/** The same with the batch at the end: its bytes, and a head that names the record before it, as a process leaves it that is killed. */
async function endedByBatch(): Promise<{ readonly file: string; readonly bytes: Buffer; readonly head: string }> {
  const file = await batchTrail();
  const lines = (await linesIn(file)).slice(0, 6);
  const head = `${new Chain().sealHead(JSON.parse(lines[0] ?? '')).padEnd(191)}\n`;
  return { file, bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')), head };
}

describe('records that are written together', () => {
  for (const options of [{}, { key: 'a key that is long enough' }])
    it(`are one link of the chain, with each record a line${'key' in options ? ', with a key' : ''}`, async () => {
      const file = await batchTrail(options);
      expect((await recordsIn(file)).map(({ seq }) => seq)).to.deep.equal([1, 2, 3, 4, 5, 6]);
      const lines = (await linesIn(file)).map((line) => JSON.parse(line));
      expect(lines.map((line) => 'hash' in line)).to.deep.equal([true, false, false, false, false, true, true]);
      expect(lines[5]).to.have.keys('batch', 'hash', 'previous', 'seq').and.to.include({ seq: 5 });
      const report = await verifyTrail(file, options);
      expect(report).to.deep.include({ records: 6, problems: [], notes: [], head: lines[6].hash });
      for (const { hash: head } of [lines[0], lines[5], lines[6]]) {
        expect((await verifyTrail(file, { ...options, head })).problems).to.deep.equal([]);
      }
    });

  const edits: { title: string; edit: (lines: string[]) => string[]; says: Readonly<Record<number, string>> }[] = [
    { title: 'a changed record', edit: (l) => l.with(2, (l[2] ?? '').replace('"b"', '"x"')), says: { 3: 'it was changed or inserted' } },
    { title: 'a removed record', edit: (l) => l.toSpliced(2, 1), says: { 5: 'record 3 is missing before it' } },
    { title: 'two removed records', edit: (l) => l.toSpliced(1, 2), says: { 4: 'records 2 to 3 are missing before it' } },
    {
      title: 'two records in another order',
      edit: ([a, b, c, d, ...more]) => [a, c, b, d, ...more] as string[],
      says: { 3: 'record 2 is out of place' },
    },
    { title: 'a record twice', edit: (l) => l.toSpliced(2, 0, l[1] ?? ''), says: { 3: 'it is a copy of record 2' } },
    {
      title: 'a record that was put there',
      edit: (l) => l.toSpliced(2, 0, (l[1] ?? '').replace('"a"', '"x"')),
      says: { 3: 'it was changed or inserted' },
    },
    { title: 'half a record', edit: (l) => l.with(2, (l[2] ?? '').slice(0, 50)), says: { 3: 'it is not JSON', 6: 'record 3 is missing' } },
    { title: 'a batch that is gone', edit: (l) => l.toSpliced(1, 5), says: { 2: 'records 2 to 5 are missing before it' } },
    {
      title: 'a batch line that is gone',
      edit: (l) => l.toSpliced(5, 1),
      says: {
        2: 'no line after it seals it',
        3: 'no line after it seals it',
        4: 'no line after it seals it',
        5: 'no line after it seals it',
      },
    },
    {
      title: 'a batch line that was changed',
      edit: (l) => l.with(5, (l[5] ?? '').replace('"seq":5', '"seq":6')),
      says: { 6: 'its hash does not match' },
    },
    {
      title: 'a batch again at the end',
      edit: (l) => [...l, ...l.slice(1, 6)],
      says: { 12: 'record 2 is out of place' },
    },
    {
      title: 'a record out of its batch',
      edit: ([a, b, ...more]) => [a, ...more.slice(0, 4), b, ...more.slice(4)] as string[],
      says: { 5: 'record 2 is missing', 6: 'no line after it seals it' },
    },
  ];
  for (const { title, edit, says } of edits) {
    it(`show ${title}, and say where`, async () => {
      const file = await batchTrail();
      await writeLines(file, edit(await linesIn(file)));
      const { problems } = await verifyTrail(file);
      const found = Object.fromEntries(problems.map(({ line, message }) => [line, message]));
      expect(Object.keys(found)).to.deep.equal(Object.keys(says));
      for (const [line, text] of Object.entries(says)) expect(found[line]).to.include(text);
    });
  }

  it('show a byte that was changed, wherever it is', async () => {
    const file = await batchTrail();
    const bytes = await readFile(file);
    const unseen: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      // Each of the line ends, and some of the others.
      if (at % 7 !== 0 && bytes[at] !== 10) continue;
      await writeFile(file, Buffer.concat([bytes.subarray(0, at), Buffer.from('~'), bytes.subarray(at + 1)]));
      if ((await verifyTrail(file)).problemCount === 0) unseen.push(at);
    }
    expect(unseen).to.deep.equal([]);
  });

  it('verify, and are accounted for by the next process, wherever a kill has cut the write', async () => {
    const { file, bytes, head } = await endedByBatch();
    const start = bytes.indexOf(10) + 1;
    const lineEnds = [...bytes.keys()].filter((at) => bytes[at] === 10);
    for (let length = start + 1; length < bytes.length; length++) {
      // Around the ends of lines, and some in between.
      if (!lineEnds.some((end) => Math.abs(end - length) < 3) && length % 211 !== 0) continue;
      await writeFile(file, bytes.subarray(0, length));
      await writeFile(`${file}.head`, head);
      const isWhole = length >= bytes.length - 1;
      expect(await verifyTrail(file), `${length}`).to.deep.include({ problems: [], records: isWhole ? 5 : 1 });
      const { kernel } = await audited({ path: file });
      await kernel.execute('echo', { text: 'later' });
      await kernel.close();
      expect(await verifyTrail(file), `${length}`).to.deep.include({ problems: [], records: isWhole ? 6 : 3 });
    }
  });

  it('are missed where their batch was cut off behind the head', async () => {
    const file = await batchTrail();
    const lines = await linesIn(file);
    for (const kept of [1, 3, 5, 6]) {
      await writeLines(file, lines.slice(0, kept));
      expect((await verifyTrail(file)).problems.map(({ message }) => message).at(-1)).to.include('records at the end were cut off');
    }
  });

  it('do not make a trail of lines that somebody puts behind it', async () => {
    const file = await batchTrail();
    const member = (await linesIn(file))[1] ?? '';
    await appendFile(file, `${member.replace('"seq":2', '"seq":7')}\n`);
    expect(await verifyTrail(file)).to.include({ records: 6 });
    const { kernel } = await audited({ path: file });
    await kernel.execute('echo', { text: 'later' });
    const report = await verifyTrail(file);
    expect(report).to.deep.include({ records: 8, problems: [] });
    expect(report.notes.map(({ message }) => message)).to.deep.equal([
      'it is a part of a write, from record 7 on, as a crash leaves it; record 7 says so',
    ]);
  });
});
