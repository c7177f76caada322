import { expect } from 'chai';
import sinon from 'sinon';
import { DiskAccess } from '../../../plugins/audit-trail/disk-access.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { recordsIn } from './audited.ts';
import { started } from './faults.ts';

const fifty = Array.from({ length: 50 }, (_, index) => String(index));

/** A disk that takes no time, however busy the machine is. */
function stoppedClock(): void {
  sinon.stub(performance, 'now').returns(1);
}

/** Each look at the clock is a millisecond later than the one before. */
function slowClock(): void {
  let now = 0;
  sinon.stub(performance, 'now').callsFake(() => ++now);
}

describe('the records of calls that end in one turn', () => {
  afterEach(() => sinon.restore());

  for (const { title, writes, begin } of [
    { title: 'are written in order, each before its caller has the answer', writes: 50, begin: stoppedClock },
    { title: 'share one write, in order, where the last one took more than half a millisecond', writes: 1, begin: slowClock },
  ]) {
    it(title, async () => {
      const { kernel, file, disk } = await started();
      begin();
      await kernel.execute('echo', { text: 'before' });
      const before = disk.writes();
      const written = await Promise.all(
        fifty.map(async (text) => {
          await kernel.execute('echo', { text });
          return disk.writes() - before;
        }),
      );
      expect(disk.writes() - before).to.equal(writes);
      for (const [index, own] of written.entries()) expect(own, 'answers').to.be.at.least(Math.min(writes, index + 1));
      expect((await recordsIn(file)).slice(2).map(({ parameters }) => (parameters as { text?: string }).text)).to.deep.equal(fifty);
      expect((await verifyTrail(file)).problems).to.deep.equal([]);
    });
  }

  it('are written when a call that waits for nothing has returned', async () => {
    const { kernel, file } = await started();
    stoppedClock();
    expect(kernel.start({ tool: 'echo', parameters: { text: 'now' } })).to.have.property('output');
    expect((await recordsIn(file)).at(-1)).to.include({ tool: 'echo', outcome: 'completed' });
  });

  it('need no turn of the event loop', async () => {
    const { kernel } = await started();
    stoppedClock();
    let turns = 0;
    const count = (): void => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    for (let calls = 0; calls < 10; calls++) await kernel.execute('echo');
    clearImmediate(immediate);
    expect(turns).to.equal(0);
  });

  it('wait for the disk together, when that is asked for', async () => {
    const { kernel, disk } = await started({ fsync: 'each' });
    const before = disk.syncs();
    await Promise.all(fifty.map((text) => kernel.execute('echo', { text })));
    expect(disk.syncs() - before).to.equal(1);
  });

  for (const room of [1, 500, 1000, 2500, 5000]) {
    it(`stay in order, and verify, when a write ends after ${room} bytes`, async () => {
      const { kernel, file, disk } = await started();
      disk.room = room;
      await Promise.all(fifty.map((text) => kernel.execute('echo', { text })));
      disk.room = Number.POSITIVE_INFINITY;
      await kernel.execute('count');
      const { problems, notes } = await verifyTrail(file);
      expect(problems).to.deep.equal([]);
      expect(notes).to.have.length(1);
    });
  }
});

describe('the pace of a disk', () => {
  it('has it waited for beside the loop for ten seconds after it was slow', async () => {
    let now = 0;
    const pace = new DiskAccess(() => now);
    const slowly = (): string => {
      now += 300;
      return 'in the turn';
    };
    const run = (): Promise<string> => pace.run(slowly, async () => 'beside');
    expect(await run()).to.equal('in the turn');
    expect(await run()).to.equal('beside');
    now += 9_999;
    expect(await run()).to.equal('beside');
    now += 1;
    expect(await run()).to.equal('in the turn');
  });
});
