import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { HostPeer, type HostPeerOptions, maxLineBytes } from '../../../../plugins/host-stdio/peer/host-peer.ts';
import { RpcError } from '../../../../plugins/shared/json-rpc/rpc-error.ts';

type Handle = HostPeerOptions['handle'];

/** A peer, and what it has sent. */
function peerWith(handle: Handle = () => ({}), more: Partial<HostPeerOptions> = {}) {
  const sent: Record<string, unknown>[] = [];
  const peer = new HostPeer({
    send: (line) => void sent.push(JSON.parse(line)),
    handle,
    isBehind: () => false,
    mask: (value) => value,
    ...more,
  });
  const receive = (message: object): void => peer.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return { peer, sent, receive };
}

/** Two peers that hear each other. */
function pair(left: Handle, right: Handle): readonly [HostPeer, HostPeer] {
  const peers: HostPeer[] = [];
  const own = (handle: Handle, other: number): HostPeer =>
    new HostPeer({
      send: (line) => queueMicrotask(() => peers[other]?.receive(line)),
      handle,
      isBehind: () => false,
      mask: (value) => value,
    });
  peers.push(own(left, 1), own(right, 0));
  return peers as unknown as readonly [HostPeer, HostPeer];
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: Error) => error,
  );
}

describe('a peer', () => {
  it('answers at once what need not wait, and with an empty object where there is nothing to say', () => {
    const { sent, receive } = peerWith((method) => (method === 'now' ? { is: 'now' } : undefined));
    receive({ id: 1, method: 'now' });
    receive({ id: 2, method: 'nothing' });
    expect(sent).to.deep.equal([
      { jsonrpc: '2.0', id: 1, result: { is: 'now' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
  });

  it('asks and answers at the same time, with ids of its own', async () => {
    const [left, right] = pair(
      async (_method, { n }) => ({ left: n }),
      async (_method, { n }): Promise<object> => ({ right: n, ...((await right.ask('x', { n })) as object) }),
    );
    const answers = await Promise.all([1, 2, 3].map((n) => left.ask('x', { n })));
    expect(answers).to.deep.equal([1, 2, 3].map((n) => ({ right: n, left: n })));
  });

  it('tells errors with their code and details', async () => {
    const [left] = pair(
      () => ({}),
      () => {
        throw new ToolkitError('RATE_LIMITED', 'Slow down.', { retryAfterMs: 5 });
      },
    );
    const error = (await failure(left.ask('x', {}))) as RpcError;
    expect(error).to.be.instanceOf(RpcError);
    expect(error.data).to.deep.equal({ code: 'RATE_LIMITED', message: 'Slow down.', retryable: true, retryAfterMs: 5 });
  });

  it('answers a request that is cancelled at once, tells its work, and says nothing more of it', async () => {
    let end = (_value: unknown): void => {};
    let signal: AbortSignal | undefined;
    const { sent, receive } = peerWith((_method, _params, request) => {
      signal = request.signal;
      return new Promise((resolve) => {
        end = resolve;
      }).then((value) => {
        request.progress({ message: 'late' });
        return value;
      });
    });
    receive({ id: 'a', method: 'x' });
    receive({ method: '$/cancel', params: { id: 'a' } });
    receive({ method: '$/cancel', params: { id: 'a' } });
    expect(signal?.aborted).to.equal(true);
    end({});
    await Promise.resolve();
    expect(sent.map(({ id, error }) => [id, (error as { data: { code: string } }).data.code])).to.deep.equal([['a', 'ABORTED']]);
  });

  it('refuses an id that a running request has, and takes it again afterwards', async () => {
    let end = (): void => {};
    const { sent, receive } = peerWith(() => new Promise<void>((resolve) => (end = resolve)));
    receive({ id: 1, method: 'x' });
    receive({ id: 1, method: 'x' });
    expect(sent).to.have.length(1);
    expect(sent[0]).to.have.nested.property('error.code', -32600);
    end();
    await new Promise(setImmediate);
    receive({ id: 1, method: 'x' });
    expect(sent).to.have.length(2);
  });

  it('keeps a text and a number apart as ids', () => {
    const { sent, receive } = peerWith((_method, params) => params);
    receive({ id: 1, method: 'x', params: { is: 'number' } });
    receive({ id: '1', method: 'x', params: { is: 'text' } });
    expect(sent.map(({ id }) => id)).to.deep.equal([1, '1']);
  });

  it('waits no longer for an answer that is not wanted, and ignores it', async () => {
    const { peer, sent, receive } = peerWith();
    const controller = new AbortController();
    const asked = failure(peer.ask('x', {}, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect((await asked).message).to.equal('enough');
    expect(sent[1]).to.deep.equal({ jsonrpc: '2.0', method: '$/cancel', params: { id: 1 } });
    receive({ id: 1, result: {} });
    receive({ id: 77, result: {} });
    expect(sent).to.have.length(2);
  });

  it('asks nothing where the answer is not wanted from the start', async () => {
    const { peer, sent } = peerWith();
    await failure(peer.ask('x', {}, { signal: AbortSignal.abort(new Error('enough')) }));
    expect(sent).to.deep.equal([]);
  });

  it('passes progress on to who asked, and only what progress has', async () => {
    const told: unknown[] = [];
    const { peer, receive } = peerWith();
    const asked = peer.ask('x', {}, { onProgress: (progress) => void told.push(progress) });
    receive({ method: '$/progress', params: { id: 1, progress: 1, total: 'many', message: 'one', secret: 2 } });
    receive({ method: '$/progress', params: { id: 2, progress: 1 } });
    receive({ id: 1, result: {} });
    await asked;
    receive({ method: '$/progress', params: { id: 1, progress: 2 } });
    expect(told).to.deep.equal([{ progress: 1, message: 'one' }]);
  });

  it('tells no progress to a side that is behind', () => {
    const { sent, receive } = peerWith(
      (_method, _params, request) => {
        request.progress({ progress: 1 });
        return {};
      },
      { isBehind: () => true },
    );
    receive({ id: 1, method: 'x' });
    expect(sent).to.deep.equal([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('answers with OUTPUT_TOO_LARGE what no line may hold', () => {
    const { sent, receive } = peerWith(() => ({ text: 'x'.repeat(maxLineBytes) }));
    receive({ id: 1, method: 'x' });
    expect(sent[0]).to.have.nested.property('error.data.code', 'OUTPUT_TOO_LARGE');
  });

  it('ends the request whose answer was not read', async () => {
    const { peer, sent } = peerWith();
    const asked = failure(peer.ask('x', {}));
    peer.refuse({ id: 1, problem: 'has 20 bytes; at most 10 are taken' });
    expect((await asked).message).to.include('20 bytes');
    expect(sent[1]).to.deep.include({ id: null });
  });

  it('hides secrets in errors', () => {
    const { sent, receive } = peerWith(
      () => {
        throw new ToolkitError('EXECUTION_FAILED', 'it is planted');
      },
      { mask: (value) => JSON.parse(JSON.stringify(value).replaceAll('planted', '[secret]')) },
    );
    receive({ id: 1, method: 'x' });
    expect(JSON.stringify(sent)).to.not.include('planted');
  });

  it('ends what both sides asked when it closes, and says nothing more', async () => {
    let signal: AbortSignal | undefined;
    const { peer, sent, receive } = peerWith((_method, _params, request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    receive({ id: 1, method: 'x' });
    const asked = failure(peer.ask('y', {}));
    peer.close(new ToolkitError('ABORTED', 'The host is ending.'));
    expect((await asked).message).to.equal('The host is ending.');
    expect(signal?.aborted).to.equal(true);
    receive({ id: 2, method: 'x' });
    expect((await failure(peer.ask('z', {}))).message).to.equal('The host is ending.');
    expect(sent.map(({ method }) => method)).to.deep.equal(['y']);
  });
});
