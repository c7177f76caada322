import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import which from 'which';
import { completionScript, shells } from '../../../../plugins/toolkit/program/completion-scripts.ts';

const run = promisify(execFile);

describe('the script of a shell', () => {
  for (const shell of shells) {
    // bash is always there; zsh and fish where a person has installed them.
    if (which.sync(shell, { nothrow: true }) === null) continue;
    it(`evaluates nothing in the path of the program, in ${shell}`, async () => {
      const word = "/a \\'$(id)`id`;id\\";
      const written = /\(('[^\n]*') complete -- /.exec(completionScript(shell, [word]))?.[1] ?? '';
      const { stdout } = await run(shell, ['-c', `printf %s ${written}`]);
      expect(stdout).to.equal(word);
    });
  }
});
