import { expect } from 'chai';
import { functionKernel } from './function-kernel.ts';

const files = { 'it.mjs': `
export const pid = () => process.pid;
` };

describe('a function in a child process', function () {
  this.timeout(300_000);
  it('runs in another process', async () => {
    const { kernel } = await functionKernel({ files, tools: { pid: { code: './it.mjs#pid', worker: 'process' } } });
    const pid = await kernel.execute('pid');
    console.log(pid, process.pid, JSON.stringify(kernel.status()));
    expect(pid).to.be.a('number').not.equal(process.pid);
  });
});
