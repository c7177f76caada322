import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel, type Tool } from '../../../kernel/index.ts';
import { testKernel } from '../../support/test-kernel.ts';

const size = 500;

/** Two sources, of which one lists another edition each time that it is listed, and calls that wait until they are let go. */
async function twoSources(): Promise<{ readonly kernel: Kernel; letGo(): void }> {
  const waiting: (() => void)[] = [];
  const schema = { type: 'object', additionalProperties: true } as never;
  let edition = 0;
  const plugin = definePlugin({
    name: 'shops',
    apiVersion,
    apply({ extend, hooks }) {
      extend.execution('shops', { schema, risk: () => 'low' });
      hooks.execute.for('shops').tapPromise('shops', async ({ tool }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { output: tool.description };
      });
      for (const name of ['left', 'right'])
        extend.source(name, {
          trust: 'all',
          list({ sink }) {
            const description = name === 'left' ? `Edition ${++edition}.` : 'Stays.';
            for (let index = 0; index < size; index++) sink.addTool({ name: `count_${index}`, description, execution: { type: 'shops' } });
          },
        });
    },
  });
  const kernel = await testKernel({ plugins: [plugin()] });
  return {
    kernel,
    letGo: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

function ofSource(kernel: Kernel, source: string): readonly Tool[] {
  return [...kernel.registry.tools.values()].filter(({ origin }) => origin.source?.name === source);
}

describe('one of two sources that changes', () => {
  it('leaves the tools of the other the same objects, and is told once', async () => {
    const { kernel } = await twoSources();
    const before = ofSource(kernel, 'right');
    let reloads = 0;
    kernel.onReload(() => reloads++);
    await kernel.sources.relist('left');
    const after = ofSource(kernel, 'right');
    expect(after.length).to.equal(size);
    expect(after.every((tool, index) => tool === before[index])).to.equal(true);
    expect([reloads, kernel.registry.get('left_count_7').description]).to.deep.equal([1, 'Edition 2.']);
  });

  it('fails no call that runs or begins meanwhile', async () => {
    const { kernel, letGo } = await twoSources();
    const names = ['left_count_1', 'right_count_1'];
    const running = names.map((name) => kernel.execute(name));
    const relisted = kernel.sources.relist('left');
    const begun = names.map((name) => kernel.execute(name));
    await relisted;
    letGo();
    const results = Promise.all([...running, ...begun]);
    const all = results.then((outputs) => outputs.map(String));
    const pump = setInterval(letGo, 1);
    expect((await all).every((output) => /^(Edition [12]|Stays)\.$/.test(output))).to.equal(true);
    clearInterval(pump);
  });
});
