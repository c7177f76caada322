import { expect } from 'chai';
import { apiVersion, createKernel, definePlugin, type Gauge, type Kernel, type PluginApi } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const adding = (name: string, apply: (api: PluginApi) => void) => definePlugin({ name, apiVersion, apply })();

const gauge = (name: string, read: Gauge['read'] = () => 0): Gauge => ({
  name,
  description: `the number of ${name}`,
  unit: '{thing}',
  read,
});

const own = ['calls.running', 'sources', 'store.operations', 'store.operation.time'];

/** The gauges that plugins have added. */
const added = ({ gauges }: Kernel): readonly Gauge[] => gauges.slice(own.length);

describe('gauges of plugins', () => {
  it('are none without a plugin that adds one: only those of the kernel are there', async () => {
    expect((await bareKernel({ plugins: [] })).gauges.map(({ name }) => name)).to.deep.equal(own);
  });

  it('are there as they were added, in the order of the plugins, after those of the kernel', async () => {
    const given = [gauge('one.first'), gauge('one.second'), gauge('two.only')];
    const [first, second, third] = given as [Gauge, Gauge, Gauge];
    const kernel = await bareKernel({
      plugins: [
        adding('one', ({ extend }) => [first, second].forEach((each) => void extend.gauge(each))),
        adding('silent', () => {}),
        adding('two', ({ extend }) => extend.gauge(third)),
      ],
    });
    expect(added(kernel)).to.deep.equal(given);
    for (const [index, each] of given.entries()) expect(added(kernel)[index]).to.equal(each);
  });

  const reads: readonly { readonly title: string; readonly read: Gauge['read']; readonly value: number | undefined }[] = [
    { title: 'at once', read: () => 7, value: 7 },
    { title: 'later', read: async () => 8, value: 8 },
    { title: 'as unknown', read: async () => undefined, value: undefined },
  ];
  for (const { title, read, value } of reads) {
    it(`may be read ${title}`, async () => {
      const kernel = await bareKernel({ plugins: [adding('one', ({ extend }) => extend.gauge(gauge('one', read)))] });
      expect(await added(kernel)[0]?.read()).to.equal(value);
    });
  }

  it('are read anew each time, and not before a plugin asks', async () => {
    let reads = 0;
    const kernel = await bareKernel({ plugins: [adding('one', ({ extend }) => extend.gauge(gauge('one', () => ++reads)))] });
    expect(reads).to.equal(0);
    expect([await added(kernel)[0]?.read(), await added(kernel)[0]?.read()]).to.deep.equal([1, 2]);
  });

  it('are refused under a name that another plugin has, and both ways out are said', async () => {
    const plugins = ['one', 'two'].map((name) => adding(name, ({ extend }) => extend.gauge(gauge('queue.waiting'))));
    const { message } = await rejection(createKernel({ plugins }), 'PLUGIN_INVALID');
    expect(message).to.equal('Plugin "two" adds the gauge "queue.waiting", which another plugin has added. Remove one of the two.');
  });

  for (const name of own)
    it(`are refused under the name of the kernel's own: ${name}`, async () => {
      const plugin = adding('one', ({ extend }) => extend.gauge(gauge(name)));
      const { message } = await rejection(createKernel({ plugins: [plugin] }), 'PLUGIN_INVALID');
      expect(message).to.equal(`Plugin "one" adds the gauge "${name}", which the kernel has. Choose another name.`);
    });

  it('may have the name of a status, which is another list', async () => {
    const plugin = adding('one', ({ extend }) => {
      extend.status('queue', () => ({ waiting: 1 }));
      extend.gauge(gauge('queue'));
    });
    const kernel = await bareKernel({ plugins: [plugin] });
    expect([added(kernel).length, kernel.status()['queue']]).to.deep.equal([1, { waiting: 1 }]);
  });

  it('are refused after apply', async () => {
    const late = adding('late', ({ hooks, extend }) => hooks.serve.tap('late', () => extend.gauge(gauge('queue.waiting'))));
    const kernel = await bareKernel({ plugins: [late] });
    const { message } = await rejection(kernel.serve(), 'PLUGIN_INVALID');
    expect(message).to.include('adds the gauge "queue.waiting" after apply()');
    expect(added(kernel)).to.deep.equal([]);
  });
});
