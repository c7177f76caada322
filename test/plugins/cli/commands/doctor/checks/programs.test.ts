import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { checkCommands } from '../../../../../../plugins/cli/commands/doctor/checks/check-commands.ts';
import { checkGit } from '../../../../../../plugins/cli/commands/doctor/checks/check-git.ts';
import { checkNode, oldestNode } from '../../../../../../plugins/cli/commands/doctor/checks/check-node.ts';
import { executorCommand } from '../../../../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../../../../plugins/executor-function/index.ts';
import { mcp } from '../../../../../../plugins/mcp/index.ts';
import { readProgramVersion } from '../../../../../../plugins/shared/checks/program-version.ts';
import { runChecks } from '../../../../../support/checks.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';
import { testKernel } from '../../../../../support/test-kernel.ts';

const commandTool = (name: string, command: string) => ({ name, description: 'Runs it.', execution: { type: 'command', command } });

describe('the version of Node', () => {
  it('is held against the one of package.json', async () => {
    const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
    expect(`${engines.node}.0`).to.equal(`>=${oldestNode}`);
  });

  const cases = [
    { version: '20.19.0', state: 'ok' },
    { version: '20.100.1', state: 'ok' },
    { version: '100.0.0', state: 'ok' },
    { version: '20.18.3', state: 'problem' },
    { version: '9.0.0', state: 'problem' },
  ];
  for (const { version, state } of cases) it(`${version} is ${state}`, () => expect(checkNode(version).state).to.equal(state));
});

describe('a program that is asked for its version', () => {
  const cases = [
    { what: 'says it', script: 'echo "Thing 1.2.3 (of today)"', answer: { type: 'found', version: '1.2.3' } },
    { what: 'says it on standard error', script: 'echo "Thing 1.2.3" >&2', answer: { type: 'found', version: '1.2.3' } },
    {
      what: 'says something else',
      script: 'echo Hello',
      answer: { type: 'broken', message: 'does not say its version and prints "Hello"' },
    },
    { what: 'says nothing', script: 'true', answer: { type: 'broken', message: 'does not say its version and prints nothing' } },
    { what: 'fails', script: 'echo "Thing 1.2.3"; exit 3', answer: { type: 'broken', message: 'ends with 3 and prints "Thing 1.2.3"' } },
    { what: 'hangs', script: 'sleep 600', limitMs: 200, answer: { type: 'broken', message: 'does not answer in 0.2 seconds' } },
  ];
  for (const { what, script, answer, limitMs = 20_000 } of cases) {
    it(`and ${what}`, async () => {
      const program = path.join(await temporaryFolder({ thing: `#!/bin/sh\n${script}\n` }), 'thing');
      await chmod(program, 0o755);
      const question = { program, args: ['--version'], pattern: /^Thing (\S+)/ };
      expect(await readProgramVersion(question, { env: process.env, timeoutMs: limitMs })).to.deep.equal(answer);
    });
  }

  it('and is not there', async () => {
    const question = { program: 'no-such-thing', args: [], pattern: /x/ };
    expect(await readProgramVersion(question, { env: { PATH: '' }, timeoutMs: 20_000 })).to.deep.equal({ type: 'missing' });
  });
});

describe('programs that are missing', () => {
  const empty = { env: { PATH: '/nowhere' } };

  it('are no matter where nothing needs them', async () => {
    const findings = [await checkGit({ ...empty, kernel: undefined }), ...(await runChecks([executorFunction(), mcp({ port: 0 })], empty))];
    expect(findings.map(({ check, state }) => `${check} ${state}`)).to.deep.equal(['git ok', 'Python ok', 'OpenSSL ok', 'Port ok']);
    expect(findings[1]?.message).to.equal('python3 is not on the PATH; nothing here needs it');
  });

  it('are a warning where tools need them, with the tools and what to install', async () => {
    const cwd = await temporaryFolder({ 'a.py': '' });
    const plugin = executorFunction({ python: 'python-of-mine' });
    const kernel = await testKernel({
      plugins: [plugin],
      tools: [{ name: 'a', description: 'In Python.', execution: { type: 'function', code: path.join(cwd, 'a.py') } }],
    });
    const [python] = await runChecks([plugin], { ...empty, kernel });
    expect(python).to.deep.equal({
      check: 'Python',
      state: 'warning',
      message: 'python-of-mine is not on the PATH; 1 tool in Python needs it',
      hint: 'Install Python 3, or name it in the option "python" of the plugin executor-function.',
    });
  });
});

describe('the programs of command tools', () => {
  it('are looked for on the PATH, and grouped', async () => {
    const bin = await temporaryFolder({ there: '#!/bin/sh\n', plain: 'no program' });
    await chmod(path.join(bin, 'there'), 0o755);
    const programs = ['there', path.join(bin, 'there'), path.join(bin, 'plain'), 'plain', ...'abcdef'];
    const tools = programs.flatMap((command, index) => [commandTool(`one${index}`, command), commandTool(`two${index}`, command)]);
    const kernel = await testKernel({ plugins: [executorCommand()], tools });
    const [finding] = await checkCommands(kernel, { PATH: bin });
    expect(finding?.state).to.equal('warning');
    expect(finding?.message).to.equal(`not found, or not to be executed: ${bin}/plain, a, b, c and 4 more; 16 command tools cannot run`);
  });

  it('are all there where nothing is missing, and nothing is said where there are none', async () => {
    const kernel = await testKernel({ plugins: [executorCommand()], tools: [commandTool('a', 'sh')] });
    expect((await checkCommands(kernel, process.env))[0]?.message).to.equal('1 program of command tools found');
    expect(await checkCommands(await testKernel(), process.env)).to.deep.equal([]);
  });
});
