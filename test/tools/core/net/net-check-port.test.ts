import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'chai';
import sinon from 'sinon';
import { answerNames } from '../../../plugins/guard-outbound/guarded.ts';
import { victim } from '../../../plugins/guard-outbound/victim.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { deafPort, listener } from './listeners.ts';

const { sharedCoreToolkit } = coreGroup('net');

interface PortState {
  readonly open: boolean;
  readonly latency_ms: number | null;
  readonly error: string | null;
  readonly address: string | null;
}

async function checkPort(
  parameters: Readonly<Record<string, unknown>>,
  allowHosts: readonly string[] = ['127.0.0.0/8', '::1'],
): Promise<PortState> {
  const toolkit = await sharedCoreToolkit({ allowHosts: [...allowHosts] });
  return (await toolkit.execute('net_check_port', parameters)) as unknown as PortState;
}

describe('net_check_port', () => {
  it('finds an open port, sends nothing and hangs up', async () => {
    const { port, closed, whenClosed } = await listener();
    const startedAt = performance.now();
    const state = await checkPort({ host: '127.0.0.1', port });
    expect(state).to.include({ open: true, error: null, address: '127.0.0.1' });
    expect(state.latency_ms)
      .to.be.a('number')
      .and.within(0, performance.now() - startedAt + 0.1);
    await whenClosed(1);
    expect(closed).to.deep.equal([0]);
  });

  it('hangs up on a server that talks first', async () => {
    const { port, whenClosed } = await listener('127.0.0.1', (socket) => socket.write('220 mail.example ESMTP\r\n'.repeat(10_000)));
    expect(await checkPort({ host: '127.0.0.1', port })).to.include({ open: true });
    await whenClosed(1);
  });

  it('finds a closed port', async () => {
    const port = await closedPort();
    const startedAt = performance.now();
    const state = await checkPort({ host: '127.0.0.1', port });
    expect(state).to.include({ open: false, error: 'refused', address: null });
    expect(state.latency_ms)
      .to.be.a('number')
      .and.within(0, performance.now() - startedAt + 0.1);
  });

  it('gives up on a port that does not answer', async () => {
    const state = await checkPort({ host: '127.0.0.1', port: await deafPort(), timeout_ms: 200 });
    expect(state).to.deep.equal({ open: false, latency_ms: null, error: 'timeout', address: null });
  });

  it('says when there is no way to the host', async () => {
    const state = await checkPort({ host: '255.255.255.255', port: 9, timeout_ms: 60_000 }, ['255.255.255.255']);
    expect(state.open).to.equal(false);
    expect(state.error).to.be.oneOf(['unreachable', 'failed']);
  });

  it('takes a name, also one that is not ASCII, and tells which of its addresses answered', async () => {
    const { port, whenClosed } = await listener('127.0.0.3');
    answerNames({ 'xn--bcher-kva.example': [['127.0.0.2', '127.0.0.3', '127.0.0.4']] });
    expect(await checkPort({ host: 'Bücher.example', port })).to.include({ open: true, address: '127.0.0.3' });
    await whenClosed(1);
  });

  it('tries all addresses at the same time, so that a deaf one keeps nobody waiting', async () => {
    const port = await deafPort();
    await listener('127.0.0.5', undefined, port);
    answerNames({ 'shop.example': [['127.0.0.1', '127.0.0.5']] });
    expect(await checkPort({ host: 'shop.example', port, timeout_ms: 60_000 })).to.include({ open: true, address: '127.0.0.5' });
  });

  it('hangs up on every address that took the connection', async () => {
    const { port, closed, whenClosed } = await listener('0.0.0.0');
    answerNames({ 'shop.example': [['127.0.0.1', '127.0.0.2', '127.0.0.3']] });
    expect(await checkPort({ host: 'shop.example', port })).to.include({ open: true });
    await whenClosed(3);
    expect(closed).to.deep.equal([0, 0, 0]);
  });

  it('connects to no more than eight addresses', async () => {
    const { port, closed, whenClosed } = await listener('0.0.0.0');
    answerNames({ 'shop.example': [Array.from({ length: 40 }, (_, index) => `127.0.1.${index + 1}`)] });
    expect(await checkPort({ host: 'shop.example', port })).to.include({ open: true });
    await whenClosed(8);
    expect(await checkPort({ host: '127.0.0.1', port })).to.include({ open: true });
    await whenClosed(9);
    expect(closed).to.have.length(9);
  });

  it('checks IPv6 addresses, with and without brackets', async () => {
    const { port } = await listener('::1');
    for (const host of ['::1', '[::1]', '0:0:0:0:0:0:0:1']) expect(await checkPort({ host, port }), host).to.include({ open: true });
  });

  const blocked = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0.0.0.0',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'inside.example',
    'half.example',
    '①②⑦.⓪.⓪.①',
  ];
  for (const host of blocked) {
    it(`does not touch ${host} unless it is allowed`, async () => {
      const { port, connections } = await victim();
      answerNames({ localhost: [['127.0.0.1']], 'inside.example': [['127.0.0.1']], 'half.example': [['93.184.215.14', '127.0.0.1']] });
      const error = await rejection(checkPort({ host, port }, []), 'OUTBOUND_BLOCKED');
      expect(error.message).to.include('are blocked');
      expect(connections).to.deep.equal([]);
    });
  }

  it('connects to the address that was checked, though the name leads somewhere else by then', async () => {
    const { port } = await listener('127.0.0.2');
    const asked = answerNames({ 'shop.example': [['127.0.0.2'], ['127.0.0.1']] });
    expect(await checkPort({ host: 'shop.example', port }, ['127.0.0.2'])).to.include({ open: true, address: '127.0.0.2' });
    expect(asked).to.deep.equal(['shop.example']);
  });

  it('opens the port that is allowed, and no other of that host', async () => {
    const [open, closed] = [await listener(), await victim()];
    expect(await checkPort({ host: '127.0.0.1', port: open.port }, [`127.0.0.1:${open.port}`])).to.include({ open: true });
    await rejection(checkPort({ host: '127.0.0.1', port: closed.port }, [`127.0.0.1:${open.port}`]), 'OUTBOUND_BLOCKED');
    expect(closed.connections).to.deep.equal([]);
  });

  it('ends with NOT_FOUND for a name without an address', async () => {
    answerNames({});
    const error = await rejection(checkPort({ host: 'nowhere.example', port: 80 }), 'NOT_FOUND');
    expect(error.message).to.equal('The name "nowhere.example" has no address. Check how it is written.');
  });

  it('ends with UPSTREAM_UNAVAILABLE when names cannot be looked up', async () => {
    sinon
      .stub(dns, 'lookup')
      .callsFake(((_: string, __: unknown, callback: (error: Error) => void) =>
        callback(Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' }))) as never);
    syncBuiltinESMExports();
    const error = await rejection(checkPort({ host: 'shop.example', port: 80 }), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('The address of "shop.example" cannot be looked up: EAI_AGAIN');
  });

  it('ends with TIMEOUT when the name is not found in time', async () => {
    answerNames({ 'slow.example': [[]] });
    const error = await rejection(checkPort({ host: 'slow.example', port: 80, timeout_ms: 20 }), 'TIMEOUT');
    expect(error.message).to.include('The address of "slow.example" was not found within 20 ms');
  });

  it('stops when the call is cancelled', async () => {
    const cancelled = new AbortController();
    answerNames({ 'slow.example': [[]] });
    const toolkit = await sharedCoreToolkit();
    const call = toolkit.execute('net_check_port', { host: 'slow.example', port: 80, timeout_ms: 60_000 }, { signal: cancelled.signal });
    cancelled.abort();
    await rejection(call, 'ABORTED');
  });

  it('stops connecting when the call is cancelled', async () => {
    const cancelled = new AbortController();
    const toolkit = await sharedCoreToolkit({ allowHosts: ['127.0.0.1'] });
    const port = await deafPort();
    const call = toolkit.execute('net_check_port', { host: '127.0.0.1', port, timeout_ms: 60_000 }, { signal: cancelled.signal });
    setImmediate(() => setImmediate(() => cancelled.abort()));
    await rejection(call, 'ABORTED');
  });

  const mistakes = [
    'https://shop.example',
    'shop.example:80',
    'shop.example/x',
    'me@shop.example',
    'a b',
    'shop.example\0',
    'shop%2eexample',
    '[shop.example]',
    '[::1',
    'xn--',
  ];
  for (const host of mistakes) {
    it(`says that ${JSON.stringify(host)} is no host`, async () => {
      const error = await rejection(checkPort({ host, port: 80 }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('expected the name or the address of a host, received');
      expect(error.details.issues).to.have.nested.property('[0].path', 'host');
    });
  }

  const refused = [
    { parameters: { port: 80 }, says: 'host is required' },
    { parameters: { host: 'shop.example' }, says: 'port is required' },
    { parameters: { host: '', port: 80 }, says: 'host expected' },
    { parameters: { host: 'x'.repeat(254), port: 80 }, says: 'host expected' },
    { parameters: { host: 'shop.example', port: 0 }, says: 'port expected' },
    { parameters: { host: 'shop.example', port: 65_536 }, says: 'port expected' },
    { parameters: { host: 'shop.example', port: '80' }, says: 'port expected' },
    { parameters: { host: 'shop.example', port: 80, timeout_ms: 0 }, says: 'timeout_ms expected' },
    { parameters: { host: 'shop.example', port: 80, timeout_ms: 60_001 }, says: 'timeout_ms expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 60)}: ${says}`, async () => {
      expect((await rejection(checkPort(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
