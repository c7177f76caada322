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

  it('do not show in another server', async () => {
    const cancelling = new AbortController();
    const servers = {
      hangs: stdioServer('plain'),
      dies: stdioServer('plain', { flags: ['dies'] }),
      missing: { command: '/nowhere/server', pin: 'first-use' },
      shop: stdioServer('plain'),
    } as const;
    const kernel = await kernelWith(servers);
    const statusOf = (name: string) => (kernel.status()['upstreams'] as Record<string, { running: number; queued: number }>)[name];
    const held = Array.from({ length: 40 }, () =>
      kernel.call({ tool: 'hangs_slow', parameters: {}, caller: 'ada', signal: cancelling.signal }).catch(() => {}),
    );
    await until(() => statusOf('hangs')?.queued === 32 || undefined);
    await rejection(kernel.call({ tool: 'hangs_echo', parameters: {}, caller: 'ada' }), 'RATE_LIMITED');
    await rejection(kernel.call({ tool: 'dies_echo', parameters: {}, caller: 'ada' }), 'OUTCOME_UNKNOWN');
    const outputs = await Promise.all(Array.from({ length: 40 }, (_, text) => call(kernel, 'echo', { text: String(text) })));
    expect(outputs.map(({ output }) => output)).to.deep.equal(Array.from({ length: 40 }, (_, text) => String(text)));
    expect(statusOf('hangs')).to.include({ running: 8, queued: 32 });
    cancelling.abort();
    await Promise.all(held);
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
