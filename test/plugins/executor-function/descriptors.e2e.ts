import { closeSync, openSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { functionKernel } from './function-kernel.ts';

const parts = Array.from({ length: 150 }, (_, index) => `p${index}.mjs`);

const files = {
  ...Object.fromEntries(parts.map((name) => [name, 'export default 1;'])),
  'top.mjs': `${parts.map((name) => `import './${name}';`).join('\n')}\nexport const run = () => 'loaded';`,
  'inside.mjs': `export const run = async (_, context) => {
    context.progress('imports');
    await Promise.all(${JSON.stringify(parts)}.map((name) => import('./' + name)));
    return 'loaded';
  };`,
  'small.mjs': 'export const run = () => 1;',
  'small.py': 'def run(params, context):\n    return 1\n',
};

const worker = (file: string) => ({ code: `./${file}#run`, worker: true });

const tools = { top: worker('top.mjs'), inside: worker('inside.mjs'), small: worker('small.mjs'), python: './small.py' };

const open = (): number => readdirSync('/proc/self/fd').length;

/** Where there is no such folder, descriptors cannot be counted. */
const describeOnLinux = process.platform === 'linux' ? describe : () => {};

/** Waits until threads that still end have ended. */
async function settled(kernel: Kernel): Promise<void> {
  await until(() => ((kernel.status()['threads'] as { running: number }).running === 0 ? true : undefined));
}

describeOnLinux('the descriptors of threads', () => {
  it('are back after calls that were aborted while the module of the function was imported', async () => {
    const { kernel } = await functionKernel({ files, tools });
    await kernel.execute('top');
    const before = open();
    for (let turn = 0; turn < 10; turn++) {
      await kernel.reload({ code: true });
      const controller = new AbortController();
      const ended = rejection(kernel.execute('top', {}, { signal: controller.signal }), 'ABORTED');
      // As far as the thread has come after so many turns of this loop.
      for (let wait = 0; wait < turn * 40; wait++) await new Promise(setImmediate);
      controller.abort();
      await ended;
    }
    await settled(kernel);
    expect(open() - before).to.be.at.most(10);
    expect(await kernel.execute('top')).to.equal('loaded');
    await kernel.close();
    expect(open() - before).to.be.at.most(10);
  });

  it('are back after calls that were aborted while the function imported a library', async () => {
    const { kernel } = await functionKernel({ files, tools });
    await kernel.execute('inside');
    const before = open();
    for (let turn = 0; turn < 10; turn++) {
      await kernel.reload({ code: true });
      const controller = new AbortController();
      const onProgress = (): void => controller.abort();
      await rejection(kernel.execute('inside', {}, { signal: controller.signal, onProgress }), 'ABORTED');
    }
    await settled(kernel);
    expect(open() - before).to.be.at.most(10);
  });

  it('are back after twenty reloads with calls in between', async () => {
    const { kernel } = await functionKernel({ files, tools });
    await kernel.execute('small');
    const before = open();
    for (let turn = 0; turn < 20; turn++) {
      await kernel.reload({ code: true });
      expect(await kernel.execute('small')).to.equal(1);
    }
    await settled(kernel);
    expect(open() - before).to.be.at.most(10);
  });
});

describeOnLinux('a process that has as many files open as it may', () => {
  for (const [tool, what] of [
    ['small', 'A worker thread'],
    ['python', 'A Python process'],
  ] as const)
    it(`says so when ${what.toLowerCase()} cannot start, and starts one when that has passed`, async () => {
      const { kernel } = await functionKernel({ files, tools });
      // What is imported by the first call only is there.
      await kernel.execute(tool);
      await kernel.reload({ code: true });
      const taken: number[] = [];
      try {
        for (;;) taken.push(openSync('/dev/null', 'r'));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).to.equal('EMFILE');
      }
      try {
        const error = await rejection(kernel.execute(tool), 'EXECUTION_FAILED');
        expect(error.message).to.include('file descriptors').and.include('EMFILE').and.include('ulimit -n');
        expect([error.retryable, error.details['errno']]).to.deep.equal([true, 'EMFILE']);
      } finally {
        for (const descriptor of taken) closeSync(descriptor);
      }
      expect(await kernel.execute(tool)).to.equal(1);
    });
});
