import { appendFile, lstat, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type AuditOptions, audited, recordsIn, writtenTrail } from './audited.ts';

describe('the start of an audit trail', () => {
  it('creates the file for its user alone, and the folders on the way', async () => {
    const folder = path.join(await temporaryFolder(), 'a', 'b');
    const file = path.join(folder, 'audit.jsonl');
    const { kernel } = await audited({ path: file });
    await kernel.execute('echo');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect((await stat(`${file}.lock`)).mode & 0o777).to.equal(0o600);
    for (const name of [folder, path.dirname(folder)]) expect((await stat(name)).mode & 0o777).to.equal(0o700);
  });

  it('touches nothing before the first call', async () => {
    const folder = await temporaryFolder();
    const { kernel } = await audited({ path: path.join(folder, 'audit.jsonl') });
    expect(await readdir(folder)).to.deep.equal([]);
    await kernel.execute('echo');
    expect(await readdir(folder)).to.deep.equal(['audit.jsonl', 'audit.jsonl.head', 'audit.jsonl.lock']);
  });

  it('continues the chain of the file', async () => {
    const file = await writtenTrail(['a', 'b']);
    const before = await readFile(file, 'utf8');
    await writtenTrail(['c'], { path: file });
    expect((await readFile(file, 'utf8')).startsWith(before)).to.equal(true);
    expect((await recordsIn(file)).map(({ seq }) => seq)).to.deep.equal([1, 2, 3]);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('leaves half a line of a crash where it is, and says so in a record, wherever it was cut', async () => {
    const file = await writtenTrail(['a', 'b']);
    const whole = await readFile(file);
    const start = whole.indexOf(10) + 1;
    // Each of the first and last bytes, and some in between.
    const isTried = (at: number): boolean => at - start < 10 || whole.length - at < 10 || at % 17 === 0;
    for (let length = whole.length - 2; length > start; length--) {
      if (!isTried(length)) continue;
      await writeFile(file, whole.subarray(0, length));
      await rm(`${file}.head`, { force: true });
      const { kernel, logger } = await audited({ path: file });
      await kernel.execute('echo', { text: 'after' });
      await kernel.close();
      expect((await readFile(file)).subarray(0, length)).to.deep.equal(whole.subarray(0, length));
      const report = await verifyTrail(file);
      expect(report).to.deep.include({ problems: [], records: 3 });
      expect(report.notes).to.deep.equal([{ file, line: 2, message: 'it is half a line, as a crash leaves it; record 2 says so' }]);
      expect(logger.records.map(({ message }) => message).join()).to.include(`ends with half a line of ${length - start} bytes`);
    }
  });

  it('goes on behind two half lines, of two processes that were killed one after the other', async () => {
    const file = await writtenTrail(['a', 'b', 'c']);
    const [first = '', second = '', third = ''] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, `${first}\n${second.slice(0, 50)}\n${third.slice(0, 80)}`);
    await rm(`${file}.head`);
    await writtenTrail(['later'], { path: file });
    expect(await verifyTrail(file)).to.deep.include({ problems: [], records: 3 });
  });

  it('leaves half a line where it is when there is no whole one', async () => {
    const file = await writtenTrail(['a']);
    await truncate(file, 100);
    await rm(`${file}.head`);
    await writtenTrail(['b'], { path: file });
    const [, recovered] = (await readFile(file, 'utf8')).split('\n');
    expect(JSON.parse(recovered ?? '')).to.include({ event: 'recovered', bytes: 100, seq: 1, previous: '0'.repeat(64) });
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('takes a last line without a line end for whole', async () => {
    const file = await writtenTrail(['a', 'b']);
    await truncate(file, (await stat(file)).size - 1);
    await writtenTrail(['c'], { path: file });
    expect((await recordsIn(file)).map(({ seq, event }) => [seq, event])).to.deep.equal([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('does not bless half a line that is changed later', async () => {
    const file = await writtenTrail(['a', 'b']);
    await truncate(file, (await stat(file)).size - 20);
    await writtenTrail(['c'], { path: file });
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"text":"b"', '"text":"x"'));
    expect((await verifyTrail(file)).problems.map(({ line }) => line)).to.have.members([2, 3]);
  });

  const wrongEnds: { title: string; damage: (file: string) => Promise<unknown>; says: string; options?: AuditOptions }[] = [
    { title: 'a last line that is not JSON', damage: (file) => appendFile(file, 'hello\n'), says: 'its last line does not verify' },
    { title: 'an empty line', damage: (file) => appendFile(file, '\n'), says: 'its last line does not verify' },
    {
      title: 'a last record that was changed',
      damage: async (file) => writeFile(file, (await readFile(file, 'utf8')).replace('"text":"b"', '"text":"x"')),
      says: 'its last line does not verify',
    },
    {
      title: 'a line of a megabyte',
      damage: (file) => appendFile(file, `${'x'.repeat(2 ** 20)}\n`),
      says: 'its last line does not verify',
    },
    { title: 'another text', damage: (file) => writeFile(file, 'notes'), says: 'its file is no audit trail' },
    { title: 'another text of lines', damage: (file) => writeFile(file, 'notes\nof mine\n'), says: 'its last line does not verify' },
    {
      title: 'a key that it was not written with',
      damage: async () => {},
      says: 'its last line does not verify',
      options: { key: 'k'.repeat(16) },
    },
  ];
  for (const { title, damage, says, options = {} } of wrongEnds) {
    it(`refuses every call, and leaves the file as it is, with ${title}`, async () => {
      const file = await writtenTrail(['a', 'b']);
      await damage(file);
      const before = await readFile(file);
      const { kernel, logger } = await audited({ path: file, ...options });
      const error = await rejection(kernel.execute('echo'), 'POLICY_DENIED');
      expect(error.message).to.include(says).and.to.not.include(file);
      expect(logger.records.filter(({ level }) => level === 'error')[0]?.message)
        .to.include(says)
        .and.to.include(file);
      expect(await readFile(file)).to.deep.equal(before);
      const refused = await rejection(kernel.serve(), 'PLUGIN_FAILED');
      expect(refused.message).to.include(says).and.to.include(file);
    });
  }

  const noFiles: { title: string; prepare: (file: string) => Promise<unknown>; says: string }[] = [
    {
      title: 'a symbolic link to a file',
      prepare: async (file) => {
        await writeFile(`${file}.target`, '');
        await symlink(`${file}.target`, file);
      },
      says: 'it is a symbolic link',
    },
    { title: 'a symbolic link to nothing', prepare: (file) => symlink(`${file}.target`, file), says: 'it is a symbolic link' },
    {
      title: 'a directory with other files',
      prepare: async (file) => {
        await mkdir(file);
        await writeFile(path.join(file, 'notes.txt'), '');
      },
      says: 'its folder holds other files',
    },
  ];
  for (const { title, prepare, says } of noFiles) {
    for (const onFailure of ['closed', 'open'] as const) {
      it(`refuses ${title} before anything runs, with onFailure: ${onFailure}`, async () => {
        const file = path.join(await temporaryFolder(), 'audit.jsonl');
        await prepare(file);
        const before = await lstat(file);
        const error = await rejection(audited({ path: file, onFailure }), 'PLUGIN_FAILED');
        expect(error.message).to.include(says);
        expect((await lstat(file)).mtimeMs).to.equal(before.mtimeMs);
      });
    }
  }

  const wrongOptions: { title: string; options: Record<string, unknown>; says: string }[] = [
    { title: 'a key that is not there', options: { key: undefined }, says: 'key expected text' },
    { title: 'a short key', options: { key: 'short' }, says: 'key' },
    { title: 'small files', options: { maxBytes: 1000 }, says: 'maxBytes' },
    { title: 'a negative number of files', options: { maxRotatedFiles: -1 }, says: 'maxRotatedFiles' },
    { title: 'another word for what happens on failure', options: { onFailure: 'ajar' }, says: 'onFailure' },
    { title: 'no path', options: { path: '' }, says: 'path' },
    { title: 'another option', options: { paht: 'x' }, says: 'paht' },
  ];
  for (const { title, options, says } of wrongOptions) {
    it(`refuses ${title}`, async () => {
      const file = path.join(await temporaryFolder(), 'audit.jsonl');
      const error = await rejection(audited({ path: file, ...options } as AuditOptions), 'PLUGIN_INVALID');
      expect(error.message).to.include(says).and.to.include('audit-trail');
    });
  }
});
