import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { commandKernel, kernelOf } from './command-kernel.ts';
import { ended, familyProgram, isRunning, pidsIn } from './processes.ts';

const printEnvironment = { 'env.mjs': 'process.stdout.write(JSON.stringify(process.env));' };

describe('the process of a command tool', () => {
  afterEach(() => {
    sinon.restore();
    delete process.env['TEST_API_TOKEN'];
  });

  it('gets a minimal environment and what the definition adds', async () => {
    process.env['TEST_API_TOKEN'] = 'server-side-secret';
    const { kernel } = await commandKernel({
      execution: {
        args: ['env.mjs'],
        env: { GREETING: 'hello {name}', COUNT: '{count}', LIST: '{list}', LEFT_OUT: '{absent}', LANG: 'C' },
        parse: 'json',
      },
      parameters: { name: { type: 'string' }, count: { type: 'number' }, list: { type: 'array' }, absent: { type: 'string' } },
      files: printEnvironment,
    });
    const environment = (await kernel.execute('run', { name: 'you', count: 3, list: ['a'] })) as Record<string, string>;
    expect(environment).to.include({ GREETING: 'hello you', COUNT: '3', LIST: '["a"]', LANG: 'C' });
    const inherited = Object.keys(environment).filter((name) => !['GREETING', 'COUNT', 'LIST'].includes(name));
    expect(inherited).to.include('PATH').and.not.to.include('TEST_API_TOKEN');
    const harmless = /^(PATH|HOME|USER|LOGNAME|LANG|LC_ALL|LC_CTYPE|TZ|TMPDIR|SHELL|TOOLKIT_RUN|__CF_USER_TEXT_ENCODING)$/;
    expect(inherited.filter((name) => !harmless.test(name))).to.deep.equal([]);
  });

  it('gets the credentials that its definition names, masked in the output', async () => {
    const { kernel } = await commandKernel({
      execution: { args: ['env.mjs'], env: { TOKEN: '{API_TOKEN}' }, parse: 'json' },
      files: printEnvironment,
    });
    const environment = (await kernel.execute('run', {}, { credentials: { API_TOKEN: 'tok-123456' } })) as Record<string, string>;
    expect(environment['TOKEN']).to.equal('[secret API_TOKEN]');
  });

  it('gets its standard input from the definition, else an empty one', async () => {
    const files = { 'cat.mjs': 'process.stdin.pipe(process.stdout);' };
    const execution = { args: ['cat.mjs'], stdin: 'Grüße, {name}' };
    const { kernel } = await commandKernel({ execution, parameters: { name: { type: 'string' } }, files });
    expect(await kernel.execute('run', { name: '$(ls)' })).to.equal('Grüße, $(ls)');
    expect(await kernel.execute('run')).to.equal('');
  });

  it('may leave its standard input unread', async () => {
    const execution = { args: ['-e', ''], stdin: '{text}' };
    const { kernel } = await commandKernel({ execution, parameters: { text: { type: 'string' } } });
    expect(await kernel.execute('run', { text: 'x'.repeat(1_000_000) })).to.equal('');
  });

  const places: { name: string; execution: Record<string, unknown>; place: string }[] = [
    { name: 'the folder of the configuration', execution: {}, place: '.' },
    { name: 'a folder relative to it', execution: { cwd: 'inner' }, place: 'inner' },
    { name: 'a folder that a parameter names', execution: { cwd: '{folder}' }, place: 'inner' },
  ];
  for (const { name, execution, place } of places) {
    it(`starts in ${name}`, async () => {
      const { kernel, folder } = await commandKernel({
        execution: { args: ['-p', 'process.cwd()'], parse: 'lines', ...execution },
        parameters: { folder: { type: 'string' } },
        files: { 'inner/file': '' },
      });
      expect(await kernel.execute('run', { folder: 'inner' })).to.deep.equal([path.join(folder, place)]);
    });
  }

  it('is a program beside the definition when the command begins with a dot', async () => {
    const { kernel, folder } = await commandKernel({
      execution: { command: './tool.mjs', cwd: '/' },
      files: { 'tool.mjs': `#!${process.execPath}\nconsole.log('from beside');` },
    });
    await chmod(path.join(folder, 'tool.mjs'), 0o755);
    expect(await kernel.execute('run')).to.equal('from beside\n');
  });

  for (const command of ['no-such-program-here', './no-such-program-here', '/no-such-program-here']) {
    it(`cannot start when ${command} is missing, and the error says what to install`, async () => {
      const { kernel } = await commandKernel({ execution: { command } });
      const error = await rejection(kernel.execute('run'), 'DEPENDENCY_MISSING');
      expect(error.message).to.include('no-such-program-here').and.to.include('Install it');
    });
  }

  it('cannot start in a folder that does not exist, and the error names the folder, not the program', async () => {
    const { kernel, folder } = await commandKernel({ execution: { cwd: 'gone' } });
    const error = await rejection(kernel.execute('run'), 'EXECUTION_FAILED');
    expect(error.message).to.include(`could not be started in "${path.join(folder, 'gone')}"`);
  });

  it('cannot be a file that is no program', async () => {
    const { kernel } = await commandKernel({ execution: { command: './run.yaml' } });
    expect((await rejection(kernel.execute('run'), 'EXECUTION_FAILED')).message)
      .to.include('could not be started')
      .and.to.include('EACCES')
      .and.to.include('change its mode');
  });

  it('cannot start with more arguments than the system takes, and the error says what to do', async () => {
    const { kernel } = await commandKernel({ execution: { args: ['{text}'] }, parameters: { text: { type: 'string' } } });
    const error = await rejection(kernel.execute('run', { text: 'x'.repeat(3_000_000) }), 'EXECUTION_FAILED');
    expect(error.message).to.include('E2BIG').and.to.include('fewer or shorter');
  });

  for (const kind of ['obedient', 'stubborn']) {
    it(`ends with its children at the time limit when they are ${kind}`, async () => {
      const { kernel, folder } = await commandKernel({
        execution: { args: ['family.mjs', kind], timeout_ms: 5000 },
        files: { 'family.mjs': familyProgram },
      });
      const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const call = rejection(kernel.execute('run'), 'TIMEOUT');
      const pids = await pidsIn(path.join(folder, 'pids'));
      expect(pids.map(isRunning)).to.deep.equal([true, true]);
      clock.tick(5000);
      const error = await call;
      expect(error.message).to.include('5000 ms');
      clock.tick(2000);
      await ended(pids);
    });
  }

  it('ends with its children when the caller cancels', async () => {
    const { kernel, folder } = await commandKernel({ execution: { args: ['family.mjs'] }, files: { 'family.mjs': familyProgram } });
    const controller = new AbortController();
    const call = rejection(kernel.execute('run', {}, { signal: controller.signal }), 'ABORTED');
    const pids = await pidsIn(path.join(folder, 'pids'));
    controller.abort();
    await call;
    await ended(pids);
  });

  it('ends with its children when the kernel closes', async () => {
    const { kernel, folder } = await commandKernel({ execution: { args: ['family.mjs'] }, files: { 'family.mjs': familyProgram } });
    const call = rejection(kernel.execute('run'), 'ABORTED');
    const pids = await pidsIn(path.join(folder, 'pids'));
    await kernel.close();
    await call;
    await ended(pids);
  });

  for (const stdio of ['inherit', 'ignore']) {
    it(`takes along a child that it left in the background with its output set to "${stdio}"`, async () => {
      const code = `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: '${stdio}' });
child.once('spawn', () => { console.log(child.pid); process.exit(); });`;
      const { kernel } = await commandKernel({ execution: { args: ['leave.mjs'], parse: 'json' }, files: { 'leave.mjs': code } });
      const pid = (await kernel.execute('run')) as number;
      await ended([pid]);
    });
  }

  it('does not keep the call waiting for a process that left its group and holds the output open', async () => {
    const code = `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit', detached: true });
child.once('spawn', () => { console.log(child.pid); process.exit(); });`;
    const { kernel } = await commandKernel({ execution: { args: ['leave.mjs'], parse: 'json' }, files: { 'leave.mjs': code } });
    const pid = (await kernel.execute('run')) as number;
    process.kill(pid, 'SIGKILL');
    await ended([pid]);
  });

  it('may be one of many at once without a warning of Node.js', async () => {
    const warn = sinon.spy(process, 'emitWarning');
    const folder = await temporaryFolder({
      'run.yaml': JSON.stringify({ name: 'run', description: 'Runs.', execution: { type: 'command', command: 'echo', args: ['hi'] } }),
    });
    const kernel = await kernelOf(folder);
    const outputs = await Promise.all(Array.from({ length: 20 }, () => kernel.execute('run')));
    expect(new Set(outputs)).to.deep.equal(new Set(['hi\n']));
    expect(warn.args.flat().map(String)).to.deep.equal([]);
  });
});
