import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Progress } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { functionKernel, suiteKernel } from './function-kernel.ts';
import { ended } from './processes.ts';

const refused = ['fetch', 'addressesOf', 'inThread', 'inChild', 'onClose', 'exchange'];

const absent = ['client', 'tools', 'secrets'];

const module = `
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
let calls = 0;
export const pid = () => process.pid;
export const count = () => [process.pid, ++calls];
export const echo = ({ value }) => value;
export const environment = () => Object.keys(process.env);
export const read = ({ value }) => readFileSync(value, 'utf8').length;
export const write = ({ value }) => writeFileSync(value, 'x');
export const start = () => execFileSync(process.execPath, ['-v']);
export const thread = () => new Worker('0', { eval: true });
export const hang = () => { for (;;); };
export const notes = (_, context) => {
  for (let n = 1; n <= 200; n++) context.progress({ progress: n, total: 200 });
  context.logger.warn('half full', { percent: 50 });
  console.log('printed');
  return [context.caller, context.callId];
};
export const shows = (_, context) => context.withContent('done', [{ type: 'text', text: 'shown' }]);
export const fails = () => { throw new Error('bad page'); };
export const refuses = (_, { error }) => { throw error('RATE_LIMITED', 'Slow down.', { retryAfterMs: 7 }); };
export const exits = () => process.exit(3);
export const astray = () => new Promise(() => setImmediate(() => { throw new Error('astray'); }));
export const bigint = () => ({ n: 1n });
export const nothing = () => {};
export const aborts = () => process.abort();
export const dies = () => process.kill(process.pid, 'SIGKILL');
export const heap = () => { const all = []; for (;;) all.push(new Array(5_000_000).fill(1.5)); };
export const native = () => { const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1)); };
export const pattern = () => new RegExp('(?=a'.repeat(20_000) + ')'.repeat(20_000)).test('a');
export const has = ({ value }, context) => context[value];
export const calls_it = ({ value }, context) => context[value]('./it.mjs#pid', {});
`;

const names = [...module.matchAll(/export const (\w+)/g)].map(([, name = '']) => name);

const child = (name: string): object => ({ code: `./it.mjs#${name}`, worker: 'process' });

describe('a function in a child process', () => {
  // Without "npm test", the sources are compiled for processes by whoever comes first.
  const logger = memoryLogger();
  const suite = suiteKernel({
    files: { 'it.mjs': module, 'main.mjs': "export const ask = ({ value }, { inChild }) => inChild('./it.mjs#echo', { value });" },
    tools: { ...Object.fromEntries(names.map((name) => [name, child(name)])), ask: './main.mjs#ask' } as never,
    logger,
  });
  const run = (tool: string, value?: unknown, caller = 'somebody'): Promise<unknown> =>
    suite.kernel.call({ tool, caller, ...(value === undefined ? {} : { parameters: { value } }) }).then(({ output }) => output);

  it('gets its parameters, runs in another process and gives its output', async () => {
    const value = { list: [1, 'é漢\ud800', { deep: 'x'.repeat(5000) }], none: null, text: 'ü'.repeat(3000), ascii: 'a"\n'.repeat(100_000) };
    expect(await run('echo', value)).to.deep.equal(value);
    expect(Object.keys((await run('echo', value)) as object)).to.deep.equal(Object.keys(value));
    expect(await run('pid'))
      .to.be.a('number')
      .and.not.equal(process.pid);
  });

  it('gives whole texts of every length around those that travel by themselves, in the memory and through the pipe', async () => {
    for (const length of [0, 1, 2047, 2048, 65_000, 70_000, 5_000_000, 40_000_000])
      expect(await run('echo', 'x'.repeat(length)), String(length)).to.equal('x'.repeat(length));
  });

  it('keeps a member that is named "__proto__"', async () => {
    const value = JSON.parse(`{"a": {"__proto__": "${'x'.repeat(3000)}", "b": 1}}`);
    expect(JSON.stringify(await run('echo', value))).to.equal(JSON.stringify(value));
  });

  it('uses a process again for the same caller, and for nobody else', async () => {
    const [one, calls] = (await run('count')) as number[];
    expect(await run('count')).to.deep.equal([one, Number(calls) + 1]);
    expect(await run('pid', undefined, 'other')).not.to.equal(one);
    expect(await run('pid')).to.equal(one);
  });

  it('passes every progress and log line on before the call ends', async () => {
    const steps: Progress[] = [];
    const { output } = await suite.kernel.call({ tool: 'notes', caller: 'somebody', onProgress: (progress) => steps.push(progress) });
    expect((output as unknown[])[0]).to.equal('somebody');
    expect(steps.map(({ progress }) => progress)).to.deep.equal(Array.from({ length: 200 }, (_, n) => n + 1));
    expect(logger.records.some(({ message, meta }) => message === 'half full' && meta?.['percent'] === 50)).to.equal(true);
  });

  it('shows content beside its output', async () => {
    expect((await suite.kernel.call({ tool: 'shows' })).content).to.deep.equal([{ type: 'text', text: 'shown' }]);
  });

  it('has of the environment only what a program needs to run', async () => {
    process.env['SHOP_TOKEN'] = 'value';
    try {
      const allowed = [
        'PATH',
        'HOME',
        'USER',
        'LOGNAME',
        'LANG',
        'LC_ALL',
        'LC_CTYPE',
        'TZ',
        'TMPDIR',
        'SHELL',
        'PWD',
        'OLDPWD',
        'SHLVL',
        '_',
        'TOOLKIT_RUN',
      ];
      const { kernel } = await functionKernel({ files: { 'it.mjs': module }, tools: { environment: child('environment') as never } });
      expect(((await kernel.execute('environment')) as string[]).filter((name) => !allowed.includes(name))).to.deep.equal([]);
    } finally {
      delete process.env['SHOP_TOKEN'];
    }
  });

  const rights: Readonly<Record<string, () => [string, unknown?]>> = {
    'read a file that is no code': () => ['read', '/etc/hostname'],
    'write a file': () => ['write', path.join(suite.folder, 'written')],
    'start a program': () => ['start'],
    'start a thread': () => ['thread'],
  };
  for (const [what, parameters] of Object.entries(rights))
    it(`may not ${what}`, async () => {
      const error = await rejection(run(...parameters()), 'EXECUTION_FAILED');
      expect(error.message).to.include('Access to this API has been restricted');
      expect(existsSync(path.join(suite.folder, 'written'))).to.equal(false);
    });

  for (const member of refused)
    it(`has no ${member}, and says so by name`, async () => {
      const error = await rejection(run('calls_it', member), 'EXECUTION_FAILED');
      expect(error.message).to.include(`context.${member} is not available in a child process`).and.include('worker: process');
    });

  for (const member of absent)
    it(`has no ${member}, and says so by name`, async () => {
      expect((await rejection(run('has', member), 'EXECUTION_FAILED')).message).to.include(`context.${member} is not available`);
    });

  const failures = {
    fails: { code: 'EXECUTION_FAILED', says: 'The function of "fails" failed: bad page' },
    refuses: { code: 'RATE_LIMITED', says: 'Slow down.' },
    exits: { code: 'EXECUTION_FAILED', says: 'called process.exit' },
    astray: { code: 'EXECUTION_FAILED', says: 'failed: astray' },
    bigint: { code: 'OUTPUT_INVALID', says: 'The output at "n"' },
    nothing: { code: 'OUTPUT_INVALID', says: 'returned nothing' },
  } as const;
  for (const [tool, { code, says }] of Object.entries(failures))
    it(`that ${tool} ends with ${code}, and its process goes on`, async () => {
      const before = await run('pid');
      expect((await rejection(run(tool), code)).message).to.include(says);
      expect(await run('pid')).to.equal(before);
    });

  const crashes = {
    aborts: 'SIGABRT',
    dies: 'SIGKILL',
    heap: 'SIGABRT: FATAL ERROR',
    pattern: 'SIGABRT: FATAL ERROR: RegExpCompiler Allocation failed',
  };
  for (const [tool, why] of Object.entries(crashes))
    it(`that ${tool} ends this call alone, which says why, and the next one gets another process`, async () => {
      const before = await run('pid');
      const error = await rejection(run(tool), 'EXECUTION_FAILED');
      expect(error.message).to.include(`The child process that ran "${tool}" ended`).and.include(why).and.include('150 MB of other memory');
      expect(await run('pid')).not.to.equal(before);
    });

  if (process.platform === 'linux')
    it('gets no memory beyond its limit', async () => {
      expect((await rejection(run('native'), 'EXECUTION_FAILED')).message).to.match(/allocation failed|ended in the middle/i);
    });

  it('does a part of a function of the server by inChild', async () => {
    expect(await run('ask', { a: [1] })).to.deep.equal({ a: [1] });
  });
});

describe('the process of a function', () => {
  const open = (tools: readonly string[], options: object = {}) =>
    functionKernel({
      files: { 'it.mjs': module },
      tools: Object.fromEntries(tools.map((name) => [name, { ...child(name), timeout_ms: 600_000 }])) as never,
      ...options,
    });
  const status = (kernel: Awaited<ReturnType<typeof open>>['kernel']) =>
    (kernel.status() as Record<string, Record<string, unknown>>)['processes'];

  it('starts with the first call, and ends with the kernel', async () => {
    const { kernel } = await open(['pid']);
    expect(status(kernel)).to.deep.include({ running: 0, idle: 0 });
    const pid = Number(await kernel.execute('pid'));
    await until(() => (status(kernel)?.['idle'] === 1 ? true : undefined));
    await kernel.close();
    await ended(pid);
  });

  it('ends after 60 seconds without a call', async () => {
    const { kernel } = await open(['pid']);
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const pid = Number(await kernel.execute('pid'));
      while (status(kernel)?.['idle'] !== 1) await new Promise((resolve) => setImmediate(resolve));
      clock.tick(59_999);
      expect(status(kernel)?.['idle']).to.equal(1);
      clock.tick(1);
      expect(status(kernel)?.['idle']).to.equal(0);
      await ended(pid);
    } finally {
      clock.restore();
    }
  });

  it('is killed at the time limit, in the middle of a computation', async () => {
    const { kernel } = await functionKernel({
      files: { 'it.mjs': module },
      tools: { hang: { ...child('hang'), timeout_ms: 300 } as never, pid: child('pid') as never },
    });
    const pid = Number(await kernel.execute('pid'));
    await rejection(kernel.execute('hang'), 'TIMEOUT');
    await ended(pid);
  });

  it('waits for a place where one caller has half of them', async () => {
    const { kernel } = await open(['hang', 'pid'], { executor: { maxProcesses: 2 } });
    const cancel = new AbortController();
    const hanging = kernel.call({ tool: 'hang', caller: 'one', tenant: 'one', signal: cancel.signal });
    hanging.catch(() => {});
    await until(() => (status(kernel)?.['running'] === 1 ? true : undefined));
    const waiting = kernel.call({ tool: 'pid', caller: 'one', tenant: 'one' });
    await until(() => (status(kernel)?.['waiting'] === 1 ? true : undefined));
    await kernel.call({ tool: 'pid', caller: 'two', tenant: 'two' });
    cancel.abort();
    expect((await waiting).output).to.be.a('number');
  });

  it('gets no tool with secrets', async () => {
    const { kernel } = await functionKernel({
      files: { 'it.mjs': module },
      tools: { pid: child('pid') as never },
      definition: { secrets: ['SHOP_TOKEN'] },
      plugins: [secretsEnv({ env: { SHOP_TOKEN: 'value-of-shop-token' } }), credentialsPlaceholder()],
    });
    expect((await rejection(kernel.execute('pid'), 'TOOL_INVALID')).message).to.include('"worker: process" and "secrets"');
  });

  it('may read files where the tool has a path', async () => {
    const { kernel, folder } = await functionKernel({
      files: { 'it.mjs': module, 'a.txt': 'four' },
      tools: { read: child('read') as never },
      definition: { parameters: { value: { type: 'string', path: 'read' } } },
      plugins: [(await import('../../../plugins/confine-paths/index.ts')).confinePaths({ roots: ['/'] })],
    });
    expect(await kernel.execute('read', { value: path.join(folder, 'a.txt') })).to.equal(4);
  });

  it('is a thread where no process can be started, with a warning and a status that say so', async () => {
    const logger = memoryLogger();
    const { kernel } = await functionKernel({ files: { 'it.mjs': module }, tools: { pid: child('pid') as never }, logger });
    const { execPath } = process;
    Object.defineProperty(process, 'execPath', { value: '/nowhere/node', configurable: true });
    try {
      expect(await kernel.execute('pid')).to.equal(process.pid);
    } finally {
      Object.defineProperty(process, 'execPath', { value: execPath, configurable: true });
    }
    expect(status(kernel)?.['refused']).to.be.a('string');
    expect(logger.records.map(({ message }) => message).join('\n')).to.include('no child process can be started');
    // Also the next call, for a minute, without another attempt.
    expect(await kernel.execute('pid')).to.equal(process.pid);
  });
});
