import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { eventFile, isAlive, kernelWith, type ServerEvent, stdioServer } from './kernel-with.ts';

const call = (kernel: Kernel, tool: string, parameters = {}, more = {}) =>
  kernel.call({ tool: `shop_${tool}`, parameters, caller: 'ada', ...more });

const pidsOf = (events: readonly ServerEvent[]): readonly number[] => events.flatMap(({ pid, child }) => [pid ?? [], child ?? []].flat());

describe('the process of a server', () => {
  it('gets the variables that every program gets, and those that are named', async () => {
    const { file, read } = await eventFile();
    process.env['UPSTREAM_TEST_LEAK'] = 'leaked';
    await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file } }) });
    delete process.env['UPSTREAM_TEST_LEAK'];
    const [started] = await read();
    expect(started?.env).to.include.members(['PATH', 'EVENTS', 'TOOLKIT_RUN']).and.not.include('UPSTREAM_TEST_LEAK');
  });

  it('may write what is no message', async () => {
    const kernel = await kernelWith({ shop: stdioServer('plain', { flags: ['noise'] }) });
    expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
  });

  it('is started again for the older handshake when the first question ends it', async () => {
    const { file, read } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file }, flags: ['exits-at-discover'] }) });
    expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
    const [first = 0, second = 0] = pidsOf(await read());
    expect([isAlive(first), isAlive(second)]).to.deep.equal([false, true]);
  });

  it('is started again after it has died, and the call that it died in has an unknown outcome', async () => {
    const { file, read } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file } }) });
    await rejection(call(kernel, 'die'), 'OUTCOME_UNKNOWN');
    expect((await call(kernel, 'echo', { text: 'again' })).output).to.equal('again');
    expect((await read()).filter(({ event }) => event === 'started')).to.have.lengthOf(2);
  });

  it('is started again for a call that it cannot have read, which is sent to the new one', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file }, flags: ['hang'] }) });
    await call(kernel, 'echo', { closeInput: true });
    expect((await call(kernel, 'echo', { text: 'again' })).output).to.equal('again');
    expect((await names()).filter((name) => name === 'started')).to.have.lengthOf(2);
  });

  for (const [what, command, args] of [
    ['ends at once', process.execPath, ['-e', 'process.exit(1)']],
    ['writes something else and ends', process.execPath, ['-e', 'console.log("Content-Length: 10"); process.exit(0)']],
    ['does not exist', '/nowhere/server', []],
  ] as const)
    it(`leaves nothing behind when it ${what}, and others are not touched`, async () => {
      const kernel = await kernelWith({
        bad: { command, args: [...args], pin: 'first-use' },
        shop: stdioServer('plain'),
      });
      const states = Object.fromEntries(kernel.sources.list().map(({ name, state }) => [name, state]));
      expect(states).to.deep.equal({ bad: 'down', shop: 'ready' });
      expect(kernel.sources.list()[0]?.failure).to.match(/The MCP server "bad" cannot be reached/);
      expect((await call(kernel, 'echo', { text: 'hello' })).output).to.equal('hello');
    });

  it('is stopped when it was idle for long enough, and started again by a call', async () => {
    const { file, read } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file }, idleStopMs: 20 }) });
    const [pid = 0] = pidsOf(await read());
    await until(() => !isAlive(pid) || undefined);
    expect(kernel.status()['upstreams']).to.have.nested.property('shop.state', 'stopped');
    expect((await call(kernel, 'echo', { text: 'again' })).output).to.equal('again');
  });

  it('is told of a cancelled call before it gets the next one', async () => {
    const { file, names } = await eventFile();
    const kernel = await kernelWith({ shop: stdioServer('plain', { env: { EVENTS: file } }) });
    const cancelling = new AbortController();
    const slow = call(kernel, 'slow', {}, { signal: cancelling.signal });
    await until(async () => (await names()).includes('waiting') || undefined);
    cancelling.abort();
    await rejection(slow, 'ABORTED');
    await call(kernel, 'echo', { text: 'next' });
    expect((await names()).slice(-2)).to.deep.equal(['cancelled', 'called']);
  });
});
