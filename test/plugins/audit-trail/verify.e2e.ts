import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ChainCheck } from '../../../plugins/audit-trail/chain-check.ts';
import { linesOf } from '../../../plugins/audit-trail/lines.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { linesIn, recordsIn, writeLines, writtenTrail } from './audited.ts';

const letters = ['a', 'b', 'c', 'd', 'e'];

/** Counts the problems of a trail of these bytes, in memory, because thousands of files take their time. */
async function problemsOf(bytes: Buffer): Promise<number> {
  const check = new ChainCheck({});
  check.beginFile('audit.jsonl');
  for await (const line of linesOf([bytes], bytes.length + 1)) check.line(line);
  return check.report().problemCount;
}

describe('the verification of a trail', () => {
  it('says how many records there are, from when to when, and the head', async () => {
    const file = await writtenTrail(letters);
    const records = await recordsIn(file);
    expect(await verifyTrail(file)).to.deep.equal({
      files: [file],
      records: 5,
      first: { seq: 1, time: records[0]?.['time'] },
      last: { seq: 5, time: records[4]?.['time'] },
      head: records[4]?.hash,
      problems: [],
      problemCount: 0,
      notes: [],
      unfinished: [],
      unfinishedCount: 0,
    });
  });

  it('finds each flipped bit of a record, its line end included', async () => {
    const bytes = await readFile(await writtenTrail(['a', 'b', 'c']));
    const start = bytes.indexOf(10) + 1;
    const end = bytes.indexOf(10, start);
    expect(end - start).to.be.greaterThan(300);
    const unseen: string[] = [];
    for (let at = start; at <= end; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const edited = Buffer.from(bytes);
        edited.writeUInt8(edited.readUInt8(at) ^ (1 << bit), at);
        if ((await problemsOf(edited)) === 0) unseen.push(`bit ${bit} of byte ${at}`);
      }
    }
    expect(unseen).to.deep.equal([]);
  });

  const everywhere: { title: string; edit: (bytes: Buffer, at: number) => Buffer }[] = [
    { title: 'changed', edit: (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from('~'), bytes.subarray(at + 1)]) },
    { title: 'removed', edit: (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]) },
    { title: 'inserted', edit: (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]) },
  ];
  for (const { title, edit } of everywhere) {
    it(`finds a byte that was ${title}, wherever it is`, async () => {
      const bytes = await readFile(await writtenTrail(['a', 'b', 'c']));
      const unseen: number[] = [];
      for (let at = 0; at < bytes.length; at++) {
        if ((await problemsOf(edit(bytes, at))) === 0) unseen.push(at);
      }
      expect(unseen).to.deep.equal([]);
    });
  }

  it('says up to where it verifies when the last line is cut, wherever that is', async () => {
    const file = await writtenTrail(letters);
    const bytes = await readFile(file);
    const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
    for (let length = bytes.length - 2; length > start; length--) {
      await truncate(file, length);
      const { problems, records } = await verifyTrail(file);
      expect(problems).to.deep.equal([
        {
          file,
          line: 5,
          message: 'it is half a line, as a crash leaves it, or a record that is being written; the file verifies up to line 4',
        },
        { file, line: 5, message: '"audit.jsonl.head" names record 5, which is not there: records at the end were cut off or replaced' },
      ]);
      expect(records).to.equal(4);
    }
  });

  it('finds that the last line end is missing', async () => {
    const file = await writtenTrail(letters);
    await truncate(file, (await readFile(file)).length - 1);
    expect((await verifyTrail(file)).problems).to.deep.equal([{ file, line: 5, message: 'its line end is missing' }]);
  });

  it('finds records that were cut off at the end against a head that was noted, and not without', async () => {
    const file = await writtenTrail(letters);
    const { head = '' } = await verifyTrail(file);
    await writeLines(file, (await linesIn(file)).slice(0, 3));
    await rm(`${file}.head`);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
    const { problems } = await verifyTrail(file, { head });
    expect(problems.map(({ line, message }) => [line, message.slice(0, 42)])).to.deep.equal([
      [3, 'no record has the hash that --head gives: '],
    ]);
  });

  it('takes a head that was noted earlier, when records have come since', async () => {
    const file = await writtenTrail(letters);
    for (const { hash } of await recordsIn(file)) expect((await verifyTrail(file, { head: hash })).problems).to.deep.equal([]);
  });

  describe('with a key', () => {
    const key = 'a key that is long enough';

    it('verifies with the key alone', async () => {
      const file = await writtenTrail(letters, { key });
      expect(await verifyTrail(file, { key })).to.include({ records: 5, problemCount: 0 });
      const without = await verifyTrail(file);
      expect(without).to.include({ records: 0, problemCount: 5 });
      expect(without.problems[0]?.message).to.include('or the trail has a key');
      expect(await verifyTrail(file, { key: 'another key, as long' })).to.include({ records: 0, problemCount: 5 });
    });

    it('finds records that somebody without the key wrote, even all of them', async () => {
      const file = await writtenTrail(letters, { key });
      const forged = await writtenTrail(letters);
      await writeFile(file, await readFile(forged));
      expect(await verifyTrail(file, { key })).to.include({ records: 0, problemCount: 5 });
    });
  });

  it('does not see an unkeyed trail that was written anew with its own head, but for a head that was noted', async () => {
    const file = await writtenTrail(letters);
    const { head = '' } = await verifyTrail(file);
    const other = await writtenTrail(['x', 'y']);
    for (const part of ['', '.head']) await writeFile(`${file}${part}`, await readFile(`${other}${part}`));
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
    expect((await verifyTrail(file, { head })).problemCount).to.equal(1);
  });

  it('keeps the first hundred problems, and counts all', async () => {
    const file = await writtenTrail(['a']);
    await appendFile(file, '[]\n'.repeat(1000));
    const { problems, problemCount } = await verifyTrail(file);
    expect([problems.length, problemCount]).to.deep.equal([100, 1000]);
  });
});
