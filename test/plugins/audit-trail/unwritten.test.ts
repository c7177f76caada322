import { rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { audited, writtenTrail } from './audited.ts';

/** A trail of a process that serves, and has no call yet. */
async function served(): Promise<string> {
  const { kernel, file } = await audited();
  await kernel.serve();
  await kernel.close();
  return file;
}

describe('an audit trail of which nothing, or not all, was written yet', () => {
  const states: { title: string; leave: () => Promise<string>; records: number }[] = [
    { title: 'whose process has started, and has no call yet', leave: served, records: 0 },
    {
      title: 'whose process was killed before it had a head',
      leave: async () => {
        const file = await served();
        await rm(`${file}.head`);
        return file;
      },
      records: 0,
    },
    {
      title: 'whose process was killed before the head had its bytes',
      leave: async () => {
        const file = await served();
        await writeFile(`${file}.head`, '');
        return file;
      },
      records: 0,
    },
    {
      title: 'whose file was rotated, and has no successor yet',
      leave: async () => {
        const file = await writtenTrail(['a', 'b']);
        await rename(file, `${file}.1`);
        return file;
      },
      records: 2,
    },
    {
      title: 'whose file was rotated, and whose successor is empty',
      leave: async () => {
        const file = await writtenTrail(['a', 'b']);
        await rename(file, `${file}.1`);
        await writeFile(file, '');
        return file;
      },
      records: 2,
    },
    {
      title: 'whose process was killed in the middle of its first record',
      leave: async () => {
        const file = await writtenTrail(['a']);
        const other = await served();
        await truncate(file, 100);
        await rename(`${other}.head`, `${file}.head`);
        return file;
      },
      records: 0,
    },
  ];
  for (const { title, leave, records } of states) {
    it(`verifies, and goes on: ${title}`, async () => {
      const file = await leave();
      expect(await verifyTrail(file)).to.deep.include({ problems: [], records });
      await writtenTrail(['later'], { path: file });
      const report = await verifyTrail(file);
      expect(report.problems).to.deep.equal([]);
      expect(report.records).to.be.at.least(records + 1);
    });
  }

  it('is said not to be there when there is nothing of it', async () => {
    const folder = await temporaryFolder();
    for (const place of [folder, path.join(folder, 'audit.jsonl')])
      expect((await rejection(verifyTrail(place), 'INVALID_PARAMETERS')).message).to.include('There is no audit trail');
  });

  it('is missed when only its head is left', async () => {
    const file = await writtenTrail(['a']);
    await rm(file);
    expect((await verifyTrail(file)).problems.map(({ message }) => message)).to.deep.equal([
      '"audit.jsonl.head" names record 1, which is not there: records at the end were cut off or replaced',
    ]);
  });
});
