import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

describe('the path of a call', () => {
  it('passes no more of our files than its budget', async function () {
    this.timeout(120_000);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'test/bench/call-path.ts']);
    const [, files, budget] = /^a call of \w+: (\d+) files, \d+ functions \(budget (\d+) files\)$/m.exec(stdout) ?? [];
    expect(Number(files), `${stdout}\nSee which: tsx test/bench/call-path.ts --list`).to.be.above(0).and.at.most(Number(budget));
  });
});
