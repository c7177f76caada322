import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, type PluginApi } from '../../kernel/index.ts';
import { executorFunction } from '../../plugins/executor-function/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel, echoTool } from '../support/test-kernel.ts';

type Work = Parameters<PluginApi['extend']['beforeAnswers']>[0];

async function kernelWith(work: Work, settled: (isHeld: boolean) => void = () => {}) {
  const logger = memoryLogger();
  const plugin = definePlugin({
    name: 'many',
    apiVersion,
    apply({ extend, hooks }) {
      hooks.discover.tap('many', (sink) => sink.addTool(echoTool(), { trust: 'operator' }));
      extend.beforeAnswers(work);
      hooks.settled.tap('many', ({ isHeld }) => settled(isHeld));
    },
  });
  const kernel: Kernel = await bareKernel({ plugins: [executorFunction(), plugin()], logger, timeoutsMs: { settled: 20 } });
  return { kernel, logger };
}

describe('what plugins do before answers leave', () => {
  it('is done when the host asks for it, once for all calls; which calls these are, their end says', async () => {
    const done: string[] = [];
    const { kernel } = await kernelWith(
      () => void done.push('work'),
      (isHeld) => done.push(isHeld ? 'held' : 'free'),
    );
    for (const isHeld of [true, true, false]) kernel.start({ tool: 'echo', isHeld });
    await kernel.execute('echo');
    expect(kernel.beforeAnswers()).to.equal(undefined);
    expect(done).to.deep.equal(['held', 'held', 'free', 'free', 'work']);
  });

  it('is waited for', async () => {
    let release: () => void = () => {};
    const { kernel } = await kernelWith(() => new Promise<void>((resolve) => (release = resolve)));
    let isOver = false;
    const waiting = Promise.resolve(kernel.beforeAnswers()).then(() => (isOver = true));
    expect(isOver).to.equal(false);
    release();
    await waiting;
  });

  for (const [title, work, said] of [
    ['throws', () => expect.fail('no room'), 'no room'],
    ['rejects', async () => expect.fail('no room'), 'no room'],
    ['never ends', () => new Promise<void>(() => {}), '20 ms'],
  ] as const) {
    it(`holds no answer back where it ${title}, and is named in the log`, async () => {
      const { kernel, logger } = await kernelWith(work);
      await kernel.call({ tool: 'echo' });
      await kernel.beforeAnswers();
      const [line] = logger.records.filter(({ level }) => level === 'error');
      expect(line?.message).to.include('"many"').and.to.include(said);
    });
  }

  it('is named by plugins while they are applied, not later', async () => {
    let late: () => void = () => {};
    const plugin = definePlugin({
      name: 'late',
      apiVersion,
      apply({ extend }) {
        late = () => extend.beforeAnswers(() => {});
      },
    });
    await bareKernel({ plugins: [plugin()] });
    await rejection((async () => late())(), 'PLUGIN_INVALID');
  });
});
