import { expect } from 'chai';
import sinon from 'sinon';
import { ChangeBatches } from '../../../../plugins/shared/folder-watch/change-batches.ts';

describe('changes of files', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  function collected(work: () => Promise<void> = async () => {}): { changes: ChangeBatches; batches: string[][] } {
    const batches: string[][] = [];
    const changes = new ChangeBatches((files) => {
      batches.push([...files]);
      return work();
    });
    return { changes, batches };
  }

  it('are handed over in one batch when it is quiet, each file once', async () => {
    const { changes, batches } = collected();
    for (let index = 0; index < 1000; index++) {
      changes.add(`${index % 500}.yaml`);
      await clock.tickAsync(1);
    }
    expect(batches).to.deep.equal([]);
    await clock.tickAsync(100);
    expect(batches.map(({ length }) => length)).to.deep.equal([500]);
  });

  it('are handed over all the same where they never end', async () => {
    const { changes, batches } = collected();
    for (let index = 0; index < 100; index++) {
      changes.add('log.json');
      await clock.tickAsync(50);
    }
    expect(batches).to.deep.equal([['log.json']]);
  });

  it('wait until the batch before is dealt with', async () => {
    const { changes, batches } = collected(() => new Promise((resolve) => void setTimeout(resolve, 1000)));
    changes.add('a.yaml');
    await clock.tickAsync(100);
    changes.add('b.yaml');
    await clock.tickAsync(500);
    expect(batches).to.deep.equal([['a.yaml']]);
    await clock.tickAsync(500);
    expect(batches).to.deep.equal([['a.yaml'], ['b.yaml']]);
  });

  it('are forgotten once closed', async () => {
    const { changes, batches } = collected();
    changes.add('a.yaml');
    changes.close();
    changes.add('b.yaml');
    await clock.tickAsync(10_000);
    expect(batches).to.deep.equal([]);
  });
});
