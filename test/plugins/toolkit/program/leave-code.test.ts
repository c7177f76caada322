import { expect } from 'chai';
import sinon from 'sinon';
import { leaveCode } from '../../../../plugins/toolkit/program/leave-code.ts';

describe('what was compiled', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  const keeper = () => {
    const kept: string[] = [];
    return { kept, left: leaveCode(async (by) => void kept.push(by)) };
  };

  it('is left by a command when all is written', async () => {
    const { kept, left } = keeper();
    left.works('command');
    clock.tick(60_000);
    expect(kept).to.deep.equal([]);
    await left.done();
    expect(kept).to.deep.equal(['command']);
  });

  it('is left by a server while it runs, not when it is to stop', async () => {
    const [long, short] = [keeper(), keeper()];
    for (const { left } of [long, short]) {
      left.works('command');
      left.works('server');
    }
    await short.left.done();
    clock.tick(60_000);
    await long.left.done();
    expect(long.kept).to.deep.equal(['server']);
    expect(short.kept).to.deep.equal([]);
  });

  it('is not left by help or a wrong use, which compile little', async () => {
    const { kept, left } = keeper();
    await left.done();
    expect(kept).to.deep.equal([]);
  });
});
