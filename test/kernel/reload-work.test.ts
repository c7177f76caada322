import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginApi } from '../../kernel/index.ts';
import { executorFunction } from '../../plugins/executor-function/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { bareKernel, echoTool } from '../support/test-kernel.ts';

type Work = Parameters<PluginApi['extend']['reload']>[0];

async function kernelWith(work: Work, seen: string[] = []) {
  const logger = memoryLogger();
  const plugin = definePlugin({
    name: 'rules',
    apiVersion,
    apply({ extend, hooks }) {
      extend.reload(work);
      hooks.discover.tap('rules', (sink) => {
        seen.push('discover');
        sink.addTool(echoTool(), { trust: 'operator' });
      });
    },
  });
  const kernel = await bareKernel({ plugins: [executorFunction(), plugin()], logger, timeoutsMs: { discover: 50 } });
  return { kernel, logger, seen };
}

const errors = ({ records }: ReturnType<typeof memoryLogger>) =>
  records.filter(({ level }) => level === 'error').map(({ message }) => message);

describe('what plugins read again in a reload', () => {
  it('is read before tools are discovered, by each reload and not at the start', async () => {
    const seen: string[] = [];
    const { kernel } = await kernelWith(async () => void seen.push('rules'), seen);
    await kernel.reload();
    await kernel.reload();
    expect(seen).to.deep.equal(['discover', 'rules', 'discover', 'rules', 'discover']);
  });

  for (const [what, work, said] of [
    [
      'throws',
      () => {
        throw new Error('no such file');
      },
      'no such file',
    ],
    ['rejects', () => Promise.reject(new Error('no such file')), 'no such file'],
    ['does not end', () => new Promise<void>(() => {}), 'did not end within 50 ms'],
  ] as const satisfies readonly (readonly [string, Work, string])[])
    it(`is logged where it ${what}, and the tools are discovered all the same`, async () => {
      const { kernel, logger, seen } = await kernelWith(work);
      expect((await kernel.reload()).tools.has('echo')).to.equal(true);
      expect(seen).to.have.length(2);
      expect(errors(logger)).to.have.length(1);
      expect(errors(logger)[0]).to.include('Plugin "rules" failed during a reload').and.include(said);
    });

  it('is said inside of apply', async () => {
    let late: PluginApi['extend'] | undefined;
    const plugin = definePlugin({
      name: 'late',
      apiVersion,
      apply({ extend }) {
        late = extend;
      },
    });
    await bareKernel({ plugins: [plugin()] });
    const error = await rejection(
      Promise.resolve().then(() => late?.reload(() => {})),
      'PLUGIN_INVALID',
    );
    expect(error.message).to.include('Do it inside apply()');
  });
});
