import { expect } from 'chai';
import { start } from '../program.ts';
import { project } from '../project.ts';

describe('toolkit explain', () => {
  const explain = async (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
    const run = start(['explain', ...args], { cwd: await project(files) });
    const { code } = await run.exit;
    return { code, stdout: run.stdout(), stderr: run.stderr() };
  };

  it('shows which rule holds a call, and runs nothing', async () => {
    const policy = 'rules:\n  - { name: no-writes, match: { tool: fs_write_file }, effect: deny }\n';
    const { code, stdout } = await explain(['fs_write_file', '--args', '{"path":"new.txt","content":"x"}'], { 'policy.yaml': policy });
    expect(code).to.equal(0);
    expect(stdout).to.include('beforeExecute policy-rules: refused it').and.to.include('no-writes');
    expect(stdout).to.match(/^outcome: is refused/m);
  });

  it('prints JSON for programs', async () => {
    const { code, stdout } = await explain(['fs_read_file', '--args', '{"path":"notes"}', '--origin', 'host', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.include({ tool: 'fs_read_file', origin: 'host', outcome: 'runs' });
  });

  const wrong: { title: string; args: string[]; code: number; says: string }[] = [
    { title: 'a tool that is not there', args: ['fs_raed_file'], code: 1, says: 'Did you mean "fs_read_file"' },
    { title: 'parameters that are no JSON', args: ['fs_read_file', '--args', '{path}'], code: 2, says: '--args is not JSON' },
    { title: 'a parameter that the tool does not have', args: ['fs_read_file', '--args', '{"paht":"x"}'], code: 2, says: 'paht' },
    { title: 'no tool', args: [], code: 2, says: "missing required argument 'tool'" },
    { title: 'an origin that does not exist', args: ['fs_read_file', '--origin', 'moon'], code: 2, says: 'expected host or model' },
  ];
  for (const { title, args, code: expected, says } of wrong) {
    it(`ends with ${expected} for ${title}`, async () => {
      const { code, stdout, stderr } = await explain(args);
      expect(code).to.equal(expected);
      expect(stderr).to.include(says);
      expect(stdout).to.equal('');
    });
  }
});
