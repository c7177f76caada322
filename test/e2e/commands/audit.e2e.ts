import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { start, stdioClient } from '../program.ts';
import { project } from '../project.ts';

const config = `plugins:
  - [toolkit/standard, { autoDiscover: false }]
  - [toolkit/plugins/audit-trail, { path: calls.jsonl }]
`;

describe('toolkit audit verify', () => {
  const verify = async (cwd: string, ...args: string[]) => {
    const run = start(['audit', 'verify', ...args], { cwd });
    const { code } = await run.exit;
    return { code, stdout: run.stdout(), stderr: run.stderr() };
  };

  it('finds the trail of a server whole, and what was changed in it', async () => {
    const cwd = await project({ 'toolkit.config.yaml': config });
    const { client } = await stdioClient([], { cwd });
    await client.callTool({ name: 'fs_list_directory', arguments: { path: '.' } });
    await client.callTool({ name: 'fs_read_file', arguments: { path: 'no-such-file' } });
    await client.close();
    const whole = await verify(cwd, 'calls.jsonl');
    expect(whole.code).to.equal(0);
    expect(whole.stdout).to.include('2 records in 1 file').and.to.include('The trail verifies.');
    const file = path.join(cwd, 'calls.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replace('fs_read_file', 'fs_read_fild'));
    const changed = await verify(cwd, 'calls.jsonl');
    expect(changed.code).to.equal(1);
    expect(changed.stdout + changed.stderr).to.include('calls.jsonl:2: its hash does not match');
  });

  it('says which file is missing', async () => {
    const { code, stderr } = await verify(await project(), 'nowhere.jsonl');
    expect(code).to.equal(2);
    expect(stderr).to.include('There is no audit trail "nowhere.jsonl"');
  });
});
