import { expect } from 'chai';
import type { Progress } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { type FunctionKernelOptions, functionKernel } from './function-kernel.ts';
import { ended } from './processes.ts';

const text = `
import os, subprocess, sys

def pid(params, context):
    return os.getpid()

def crash(params, context):
    print("out of memory, perhaps", file=sys.stderr)
    os._exit(1)

def loop(params, context):
    context.progress(os.getpid())
    while True:
        pass

def child(params, context):
    sleeper = subprocess.Popen(["sleep", "1000"])
    context.progress(sleeper.pid)
    sleeper.wait()

def leaves(params, context):
    return subprocess.Popen(["sleep", "1000"]).pid

def crash_with_child(params, context):
    context.progress(subprocess.Popen(["sleep", "1000"]).pid)
    os._exit(1)

def garbage(params, context):
    os.write(3, b"not a message\\n")
    return 1

def meet(params, context):
    mine, other = params["value"]
    open(mine, "w").close()
    while not os.path.exists(other):
        pass
    return os.getpid()
`;

const names = [...text.matchAll(/^def (\w+)\(/gm)].map(([, name]) => name ?? '');

function pythonKernel(executor: NonNullable<FunctionKernelOptions['executor']> = { maxPythonWorkers: 1 }) {
  const tools = Object.fromEntries(names.map((name) => [name, `./it.py#${name}`]));
  return functionKernel({ files: { 'it.py': text }, tools: { ...tools, short_loop: { code: './it.py#loop', timeout_ms: 50 } }, executor });
}

/** A progress listener and the number that it hears first. */
function firstNumber(): { number: Promise<number>; onProgress: (note: Progress) => void } {
  let hear: (note: Progress) => void = () => {};
  const number = new Promise<number>((resolve) => {
    hear = ({ progress = Number.NaN }) => resolve(progress);
  });
  return { number, onProgress: (note) => hear(note) };
}

describe('the processes of Python functions', () => {
  it('serve one call after the other', async () => {
    const { kernel } = await pythonKernel({});
    const first = await kernel.execute('pid');
    expect([await kernel.execute('pid'), await kernel.execute('pid')]).to.deep.equal([first, first]);
    expect(first).to.not.equal(process.pid);
  });

  it('are as many as maxPythonWorkers at most, half of them for one caller', async () => {
    const { kernel } = await pythonKernel({ maxPythonWorkers: 4 });
    const pids = await Promise.all(Array.from({ length: 6 }, () => kernel.execute('pid')));
    expect(new Set(pids).size).to.equal(2);
  });

  it('work at the same time', async () => {
    const { kernel, folder } = await pythonKernel({ maxPythonWorkers: 4 });
    const [a, b] = [`${folder}/a`, `${folder}/b`];
    const pids = await Promise.all([kernel.execute('meet', { value: [a, b] }), kernel.execute('meet', { value: [b, a] })]);
    expect(new Set(pids).size).to.equal(2);
  });

  it('that crash fail their call with the last line of standard error, and are replaced', async () => {
    const { kernel, folder } = await pythonKernel();
    const first = await kernel.execute('pid');
    const error = await rejection(kernel.execute('crash'), 'EXECUTION_FAILED');
    expect(error.message).to.include(`The Python process of ${folder}/it.py ended in the middle of the call: out of memory, perhaps`);
    expect(await kernel.execute('pid'))
      .to.be.a('number')
      .and.not.equal(first);
  });

  it('that write into the protocol are stopped and replaced', async () => {
    const { kernel } = await pythonKernel();
    const error = await rejection(kernel.execute('garbage'), 'EXECUTION_FAILED');
    expect(error.message).to.include('file descriptor 3');
    expect(await kernel.execute('pid')).to.be.a('number');
  });

  it('in an endless loop end with TIMEOUT and are gone', async () => {
    const { kernel } = await pythonKernel();
    const pid = (await kernel.execute('pid')) as number;
    await rejection(kernel.execute('short_loop'), 'TIMEOUT');
    await ended(pid);
    expect(await kernel.execute('pid'))
      .to.be.a('number')
      .and.not.equal(pid);
  });

  for (const tool of ['loop', 'child']) {
    it(`are gone when the call of "${tool}" is cancelled, with what they started`, async () => {
      const { kernel } = await pythonKernel();
      const controller = new AbortController();
      const { number, onProgress } = firstNumber();
      const cancelled = rejection(kernel.execute(tool, {}, { signal: controller.signal, onProgress }), 'ABORTED');
      const pid = await number;
      controller.abort();
      await cancelled;
      await ended(pid);
    });
  }

  it('take what they started with them when they crash', async () => {
    const { kernel } = await pythonKernel();
    const { number, onProgress } = firstNumber();
    await rejection(kernel.execute('crash_with_child', {}, { onProgress }), 'EXECUTION_FAILED');
    await ended(await number);
  });

  it('never see a call that is cancelled while it waits for one', async () => {
    const { kernel } = await pythonKernel();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const { number, onProgress } = firstNumber();
    const first = rejection(kernel.execute('loop', {}, { signal: running.signal, onProgress }), 'ABORTED');
    await number;
    const second = rejection(kernel.execute('crash', {}, { signal: waiting.signal }), 'ABORTED');
    waiting.abort();
    await second;
    running.abort();
    await first;
    expect(await kernel.execute('pid')).to.be.a('number');
  });

  it('are gone once the kernel is closed, idle or not, with what they left running', async () => {
    const { kernel } = await pythonKernel({ maxPythonWorkers: 2 });
    const left = (await kernel.execute('leaves')) as number;
    const idle = (await kernel.execute('pid')) as number;
    const { number, onProgress } = firstNumber();
    const running = rejection(kernel.execute('loop', {}, { onProgress }), 'ABORTED');
    const looping = await number;
    await kernel.close();
    await running;
    for (const pid of [left, idle, looping]) await ended(pid);
  });

  it('need Python, and the error says how to install it', async () => {
    const { kernel } = await pythonKernel({ python: 'no-such-python' });
    const error = await rejection(kernel.execute('pid'), 'DEPENDENCY_MISSING');
    expect(error.message).to.include('"no-such-python"').and.include('apt-get install python3');
    expect(error.details['program']).to.equal('no-such-python');
    await rejection(kernel.execute('pid'), 'DEPENDENCY_MISSING');
  });

  for (const program of ['true', '/dev/null']) {
    it(`cannot be of the program ${program}`, async () => {
      const { kernel } = await pythonKernel({ python: program });
      await rejection(kernel.execute('pid'), 'EXECUTION_FAILED');
    });
  }
});
