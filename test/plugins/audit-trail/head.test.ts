import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { type AuditOptions, audited, linesIn, recordsIn, writeLines, writtenTrail } from './audited.ts';

const letters = ['a', 'b', 'c', 'd', 'e'];
const cutOff = '"audit.jsonl.head" names record 5, which is not there: records at the end were cut off or replaced';

async function problemsOf(file: string, key?: string): Promise<string[]> {
  return (await verifyTrail(file, key === undefined ? {} : { key })).problems.map(({ message }) => message);
}

describe('the head of an audit trail', () => {
  for (const kept of [0, 1, 4]) {
    it(`shows that records were cut off behind record ${kept}`, async () => {
      const file = await writtenTrail(letters);
      await writeLines(file, (await linesIn(file)).slice(0, kept));
      expect(await problemsOf(file)).to.deep.equal([cutOff]);
    });
  }

  it('lets records be cut off by nobody who lacks the key', async () => {
    const key = 'a key that is long enough';
    const file = await writtenTrail(letters, { key });
    await writeLines(file, (await linesIn(file)).slice(0, 3));
    const [, , last] = await recordsIn(file);
    const head = await readFile(`${file}.head`, 'utf8');
    await writeFile(`${file}.head`, head.replace(/"hash":"\w+"/, `"hash":"${last?.hash}"`).replace('"seq":5', '"seq":3'));
    expect(await problemsOf(file, key)).to.deep.equal(['"audit.jsonl.head" beside it does not verify: it was changed']);
  });

  it('is behind the trail of a process that was killed, which verifies', async () => {
    const file = await writtenTrail(letters.slice(0, 3));
    const head = await readFile(`${file}.head`);
    await writtenTrail(letters.slice(3), { path: file });
    await writeFile(`${file}.head`, head);
    expect(await problemsOf(file)).to.deep.equal([]);
  });

  it('is missed', async () => {
    const file = await writtenTrail(letters);
    await rm(`${file}.head`);
    const { problems, notes } = await verifyTrail(file);
    expect(problems).to.deep.equal([]);
    expect(notes.map(({ message }) => message)).to.deep.equal([
      '"audit.jsonl.head" is missing, and without it records that were cut off at the end are not noticed',
    ]);
  });

  const cuts: { title: string; cut: (file: string) => Promise<unknown>; says: string }[] = [
    {
      title: 'were cut off',
      cut: async (file) => writeLines(file, (await linesIn(file)).slice(0, 2)),
      says: 'records 3 to 5 are missing before it',
    },
    { title: 'are all gone', cut: (file) => rm(file), says: 'records 1 to 5 are missing before it: the files begin with record 6' },
  ];
  for (const { title, cut, says } of cuts) {
    it(`keeps the gap to be seen when a process goes on behind records that ${title}`, async () => {
      const file = await writtenTrail(letters);
      await cut(file);
      const { kernel, logger } = await audited({ path: file });
      await kernel.execute('echo');
      await kernel.close();
      expect(logger.records.filter(({ level }) => level === 'error')[0]?.message).to.include('were cut off or replaced');
      expect((await recordsIn(file)).find(({ event }) => event === 'continued')).to.include({ cause: 'cut', seq: 6 });
      await writtenTrail(['later'], { path: file });
      expect(await problemsOf(file)).to.deep.equal([says]);
    });
  }

  it('is written for its user alone, and through no link', async () => {
    const file = await writtenTrail(letters);
    await rm(`${file}.head`);
    await symlink(`${file}.target`, `${file}.head`);
    const options: AuditOptions = { path: file };
    const { kernel } = await audited(options);
    expect((await rejection(kernel.execute('echo'), 'POLICY_DENIED')).message).to.include('it is a symbolic link');
  });
});
