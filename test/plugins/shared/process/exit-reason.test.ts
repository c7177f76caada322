import path from 'node:path';
import { expect } from 'chai';
import { exitReason } from '../../../../plugins/shared/process/exit-reason.ts';
import { limitedNode, permissionFlag } from '../../../../plugins/shared/process/limited-node.ts';
import { minimalEnvironment, runProgram } from '../../../../plugins/shared/process/program.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** Runs a module that may read its own folder only, with a heap of 30 MB, and returns why it has ended. */
async function reasonOf(code: string): Promise<string> {
  const folder = await temporaryFolder({ 'ending.cjs': code });
  const { program, args } = limitedNode(path.join(folder, 'ending.cjs'), { heapMb: 30, nativeMb: 150, reads: [path.join(folder, '*')] });
  const { signal } = new AbortController();
  return exitReason(await runProgram(program, args, { env: minimalEnvironment(), signal, maxOutputBytes: 100_000 }));
}

describe('the reason of the exit of a Node process', () => {
  const cases: Record<string, readonly [code: string, reason: RegExp]> = {
    'too little memory': ['const a = []; for (;;) a.push({});', /^more memory was needed than the limit/],
    'a signal': ["process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000);", /^the reading process was ended by SIGKILL/],
    'a missing package': ["require('no-such-package');", /^the package "no-such-package" is not installed/],
    'too many levels': ['const f = () => f(); f();', /^it is nested deeper/],
    'too long an answer': ["process.stdout.write('x'.repeat(200000)); setInterval(() => {}, 1000);", /^its values are longer/],
    'another error': ["throw new TypeError('a fault');", /^the reading process ended with exit code 1 \(TypeError: a fault\)$/],
    'its own exit code': ['process.exit(7);', /^the reading process ended with exit code 7$/],
    // Without a permission model the file can be read.
    ...(permissionFlag() === undefined
      ? {}
      : { 'a refused permission': ["require('node:fs').readFileSync('/other/file');", /^the reading process may not read \/other\/file/] }),
  };
  for (const [what, [code, reason]] of Object.entries(cases))
    it(`is named for ${what}`, async () => {
      expect(await reasonOf(code)).to.match(reason);
    });
});
