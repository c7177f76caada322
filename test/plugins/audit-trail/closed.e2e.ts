import { readFile, truncate, unlink } from 'node:fs/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, ask, definePlugin } from '../../../kernel/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { recordsIn } from './audited.ts';
import { faults, removals, started } from './faults.ts';

/** A tool that runs until it is let go. */
function heldTool(): { readonly tool: unknown; readonly runs: Promise<void>; release(): void } {
  let release: () => void = () => {};
  let begin: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const runs = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const handler = async () => {
    begin();
    await released;
    return 'done';
  };
  return { tool: echoTool({ name: 'held', execution: { type: 'function', handler } }), runs, release };
}

describe('an audit trail that fails closed', () => {
  afterEach(() => sinon.restore());

  for (const { title, cause, repair, says, notes = [] } of faults) {
    it(`refuses calls before they run when ${title}, and goes on by itself`, async () => {
      const { kernel, file, logger, disk, ran } = await started();
      await cause(file, disk);
      // The first record that does not fit is what shows that a disk is full.
      await kernel.execute('nowhere').catch(() => {});
      for (const _ of [1, 2]) {
        const error = await rejection(kernel.execute('count'), 'POLICY_DENIED');
        expect(error.message).to.include('the audit trail cannot be written').and.to.include(says).and.to.not.include(file);
      }
      expect(ran()).to.equal(0);
      const errors = logger.records.filter(({ level }) => level === 'error').map(({ message }) => message);
      expect(errors.join('\n')).to.include(says).and.to.include(file).and.to.include('Calls are refused');
      await repair(file, disk);
      await kernel.execute('count');
      expect(ran()).to.equal(1);
      const calls = (await verifyTrail(file)).records - notes.length;
      expect(calls, 'what was refused is recorded as well').to.equal(5);
      const report = await verifyTrail(file);
      expect(report.problems).to.deep.equal([]);
      expect(report.notes.map(({ message }) => message)).to.deep.equal(notes);
      expect(logger.records.filter(({ level }) => level !== 'debug').at(-1)).to.include({
        level: 'warn',
        message: `The audit trail "${file}" is written again.`,
      });
    });
  }

  for (const { title, cause, repair, says, notes = [], problems } of removals) {
    it(`refuses calls before they run when ${title}`, async () => {
      const { kernel, file, logger, disk, ran } = await started();
      await cause(file, disk);
      for (const _ of [1, 2]) expect((await rejection(kernel.execute('count'), 'POLICY_DENIED')).message).to.include(says);
      expect(ran()).to.equal(0);
      expect(logger.records.map(({ message }) => message).join()).to.include('was removed by another program');
      await repair(file, disk);
      await kernel.execute('count');
      const report = await verifyTrail(file);
      expect(report.problems.map(({ message }) => message)).to.deep.equal(problems);
      expect(report.notes.map(({ message }) => message)).to.deep.equal(notes);
      expect((await recordsIn(file)).filter(({ event }) => event === undefined).length).to.equal(problems.length === 0 ? 4 : 3);
    });
  }

  it('goes on in a file that was emptied, and says so in the log and in the trail', async () => {
    const { kernel, file, logger } = await started();
    await truncate(file, 0);
    await kernel.execute('count');
    expect((await recordsIn(file))[0]).to.include({ event: 'continued', cause: 'emptied', seq: 2 });
    expect(logger.records.filter(({ level }) => level === 'error')[0]?.message).to.include('was emptied by another program');
    expect((await verifyTrail(file)).problems).to.have.length(1);
  });

  it('lets a call that runs already end, names it in the log at once, and writes its record first when that is possible', async () => {
    const held = heldTool();
    const { kernel, file, logger, disk } = await started({}, { tools: [held.tool] });
    const call = kernel.call({ tool: 'held', caller: 'ci' });
    await held.runs;
    disk.room = 0;
    held.release();
    const { callId } = await call;
    const [entry] = logger.records.filter(({ message }) => message.startsWith('A call ran, and its audit record could not be written'));
    expect(entry).to.deep.include({ level: 'error', meta: { callId, tool: 'held', caller: 'ci', outcome: 'completed' } });
    expect(entry?.message).to.include('ENOSPC').and.to.include('waits in memory');
    await rejection(kernel.execute('count'), 'POLICY_DENIED');
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    expect((await recordsIn(file)).map(({ tool, outcome }) => [tool, outcome])).to.deep.equal([
      ['count', 'completed'],
      ['held', 'completed'],
      ['count', 'POLICY_DENIED'],
      ['count', 'completed'],
    ]);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('refuses a call when writing begins to fail while a person is asked', async () => {
    const slow = definePlugin({
      name: 'slow',
      apiVersion,
      apply({ hooks }) {
        hooks.beforeExecute.tap('slow', (draft) => (draft.tool.name === 'echo' ? ask(draft, { kind: 'rule', message: 'ask' }) : undefined));
        hooks.approve.tapPromise('slow', async () => {
          await unlink(file);
          return { approved: true, by: 'Ada' };
        });
      },
    });
    const { kernel, file } = await started({}, { plugins: [slow()] });
    const error = await rejection(kernel.execute('echo'), 'POLICY_DENIED');
    expect(error.message).to.include('its file was removed');
  });

  it('keeps the record of every call that ran, and of refusals a thousand: the rest are counted', async () => {
    const held = heldTool();
    const { kernel, file, disk } = await started({}, { tools: [held.tool] });
    const call = kernel.execute('held');
    await held.runs;
    disk.room = 0;
    for (let index = 0; index < 1100; index++) await kernel.execute('nowhere').catch(() => {});
    held.release();
    await call;
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    const records = await recordsIn(file);
    expect(records.filter(({ tool }) => tool === 'nowhere')).to.have.length(1000);
    expect(records.filter(({ tool }) => tool === 'held')).to.have.length(1);
    expect(records[1]).to.include({ event: 'lost', count: 100 });
    const report = await verifyTrail(file);
    expect(report.problems).to.deep.equal([]);
    expect(report.notes.map(({ message }) => message)).to.deep.equal(['record 2 says that 100 records were lost']);
  });

  it('says how many records were never written when the kernel closes before that is possible', async () => {
    const { kernel, disk } = await started();
    disk.room = 0;
    for (const _ of [1, 2, 3]) await kernel.execute('nowhere').catch(() => {});
    const error = await rejection(kernel.close(), 'PLUGIN_FAILED');
    expect(error.message).to.include('3 records were never written');
  });

  it('writes what waits when the kernel closes', async () => {
    const { kernel, file, disk } = await started();
    disk.room = 0;
    await kernel.execute('nowhere').catch(() => {});
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.close();
    expect(await recordsIn(file)).to.have.length(2);
  });

  it('survives a disk that has a little room again and again', async () => {
    const { kernel, file, disk, ran } = await started();
    for (let room = 0; room < 900; room += 7) {
      disk.room = room;
      await kernel.execute('count').catch(() => {});
    }
    const before = ran();
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    expect(ran()).to.equal(before + 1);
    const report = await verifyTrail(file);
    expect(report.problems).to.deep.equal([]);
    expect(report.notes).to.not.deep.equal([]);
    const whole = (await readFile(file, 'utf8')).split('\n').filter((line) => line.includes('"executed":true') && line.endsWith('}}'));
    // A write that was cut off left some of its lines, which stand there again.
    const ids = new Set(whole.map((line) => JSON.parse(line).call_id));
    expect(ids, 'each call that ran').to.have.property('size', before + 2);
  });
});
