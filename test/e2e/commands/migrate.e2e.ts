import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { start } from '../program.ts';

const run = promisify(execFile);

describe('toolkit migrate', () => {
  async function migrate(cwd: string, ...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const { exit, stdout, stderr } = start(['migrate', ...args], { cwd });
    const { code } = await exit;
    return { code, stdout: stdout(), stderr: stderr() };
  }

  it('prints a patch that makes the definitions those of toolkit, and writes nothing', async () => {
    const cwd = await temporaryFolder();
    await cp('fixtures/definitions/earlier', path.join(cwd, 'tools'), { recursive: true });
    const first = await migrate(cwd, 'tools');
    expect(first.code, first.stderr).to.equal(0);
    expect(first.stderr).to.include('4 of 4 files would change').and.to.include('Nothing was written');
    expect((await migrate(cwd, 'tools')).stdout).to.equal(first.stdout);
    await writeFile(path.join(cwd, 'changes.patch'), first.stdout);
    await run('git', ['apply', '-p0', 'changes.patch'], { cwd });
    const second = await migrate(cwd, 'tools');
    expect([second.code, second.stdout]).to.deep.equal([0, '']);
    expect(second.stderr).to.include('0 of 4 files would change');
  });

  it('ends with 1 when a file cannot be read, and shows the rest all the same', async () => {
    const cwd = await temporaryFolder({ 'tools/bad.yaml': 'a: [', 'tools/old.yaml': 'execution: { type: http, method: GET }\n' });
    const { code, stdout, stderr } = await migrate(cwd, 'tools');
    expect(code).to.equal(1);
    expect(stdout).to.include('+execution: { type: http, method: get }');
    expect(stderr).to.include('bad.yaml:1:').and.to.include('1 of 2 files would change, 1 cannot be read');
  });

  it('says that there is no such folder', async () => {
    const { code, stderr } = await migrate(await temporaryFolder(), 'tools');
    expect(code).to.equal(2);
    expect(stderr).to.include('no folder or file "tools"');
  });
});
