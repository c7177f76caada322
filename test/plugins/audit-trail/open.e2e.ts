import { appendFile } from 'node:fs/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { audited, recordsIn, writtenTrail } from './audited.ts';
import { faults, removals, started } from './faults.ts';

describe('an audit trail that fails open', () => {
  afterEach(() => sinon.restore());

  for (const { title, cause, repair, says, notes = [] } of faults) {
    it(`lets calls go on with a warning when ${title}, and goes on by itself`, async () => {
      const { kernel, file, logger, disk, ran } = await started({ onFailure: 'open' });
      await cause(file, disk);
      for (const _ of [1, 2, 3]) await kernel.execute('count');
      expect(ran()).to.equal(3);
      const warnings = logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(says).and.to.include('Calls go on without a record.');
      await repair(file, disk);
      await kernel.execute('count');
      const report = await verifyTrail(file);
      expect(report.problems).to.deep.equal([]);
      expect(report.records - notes.length, 'what waited is written').to.equal(5);
      expect(report.notes.map(({ message }) => message)).to.deep.equal(notes);
    });
  }

  for (const { title, cause } of removals.slice(1)) {
    it(`begins a new file when ${title.split(',')[0]}, and says so`, async () => {
      const { kernel, file, logger, disk, ran } = await started({ onFailure: 'open' });
      await cause(file, disk);
      await kernel.execute('count');
      expect(ran()).to.equal(1);
      expect((await recordsIn(file))[0]).to.include({ event: 'continued', cause: 'removed', seq: 2 });
      expect(logger.records.filter(({ level }) => level === 'error')[0]?.message).to.include('was removed by another program');
    });
  }

  it('warns at once, then once a minute, and says how often', async () => {
    const clock = sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    const { kernel, disk, logger } = await started({ onFailure: 'open' });
    disk.room = 0;
    for (let index = 0; index < 50; index++) await kernel.execute('count');
    const warnings = () => logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings()).to.have.length(1);
    clock.tick(60_000);
    await kernel.execute('count');
    expect(warnings()).to.have.length(2);
    expect(warnings()[1]).to.include('This happened 49 more times since');
  });

  it('keeps a thousand records in memory, and counts the rest in the trail', async () => {
    const { kernel, disk, file } = await started({ onFailure: 'open' });
    disk.room = 0;
    for (let index = 0; index < 1100; index++) await kernel.execute('count');
    disk.room = Number.POSITIVE_INFINITY;
    await kernel.execute('count');
    const records = await recordsIn(file);
    expect(records[1]).to.include({ event: 'lost', count: 100 });
    expect(records).to.have.length(1 + 1 + 1000 + 1);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('starts with a file that does not verify, and warns', async () => {
    const file = await writtenTrail(['a']);
    await appendFile(file, 'hello\n');
    const { kernel, logger } = await audited({ path: file, onFailure: 'open' });
    await kernel.serve();
    await kernel.execute('echo');
    expect(logger.records.filter(({ level }) => level === 'warn')[0]?.message).to.include('its last line does not verify');
  });
});

describe('waiting for the disk', () => {
  afterEach(() => sinon.restore());

  it('does not happen with each record, unless it is asked for', async () => {
    for (const [options, syncs] of [
      [{}, 0],
      [{ fsync: 'never' }, 0],
      [{ fsync: 'each' }, 1],
    ] as const) {
      const { kernel, disk } = await started(options);
      const before = disk.syncs();
      await kernel.execute('count');
      expect(disk.syncs() - before, JSON.stringify(options)).to.equal(syncs);
      sinon.restore();
    }
  });

  it('happens when the kernel closes', async () => {
    const { kernel, disk } = await started();
    await kernel.close();
    expect(disk.syncs()).to.equal(1);
  });

  it('refuses calls while the disk does not confirm, when it is asked for', async () => {
    const { kernel, file, disk, ran } = await started({ fsync: 'each' });
    disk.syncError = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    await kernel.execute('nowhere').catch(() => {});
    await kernel.execute('count').catch(() => {});
    expect(ran()).to.equal(0);
    disk.syncError = undefined;
    await kernel.execute('count');
    expect(ran()).to.equal(1);
    expect(await verifyTrail(file)).to.include({ problemCount: 0, records: 4 });
  });
});
