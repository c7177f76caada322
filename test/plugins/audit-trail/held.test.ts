import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Kernel } from '../../../kernel/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { recordsIn } from './audited.ts';
import { started } from './faults.ts';

const texts = Array.from({ length: 20 }, (_, index) => String(index));

/** Calls whose answers are there, and held. */
function callHeld(kernel: Kernel, tool = 'echo'): void {
  for (const text of texts) expect(kernel.start({ tool, parameters: { text }, isHeld: true })).to.have.property('output');
}

async function textsIn(file: string): Promise<unknown[]> {
  const records = await recordsIn(file);
  return records
    .filter(({ tool, event }) => tool === 'echo' && event === undefined)
    .map(({ parameters }) => (parameters as { text: string }).text);
}

describe('the records of calls whose answers are held', () => {
  // A disk that takes no time, however busy the machine is.
  beforeEach(() => void sinon.stub(performance, 'now').returns(1));
  afterEach(() => sinon.restore());

  it('share one write, in order, which is over before the answers leave', async () => {
    const { kernel, file, disk } = await started();
    const before = disk.writes();
    callHeld(kernel);
    expect(disk.writes() - before, 'while they are held').to.equal(0);
    expect(kernel.beforeAnswers()).to.equal(undefined);
    expect(disk.writes() - before).to.equal(1);
    expect(await textsIn(file)).to.deep.equal(texts);
    expect((await verifyTrail(file)).problems).to.deep.equal([]);
  });

  it('are written at the end of the turn where the host does nothing', async () => {
    const { kernel, file } = await started();
    callHeld(kernel);
    await setImmediate();
    expect(await textsIn(file)).to.deep.equal(texts);
  });

  for (const { title, tool, records } of [
    { title: 'the end of a call whose answer is not held', tool: 'count', records: 1 },
    { title: 'the beginning of a call that may do harm', tool: 'high', records: 2 },
  ]) {
    it(`are written with ${title}, before it`, async () => {
      const { kernel, file, disk } = await started({}, { tools: [echoTool({ name: 'high', risk: 'high' })] });
      callHeld(kernel);
      const before = disk.writes();
      kernel.start({ tool });
      expect(disk.writes() - before).to.equal(records);
      expect(await textsIn(file)).to.deep.equal(texts);
      expect((await recordsIn(file)).slice(-records).map((record) => record['tool'])).to.deep.equal(
        Array.from({ length: records }, () => tool),
      );
      expect((await verifyTrail(file)).problems).to.deep.equal([]);
    });
  }

  for (const room of [0, 1, 500, 2500]) {
    it(`hold the answers, and wait for room, when a write ends after ${room} bytes`, async () => {
      const { kernel, file, logger, disk } = await started();
      disk.room = room;
      callHeld(kernel);
      await kernel.beforeAnswers();
      const lacking = logger.records.filter(({ message }) => message.startsWith('A call ran, and its audit record could not be written'));
      disk.room = Number.POSITIVE_INFINITY;
      await kernel.execute('count');
      expect(lacking.length, 'named in the log').to.be.within(1, texts.length);
      const { problems, records, notes } = await verifyTrail(file);
      expect(problems).to.deep.equal([]);
      expect(records - notes.length, 'calls').to.equal(texts.length + 2);
    });
  }

  it('are waited for together, where each write waits for the disk', async () => {
    const { kernel, file, disk } = await started({ fsync: 'each' });
    const before = disk.syncs();
    await Promise.all(texts.map((text) => kernel.start({ tool: 'echo', parameters: { text }, isHeld: true })));
    expect(disk.syncs() - before).to.equal(1);
    expect(await textsIn(file)).to.deep.equal(texts);
  });

  it('are written when the kernel closes', async () => {
    const { kernel, file } = await started();
    callHeld(kernel);
    await kernel.close();
    expect(await textsIn(file)).to.deep.equal(texts);
  });
});
