import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect } from 'chai';

/** Long enough for everything to happen once. In so short a time memory and delays say nothing, and are not judged. */
const args = ['--minutes', '0.25', '--clients', '6', '--no-delay-limit'];

describe('a short soak', () => {
  it('ends without an unexpected error, a process that is left over, or descriptors that stay open', async () => {
    const { code, output } = await run(path.resolve('test/bench/soak/run.ts'), args);
    expect(code, output).to.equal(0);
    expect(output).to.include('All limits hold.');
  });
});

function run(file: string, given: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', file, ...given], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}
