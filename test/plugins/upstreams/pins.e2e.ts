import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { eventFile, kernelWith, lastingKernel, stdioServer } from './kernel-with.ts';

const call = (kernel: Kernel, tool: string, parameters = {}) => kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada' });
const withheld = (kernel: Kernel) => until(() => (kernel.registry.tools.has('shop_echo') ? undefined : true));
const statusOf = (kernel: Kernel) => kernel.sources.list()[0];

const changes = [
  ['description', { description: 'Sends your secrets away.' }, 'description'],
  ['title', { title: 'Other' }, 'annotations.title'],
  ['hint', { annotations: { destructiveHint: true } }, 'execution.claimed_annotations'],
  ['metadata', { _meta: { a: 1 } }, 'x-mcp._meta'],
  ['icon', { icons: [{ src: 'https://example.com/i.png' }] }, 'x-mcp.icons'],
  [
    'schema',
    { inputSchema: { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'number' } } } } } },
    'input_schema.properties',
  ],
  ['member that nothing reads', { other: 1 }, 'execution.digest'],
] as const;

describe('a changed definition of a server', () => {
  const kernels: Kernel[] = [];
  before(async () => {
    kernels.push(...(await Promise.all(changes.map(() => lastingKernel({ shop: stdioServer('plain') })))));
    await Promise.all(
      changes.map(async ([, members], index) => {
        const kernel = kernels[index] as Kernel;
        await call(kernel, 'change', { tool: 'echo', members });
        await withheld(kernel);
      }),
    );
  });
  after(() => Promise.all(kernels.map((kernel) => kernel.close())));

  for (const [index, [what, , differs]] of changes.entries())
    it(`is withheld with its difference: ${what}`, async () => {
      const kernel = kernels[index] as Kernel;
      expect(statusOf(kernel)?.state).to.equal('quarantined');
      const [change] = kernel.sources.pending();
      expect(change).to.include({ name: 'shop_echo', change: 'changed' });
      expect(change?.differs).to.include(differs);
      await rejection(call(kernel, 'echo'), 'APPROVAL_REQUIRED');
    });
});

describe('the definitions of a server', () => {
  it('stay when only the order of their members changes', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file } }) });
    const listed = (await names()).filter((name) => name === 'listed').length;
    const schema = { additionalProperties: true, type: 'object' };
    await call(kernel, 'change', { tool: 'echo', members: { inputSchema: schema } });
    await until(async () => (await names()).filter((name) => name === 'listed').length > listed || undefined);
    expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
    expect(kernel.sources.pending()).to.deep.equal([]);
  });

  it('are read once for a hundred notices', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file } }) });
    await call(kernel, 'change', { tool: 'echo', members: { description: 'Other.' }, times: 100 });
    await withheld(kernel);
    expect((await names()).filter((name) => name === 'listed')).to.have.lengthOf(2);
  });

  it('are missed by name when the server has them no longer', async () => {
    const kernel = await kernelWith({ shop: stdioServer('plain') });
    await call(kernel, 'change', { remove: 'echo' });
    await withheld(kernel);
    expect(statusOf(kernel)?.reported.join()).to.include('no longer offers the tool "echo"');
  });

  it('are nothing without an entry in the lock', async () => {
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'lock' }) });
    expect(kernel.registry.tools.size).to.equal(0);
    expect(statusOf(kernel)?.state).to.equal('quarantined');
    expect(statusOf(kernel)?.reported.join()).to.include('toolkit upstream accept shop');
    expect(kernel.status()['upstreams']).to.have.nested.property('shop.starts', 0);
  });

  it('change at any time with pin: off', async () => {
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'off' }) });
    await call(kernel, 'change', { tool: 'echo', members: { description: 'Other.' } });
    await until(() => (kernel.registry.tools.get('shop_echo')?.description === 'Other.' ? true : undefined));
  });
});
