import { expect } from 'chai';
import sinon from 'sinon';
import { createCodeWriter } from '../../../../plugins/toolkit/program/code-writer.ts';

describe('what was compiled', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  const keeper = () => {
    const kept: string[] = [];
    return { kept, left: createCodeWriter(async (by) => void kept.push(by)) };
  };

  it('is left by a command when all is written', async () => {
    const { kept, left } = keeper();
    left.setKind('command');
    clock.tick(60_000);
    expect(kept).to.deep.equal([]);
    await left.finish();
    expect(kept).to.deep.equal(['command']);
  });

  it('is left by a server while it runs, not when it is to stop', async () => {
    const [long, short] = [keeper(), keeper()];
    for (const { left } of [long, short]) {
      left.setKind('command');
      left.setKind('server');
    }
    await short.left.finish();
    clock.tick(60_000);
    await long.left.finish();
    expect(long.kept).to.deep.equal(['server']);
    expect(short.kept).to.deep.equal([]);
  });

  it('is not left by help or a wrong use, which compile little', async () => {
    const { kept, left } = keeper();
    await left.finish();
    expect(kept).to.deep.equal([]);
  });
});
