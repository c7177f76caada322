import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { daemonProgram, ended, familyProgram, isRunning, pidsIn } from '../../../plugins/executor-command/processes.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

const { coreToolkit } = coreGroup('system');

const limit = 1024 * 1024;

interface Result {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly duration_ms: number;
  readonly truncated: boolean;
}

/** Runs JavaScript in a program of its own. */
async function run(toolkit: Toolkit, code: string, more: Readonly<Record<string, unknown>> = {}): Promise<Result> {
  const { arguments: args = [], ...rest } = more as { arguments?: string[] };
  const parameters = { command: process.execPath, arguments: ['-e', code, '--', ...args], ...rest };
  return (await toolkit.execute('system_execute', parameters)) as unknown as Result;
}

describe('system_execute', () => {
  const shared = sharedToolkit();

  afterEach(() => {
    sinon.restore();
    delete process.env['TEST_API_TOKEN'];
  });

  it('gives the exit code and both outputs', async () => {
    const result = await run(shared.toolkit, 'console.log("out"); console.error("err"); process.exitCode = 3;');
    expect(result).to.include({ exit_code: 3, stdout: 'out\n', stderr: 'err\n', truncated: false });
  });

  it('reports a program that a signal ended as shells do', async () => {
    expect((await run(shared.toolkit, 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1e6)')).exit_code).to.equal(137);
    expect((await run(shared.toolkit, 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1e6)')).exit_code).to.equal(143);
  });

  it('hands every argument over as it is', async () => {
    const working_directory = await temporaryFolder({ 'a.txt': '' });
    const given = ['; touch marker', '$(touch marker)', '`id`', '*', '$HOME', '', 'a b', '"', "'", '\\', 'new\nline', 'ä€😀', '--version'];
    const { stdout } = await run(shared.toolkit, 'console.log(JSON.stringify(process.argv.slice(1)))', {
      arguments: given,
      working_directory,
    });
    expect(JSON.parse(stdout)).to.deep.equal(given);
  });

  const lines = [
    'ls -la',
    'git status',
    'cat /etc/hosts',
    'FOO=1 node',
    'ls;pwd',
    'ls|wc -l',
    'node&',
    'echo>a',
    '/bin/ls -la',
    './no program here',
  ];
  for (const command of lines)
    for (const origin of ['model', 'host'] as const)
      it(`refuses the line of a shell before a person is asked: ${command}, of a ${origin}`, async () => {
        const asked = shared.toolkit.kernel.call({ tool: 'system_execute', parameters: { command }, origin });
        const { message } = await rejection(asked, 'INVALID_PARAMETERS');
        expect(message)
          .to.match(/arguments?/)
          .and.not.include('[^');
      });

  it('runs a program whose path has spaces', async () => {
    const working_directory = await temporaryFolder({});
    await symlink(process.execPath, path.join(working_directory, 'node of mine'));
    const parameters = { command: './node of mine', arguments: ['-p', '1'], working_directory };
    expect(await shared.toolkit.execute('system_execute', parameters)).to.include({ stdout: '1\n' });
  });

  for (const [given, meant] of [
    ['program', 'command'],
    ['args', 'arguments'],
    ['cwd', 'working_directory'],
    ['env', 'environment'],
  ] as const)
    it(`says of ${given} that ${meant} is meant`, async () => {
      const { message } = await rejection(shared.toolkit.execute('system_execute', { command: 'ls', [given]: {} }), 'INVALID_PARAMETERS');
      expect(message).to.include(`${given} is not known here: give "${meant}" in its place`);
    });

  it('says what is missing when the program is not installed', async () => {
    const error = await rejection(shared.toolkit.execute('system_execute', { command: 'no-such-program-here' }), 'DEPENDENCY_MISSING');
    expect(error.details['program']).to.equal('no-such-program-here');
  });

  it('hides the environment of the service, and with it its secrets', async () => {
    process.env['TEST_API_TOKEN'] = 'server-side-secret';
    const { stdout } = await run(shared.toolkit, 'console.log(JSON.stringify(process.env))', {
      environment: { NODE_ENV: 'test', LANG: 'C' },
    });
    const environment = JSON.parse(stdout) as Record<string, string>;
    expect(environment).to.include({ NODE_ENV: 'test', LANG: 'C', PATH: process.env['PATH'] });
    expect(stdout).not.to.include('TEST_API_TOKEN').and.not.to.include('server-side-secret');
  });

  it('gives the text of stdin to the program, and no input without it', async () => {
    const echo = 'process.stdin.pipe(process.stdout)';
    expect((await run(shared.toolkit, echo, { stdin: 'Grüße\n$(id)' })).stdout).to.equal('Grüße\n$(id)');
    expect((await run(shared.toolkit, echo)).stdout).to.equal('');
    expect((await run(shared.toolkit, '', { stdin: 'x'.repeat(1_000_000) })).exit_code).to.equal(0);
  });

  it('starts in the first root, or in a folder below it', async () => {
    const folder = await temporaryFolder({ 'inner/file': '' });
    const toolkit = await coreToolkit({ roots: [folder] });
    expect((await run(toolkit, 'console.log(process.cwd())')).stdout).to.equal(`${folder}\n`);
    expect((await run(toolkit, 'console.log(process.cwd())', { working_directory: 'inner' })).stdout).to.equal(`${folder}/inner\n`);
  });

  for (const working_directory of ['..', '/', '/tmp/../etc']) {
    it(`does not start in ${working_directory}, outside of the roots`, async () => {
      await rejection(shared.toolkit.execute('system_execute', { command: 'pwd', working_directory }), 'INVALID_PARAMETERS');
    });
  }

  it('does not start in a folder that does not exist', async () => {
    const call = shared.toolkit.execute('system_execute', { command: 'pwd', working_directory: 'gone' });
    expect((await rejection(call, 'EXECUTION_FAILED')).message).to.include('gone", which is not a directory');
  });

  const outputs: { name: string; code: string; stdout: string; stderr: string; truncated: boolean }[] = [
    {
      name: 'keeps output of exactly the limit',
      code: `process.stdout.write("x".repeat(${limit}))`,
      stdout: 'x'.repeat(limit),
      stderr: '',
      truncated: false,
    },
    {
      name: 'keeps the first part of a longer output',
      code: `process.stdout.write("x".repeat(${limit + 1}))`,
      stdout: 'x'.repeat(limit),
      stderr: '',
      truncated: true,
    },
    {
      name: 'keeps the first part of a longer standard error',
      code: `process.stderr.write("x".repeat(${limit + 1}))`,
      stdout: '',
      stderr: 'x'.repeat(limit),
      truncated: true,
    },
    {
      name: 'leaves out a character that the limit cuts in two',
      code: `process.stdout.write("xx" + "€".repeat(${limit}))`,
      stdout: `xx${'€'.repeat(Math.floor((limit - 2) / 3))}`,
      stderr: '',
      truncated: true,
    },
  ];
  for (const { name, code, ...expected } of outputs) {
    it(name, async () => {
      const { stdout, stderr, truncated } = await run(shared.toolkit, code);
      expect({ stdout: stdout === expected.stdout, stderr: stderr === expected.stderr, truncated }).to.deep.equal({
        stdout: true,
        stderr: true,
        truncated: expected.truncated,
      });
    });
  }

  it('stops a program that writes without end', async () => {
    const { exit_code, truncated } = await run(shared.toolkit, 'setInterval(() => process.stdout.write("x".repeat(1e5)), 0)');
    expect({ exit_code, truncated }).to.deep.equal({ exit_code: 137, truncated: true });
  });

  for (const kind of ['obedient', 'stubborn']) {
    it(`ends the program and what it started after timeout_ms when they are ${kind}`, async () => {
      const folder = await temporaryFolder({ 'family.mjs': familyProgram });
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const parameters = { command: process.execPath, arguments: ['family.mjs', kind], working_directory: folder, timeout_ms: 7000 };
      const call = rejection(shared.toolkit.execute('system_execute', parameters), 'TIMEOUT');
      const pids = await pidsIn(path.join(folder, 'pids'));
      expect(pids.map(isRunning)).to.deep.equal([true, true]);
      clock.tick(7000);
      clock.tick(2000);
      const error = await call;
      expect(error.message).to.include('7000 ms');
      expect(error.retryable).to.equal(false);
      await ended(pids);
    });
  }

  it('ends the program and what it started when the caller cancels', async () => {
    const folder = await temporaryFolder({ 'family.mjs': familyProgram });
    const controller = new AbortController();
    const parameters = { command: process.execPath, arguments: ['family.mjs'], working_directory: folder };
    const call = rejection(shared.toolkit.execute('system_execute', parameters, { signal: controller.signal }), 'ABORTED');
    const pids = await pidsIn(path.join(folder, 'pids'));
    controller.abort();
    await call;
    await ended(pids);
  });

  // Elsewhere there is no way to find them.
  const onLinux = process.platform === 'linux' ? it : it.skip;

  const leaves = ['leaves them behind', 'is cancelled'] as const;
  for (const what of leaves)
    onLinux(`ends what left for a session of its own, and what that started, when the program ${what}`, async () => {
      const folder = await temporaryFolder({ 'daemon.mjs': daemonProgram });
      const controller = new AbortController();
      const parameters = { command: process.execPath, arguments: ['daemon.mjs', what], working_directory: folder };
      const call = shared.toolkit.execute('system_execute', parameters, { signal: controller.signal });
      const given = what === 'is cancelled' ? rejection(call, 'ABORTED') : call;
      const pids = await pidsIn(path.join(folder, 'pids'));
      if (what === 'is cancelled') controller.abort();
      await given;
      expect(pids).to.have.lengthOf(2);
      await ended(pids);
    });

  const refused: { name: string; parameters: Record<string, unknown>; blamed: string }[] = [
    { name: 'no command', parameters: {}, blamed: 'command' },
    { name: 'a command that is too long', parameters: { command: 'x'.repeat(4097) }, blamed: 'command' },
    { name: 'an argument that no system takes', parameters: { command: 'echo', arguments: ['x'.repeat(131_072)] }, blamed: 'arguments[0]' },
    { name: 'too many arguments', parameters: { command: 'echo', arguments: Array(10_001).fill('') }, blamed: 'arguments expected' },
    { name: 'too long an input', parameters: { command: 'cat', stdin: 'x'.repeat(10_000_001) }, blamed: 'stdin' },
    { name: 'an empty command', parameters: { command: '' }, blamed: 'command' },
    { name: 'a null byte in the command', parameters: { command: 'ec\0ho' }, blamed: 'program' },
    { name: 'a null byte in an argument', parameters: { command: 'echo', arguments: ['a\0'] }, blamed: 'argument' },
    { name: 'a null byte in a variable', parameters: { command: 'env', environment: { A: '\0' } }, blamed: 'environment' },
    { name: 'an argument that is no text', parameters: { command: 'echo', arguments: [1] }, blamed: 'arguments[0]' },
    { name: 'a variable that is no text', parameters: { command: 'env', environment: { A: 1 } }, blamed: 'environment.A' },
    { name: 'a variable with "=" in its name', parameters: { command: 'env', environment: { 'PATH=x': '' } }, blamed: 'environment' },
    { name: 'a variable without a name', parameters: { command: 'env', environment: { '': 'x' } }, blamed: 'environment' },
    { name: 'a time limit of nothing', parameters: { command: 'echo', timeout_ms: 0 }, blamed: 'timeout_ms' },
    { name: 'a time limit of more than an hour', parameters: { command: 'echo', timeout_ms: 3_600_001 }, blamed: 'timeout_ms' },
  ];
  for (const { name, parameters, blamed } of refused) {
    it(`refuses ${name}`, async () => {
      expect((await rejection(shared.toolkit.execute('system_execute', parameters), 'INVALID_PARAMETERS')).message).to.include(blamed);
    });
  }

  it('needs approval when a model calls it', async () => {
    const call = { origin: 'model' } as const;
    await rejection(shared.toolkit.execute('system_execute', { command: 'echo' }, call), 'APPROVAL_REQUIRED');
    expect(await shared.toolkit.execute('system_execute', { command: 'echo' }, { ...call, approved: true })).to.include({ stdout: '\n' });
  });
});
