import { AsyncLocalStorage } from 'node:async_hooks';
import { expect } from 'chai';
import sinon from 'sinon';
import { captureOutput } from '../../../../../plugins/toolkit/testing/contract/capture-output.ts';

describe('the output that is captured', () => {
  afterEach(() => sinon.restore());

  it('is that of the work alone', async () => {
    const write = sinon.stub(process.stdout, 'write').returns(true);
    const captured = captureOutput(async () => {
      process.stdout.write('a');
      await new Promise(setImmediate);
      process.stderr.write('b');
      return 1;
    });
    process.stdout.write('c');
    expect(await captured).to.deep.equal({ result: 1, stdout: 'a', stderr: 'b' });
    expect(write.args).to.deep.equal([['c']]);
  });

  it('leaves nothing that each promise of the process would cost', async () => {
    const run = sinon.spy(AsyncLocalStorage.prototype, 'run');
    const disable = sinon.spy(AsyncLocalStorage.prototype, 'disable');
    await captureOutput(async () => {});
    await captureOutput(() => Promise.reject(new Error('no'))).catch(() => {});
    expect(run.callCount).to.equal(2);
    for (const storage of run.thisValues) expect(disable.calledOn(storage)).to.equal(true);
  });
});
