import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** Most files and functions of ours that one call may pass. */
const budgets = {
  library: { files: 24, functions: 140 },
  stdio: { files: 41, functions: 200 },
  http: { files: 55, functions: 276 },
};

describe('the path of a call', () => {
  for (const [over, budget] of Object.entries(budgets))
    it(`passes no more of our files and functions than its budget over ${over}`, async () => {
      const script = ['--import', 'tsx', 'test/bench/call-path.ts', '--over', over];
      const { stdout } = await promisify(execFile)(process.execPath, script);
      const [, files, functions] = /^a call of \w+ over \w+: (\d+) files, (\d+) functions$/m.exec(stdout) ?? [];
      const advice = `${stdout}\nSee which: tsx test/bench/call-path.ts --over ${over} --list`;
      expect(Number(files), advice).to.be.above(0).and.at.most(budget.files);
      expect(Number(functions), advice).to.be.above(0).and.at.most(budget.functions);
    });
});
