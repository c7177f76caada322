import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { acceptedFolder, eventFile, kernelWith, stdioServer } from './kernel-with.ts';

const call = (kernel: Kernel, tool: string, parameters = {}, more = {}) =>
  kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada', ...more });

describe('the limits of a server', () => {
  it('let so many calls run, so many wait, and refuse the others', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { concurrency: 1, queue: 1, env: { EVENTS: file } }) });
    const cancelling = new AbortController();
    const slow = call(kernel, 'slow', {}, { signal: cancelling.signal });
    await until(async () => (await names()).includes('waiting') || undefined);
    const next = call(kernel, 'echo', { text: 'waited' });
    await until(() => ((kernel.status()['upstreams'] as { shop: { queued: number } }).shop.queued === 1 ? true : undefined));
    await rejection(call(kernel, 'echo'), 'RATE_LIMITED');
    cancelling.abort();
    await rejection(slow, 'ABORTED');
    expect((await next).output).to.equal('waited');
  });

  it('end a call after its time, and tell the server', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { timeoutMs: 50, env: { EVENTS: file } }) });
    await rejection(call(kernel, 'slow'), 'TIMEOUT');
    await until(async () => (await names()).includes('cancelled') || undefined);
  });

  it('let a start go on while a server with an entry hangs', async () => {
    const folder = await acceptedFolder('echo');
    const kernel = await kernelWith({ shop: stdioServer('plain', { pin: 'lock', flags: ['mute'] }) }, folder);
    expect([...kernel.registry.tools.keys()]).to.deep.equal(['shop_echo']);
    const cancelling = new AbortController();
    const waiting = call(kernel, 'echo', {}, { signal: cancelling.signal });
    cancelling.abort();
    await rejection(waiting, 'ABORTED');
  });

  it('fail a call at once when the server cannot be started, and each later one', async () => {
    const folder = await acceptedFolder('echo');
    const kernel = await kernelWith({ shop: { command: '/nowhere/server', gate: 'none' } }, folder);
    for (let times = 0; times < 2; times++) await rejection(call(kernel, 'echo'), 'DEPENDENCY_MISSING');
    expect(kernel.status()['upstreams']).to.have.nested.property('shop.state', 'down');
  });
});

describe('the secrets of callers', () => {
  it('are each used for a process of its own', async () => {
    const credentialsOf = (caller: string) => ({ SHOP_TOKEN: `token-of-${caller}` });
    const folder = await acceptedFolder('who');
    const server = stdioServer('plain', { pin: 'lock', auth: 'caller', env: { WHO: 'i am {SHOP_TOKEN}' } });
    const kernel = await kernelWith({ shop: server }, folder, { credentialsOf });
    const outputs = await Promise.all(['ada', 'bob', 'ada'].map((caller) => call(kernel, 'who', {}, { caller })));
    // The value is masked in what the caller gets, and each caller has one process.
    expect(outputs.every(({ output }) => !String(output).includes('token-of'))).to.equal(true);
    expect(kernel.status()['upstreams']).to.have.nested.property('shop.connections', 2);
  });
});
