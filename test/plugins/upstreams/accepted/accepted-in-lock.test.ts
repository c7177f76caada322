import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { acceptedInLock, writeAccepted } from '../../../../plugins/upstreams/accepted/accepted-in-lock.ts';
import type { ServerLists } from '../../../../plugins/upstreams/server-lists.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { eventFile, kernelWith, stdioServer } from '../kernel-with.ts';

const lists = (...names: string[]): ServerLists => ({
  tools: names.map((name) => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object', additionalProperties: true } })),
  ...{ resources: [], resourceTemplates: [], prompts: [], completes: false },
});

const plain = lists('echo', 'die', 'slow', 'who', 'change');

describe('the accepted definitions of a server', () => {
  it('are the same files, whatever the order of the server', async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()];
    await writeAccepted(one, 'shop', lists('a', 'b'));
    await writeAccepted(other, 'shop', lists('b', 'a'));
    for (const file of ['toolkit.lock', path.join('toolkit.lock.d', 'shop.upstream.json')])
      expect(await readFile(path.join(one, file), 'utf8')).to.equal(await readFile(path.join(other, file), 'utf8'));
  });

  it('are read as they were written', async () => {
    const folder = await temporaryFolder();
    await writeAccepted(folder, 'shop', lists('a'), { readOnly: ['a', 'gone'] });
    const entry = await acceptedInLock(folder).read('shop');
    expect(entry?.lists).to.deep.equal(lists('a'));
    expect([...(entry?.readOnly ?? [])]).to.deep.equal(['a']);
  });

  it('are refused when they were changed by hand', async () => {
    const folder = await temporaryFolder();
    await writeAccepted(folder, 'shop', lists('a'));
    const file = path.join(folder, 'toolkit.lock.d', 'shop.upstream.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('The tool a.', 'The tool b.'));
    expect((await rejection(acceptedInLock(folder).read('shop'), 'CONFIG_INVALID')).message).to.include(
      'has changed since it was accepted',
    );
  });

  it('are listed at a start without the server', async () => {
    const folder = await temporaryFolder();
    await writeAccepted(folder, 'shop', plain);
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'lock', env: { EVENTS: file } }) }, folder);
    expect([...kernel.registry.tools.keys()]).to.have.lengthOf(5);
    expect(await names()).to.deep.equal([]);
    expect((await kernel.call({ tool: 'shop_echo', parameters: { text: 'hello' }, caller: 'ada' })).output).to.equal('hello');
  });

  it('decide at the first call after a restart: a changed tool is not run', async () => {
    const folder = await temporaryFolder();
    await writeAccepted(folder, 'shop', { ...plain, tools: plain.tools.map((tool) => ({ ...tool, description: 'Other.' })) });
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'lock', env: { EVENTS: file } }) }, folder);
    await rejection(kernel.call({ tool: 'shop_echo', parameters: {}, caller: 'ada' }), 'APPROVAL_REQUIRED');
    expect(await names()).to.not.include('called');
    await until(() => kernel.sources.pending().find(({ name }) => name === 'shop_echo'));
  });

  it('are compared as soon as a host serves, and taken over when another process accepts', async () => {
    const folder = await temporaryFolder();
    await writeAccepted(folder, 'shop', { ...plain, tools: plain.tools.map((tool) => ({ ...tool, description: 'Other.' })) });
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'lock' }) }, folder);
    await kernel.serve();
    await until(() => (kernel.registry.tools.size === 0 ? true : undefined));
    await writeAccepted(folder, 'shop', plain);
    await until(() => (kernel.registry.tools.size === 5 ? true : undefined));
  });

  it('are written once with pin: first-use', async () => {
    const folder = await temporaryFolder();
    await (await kernelWith({ shop: stdioServer('plain') }, folder)).close();
    const lock = await readFile(path.join(folder, 'toolkit.lock'), 'utf8');
    expect(lock).to.match(/upstreams:\n {2}shop:/);
  });
});
