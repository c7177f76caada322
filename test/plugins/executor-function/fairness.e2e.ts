import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { JsonObject, Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { functionKernel } from './function-kernel.ts';

/** `hold` goes on until there is a file, `slow` cannot be loaded before there is one. */
const files = (gate: string) => ({
  'it.mjs': `
    import { existsSync } from 'node:fs';
    export const hold = async ({ value }, context) => {
      context.progress('holds');
      while (!existsSync(value)) await new Promise((resolve) => setTimeout(resolve, 2));
      return 'held';
    };
    export const quick = () => 'quick';`,
  'slow.mjs': `
    import { existsSync } from 'node:fs';
    import { fileURLToPath } from 'node:url';
    const gate = fileURLToPath(new URL('./${gate}', import.meta.url));
    while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 2));
    export const run = () => 'loaded';`,
  'it.py': `
import os, time
def hold(params, context):
    context.progress("holds")
    while not os.path.exists(params["value"]):
        time.sleep(0.002)
    return "held"
def quick(params, context):
    return "quick"`,
  'slow.py': `
import os, time
while not os.path.exists(os.path.join(os.path.dirname(__file__), "${gate}")):
    time.sleep(0.002)
def run(params, context):
    return "loaded"`,
});

const kinds = [
  { what: 'worker threads', name: 'threads', extension: 'mjs', execution: { worker: true }, option: 'maxThreads' },
  { what: 'Python processes', name: 'python', extension: 'py', execution: {}, option: 'maxPythonWorkers' },
] as const;

for (const { what, name, extension, execution, option } of kinds) {
  const open = async (most: number) => {
    const { kernel, folder } = await functionKernel({
      files: files('gate'),
      tools: {
        hold: { code: `./it.${extension}#hold`, ...execution, timeout_ms: 100_000 },
        quick: { code: `./it.${extension}#quick`, ...execution, timeout_ms: 1000 },
        slow: { code: `./slow.${extension}#run`, ...execution, timeout_ms: 1000 },
      },
      executor: { [option]: most },
    });
    const gate = path.join(folder, 'gate');
    const release = (): Promise<void> => writeFile(gate, '');
    return { kernel, gate, release, status: () => kernel.status()[name] as JsonObject };
  };

  /** A call that holds what it runs in; resolves when it runs. */
  const holds = async (kernel: Kernel, tenant: string, gate: string, signal?: AbortSignal) => {
    let begins = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begins = resolve;
    });
    const cancel = signal === undefined ? {} : { signal };
    const call = { tool: 'hold', parameters: { value: gate }, tenant, ...cancel };
    const ended = kernel.call({ ...call, onProgress: begins }).then(({ output }) => output);
    ended.catch(() => {});
    await begun;
    return { ended };
  };

  describe(`the ${what} of a kernel`, () => {
    it('are there for a caller while eighteen calls of another one hold or wait for its half', async () => {
      const { kernel, gate, release, status } = await open(4);
      const ofOne = [await holds(kernel, 'one', gate), await holds(kernel, 'one', gate)].map(({ ended }) => ended);
      for (let more = 2; more < 18; more++)
        ofOne.push(kernel.call({ tool: 'hold', parameters: { value: gate }, tenant: 'one' }).then(({ output }) => output));
      const other = await kernel.call({ tool: 'quick', tenant: 'other' });
      expect(other.output).to.equal('quick');
      await until(() => (status()['running'] === 2 ? true : undefined));
      expect(status()).to.deep.include({ running: 2, waiting: 16, max: 4, callers: { one: { running: 2, waiting: 16 } } });
      await release();
      expect(new Set(await Promise.all(ofOne))).to.deep.equal(new Set(['held']));
      await until(() => (status()['running'] === 0 ? true : undefined));
      expect(status()).to.deep.include({ waiting: 0, callers: {} });
    });

    it('are given to the next call at once when a call that holds one is cancelled', async () => {
      const { kernel, gate } = await open(1);
      const controller = new AbortController();
      const first = await holds(kernel, 'one', gate, controller.signal);
      const second = kernel.call({ tool: 'quick', tenant: 'other' });
      controller.abort();
      await rejection(first.ended, 'ABORTED');
      expect((await second).output).to.equal('quick');
    });
  });

  describe(`the time limit of a tool in ${what}`, () => {
    let time: sinon.SinonFakeTimers;
    beforeEach(() => {
      time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });
    afterEach(() => time.restore());

    it('does not count the wait for one', async () => {
      const { kernel, gate, release, status } = await open(1);
      const first = await holds(kernel, 'one', gate);
      const second = kernel.call({ tool: 'quick', tenant: 'other' });
      await until(() => (status()['waiting'] === 1 ? true : undefined));
      time.tick(30_000);
      await release();
      await first.ended;
      expect((await second).output).to.equal('quick');
    });

    it('does not count its start and the import of its code', async () => {
      const { kernel, release, status } = await open(1);
      const call = kernel.call({ tool: 'slow' });
      await until(() => (status()['running'] === 1 ? true : undefined));
      time.tick(30_000);
      await release();
      expect((await call).output).to.equal('loaded');
    });

    it('counts what the function takes', async () => {
      const { kernel, gate } = await open(1);
      const { ended } = await holds(kernel, 'one', gate);
      time.tick(100_000);
      await rejection(ended, 'TIMEOUT');
    });

    it('does not make a call wait for ever: it is refused, and says how many calls wait', async () => {
      const { kernel, gate, release, status } = await open(1);
      const first = await holds(kernel, 'one', gate);
      const second = rejection(kernel.call({ tool: 'quick', tenant: 'other' }), 'RATE_LIMITED');
      await until(() => (status()['waiting'] === 1 ? true : undefined));
      time.tick(60_000);
      const error = await second;
      expect(error.message).to.include(`All 1 ${what} are in use; 1 call waits`).and.include(option);
      expect(error.retryable).to.equal(true);
      await release();
      await first.ended;
    });
  });
}

const describeOnLinux = process.platform === 'linux' ? describe : () => {};

describeOnLinux('functions outside of the event loop that serves everybody', () => {
  it('give way to it, once they are loaded: a busy machine would hold up each start', async () => {
    const priority = `
import { readlinkSync } from 'node:fs';
import os from 'node:os';
const now = () => os.getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
const loading = now();
export const run = () => now();
export const whileLoading = () => loading;
`;
    const { kernel } = await functionKernel({
      files: {
        'priority.mjs': priority,
        'priority.py': 'import os\ndef run(params, context):\n    return os.getpriority(os.PRIO_PROCESS, 0)\n',
      },
      tools: {
        thread: { code: './priority.mjs', worker: true },
        loading: { code: './priority.mjs#whileLoading', worker: true },
        python: './priority.py',
        own: './priority.mjs',
      },
    });
    const own = Number(await kernel.execute('own'));
    expect(await kernel.execute('thread')).to.be.above(own);
    expect(await kernel.execute('loading')).to.equal(own);
    expect(await kernel.execute('python')).to.be.above(own);
  });
});
