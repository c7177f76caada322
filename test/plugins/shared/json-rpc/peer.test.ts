import { expect } from 'chai';
import type { Message, RequestId, Wire } from '../../../../plugins/shared/json-rpc/message.ts';
import { Incoming, Peer } from '../../../../plugins/shared/json-rpc/peer.ts';
import { RpcError } from '../../../../plugins/shared/json-rpc/rpc-error.ts';

const cancellation = (id: RequestId, reason: unknown) => ({ method: 'cancelled', params: { id, reason: String(reason) } });

/** A peer, the messages that it sent, and the request of the other side that each belongs to. */
function peerOverMemory(wire?: Wire) {
  const sent: [message: Message, request: RequestId | undefined][] = [];
  const own: Wire = wire ?? { send: (message, request) => void sent.push([message, request]) };
  return { peer: new Peer({ wire: own, cancellation }), sent, wire: own };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a JSON-RPC peer', () => {
  it('sends the result of a handler at once when it is no promise', () => {
    const { peer, sent, wire } = peerOverMemory();
    peer.run(new Incoming(1, wire, undefined), () => ({ done: true }));
    expect(sent).to.deep.equal([[{ jsonrpc: '2.0', id: 1, result: { done: true } }, 1]]);
    expect(peer.isRunning(1)).to.equal(false);
  });

  it('sends the error that a handler throws or rejects with', async () => {
    const { peer, sent, wire } = peerOverMemory();
    const error = new RpcError(-32602, 'no', { at: 'x' });
    peer.run(new Incoming(1, wire, undefined), () => {
      throw error;
    });
    peer.run(new Incoming(2, wire, undefined), () => Promise.reject(error));
    await peer.drain(1000, () => error);
    const member = { code: -32602, message: 'no', data: { at: 'x' } };
    expect(sent.map(([message]) => message)).to.deep.equal([1, 2].map((id) => ({ jsonrpc: '2.0', id, error: member })));
  });

  it('sends nothing for a request that is cancelled, and aborts its handler', async () => {
    const { peer, sent, wire } = peerOverMemory();
    const incoming = new Incoming('a', wire, undefined);
    peer.run(incoming, () => new Promise((resolve) => incoming.signal.addEventListener('abort', () => resolve({}))));
    expect([peer.cancel('b', 'other'), peer.cancel('a', 'enough'), peer.cancel('a', 'again')]).to.deep.equal([false, true, false]);
    expect(incoming.signal.reason).to.equal('enough');
    await new Promise(setImmediate);
    expect(sent).to.deep.equal([]);
  });

  it('lets a detached request end on the wire that it was redirected to', async () => {
    const { peer, sent, wire } = peerOverMemory();
    const taken: Message[] = [];
    const incoming = new Incoming(1, wire, undefined);
    let end = (_result: object): void => {};
    peer.run(incoming, () => new Promise<object>((resolve) => (end = resolve)));
    expect(peer.detach(incoming)).to.equal(true);
    incoming.redirect({ send: (message) => void taken.push(message) });
    end({ late: true });
    await new Promise(setImmediate);
    expect([sent, taken]).to.deep.equal([[], [{ jsonrpc: '2.0', id: 1, result: { late: true } }]]);
  });

  it('fails what still runs when its time to drain is over, once', async () => {
    const { peer, sent, wire } = peerOverMemory();
    let end = (_result: object): void => {};
    peer.run(new Incoming(1, wire, undefined), () => new Promise<object>((resolve) => (end = resolve)));
    await peer.drain(0, () => new RpcError(-32000, 'stopped'));
    end({});
    await new Promise(setImmediate);
    expect(sent.map(([message]) => message)).to.deep.equal([{ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'stopped' } }]);
  });

  it('asks the other side for a request of its own, and cancels what is not wanted any more', async () => {
    const { peer, sent } = peerOverMemory();
    const controller = new AbortController();
    const first = peer.ask('x', { n: 1 }, { request: 'call' });
    const second = failureOf(peer.ask('x', { n: 2 }, { request: 'call', signal: controller.signal }));
    controller.abort('enough');
    expect(await second).to.equal('enough');
    peer.receive({ id: 1, result: { is: 1 } });
    peer.receive({ id: 2, result: { is: 2 } });
    expect(await first).to.deep.equal({ is: 1 });
    expect(sent.map(([message, request]) => [(message as { method: string }).method, request])).to.deep.equal([
      ['x', 'call'],
      ['x', 'call'],
      ['cancelled', 'call'],
    ]);
  });

  it('rejects what it asked, and what it asks later, when the other side answers no more', async () => {
    const { peer, sent } = peerOverMemory();
    const asked = failureOf(peer.ask('x', {}));
    peer.silence(new Error('gone'));
    for (const error of [await asked, await failureOf(peer.ask('y', {}))]) expect((error as Error).message).to.equal('gone');
    expect(sent).to.have.length(1);
  });

  it('forgets a request that could not be sent', async () => {
    const { peer } = peerOverMemory({
      send: () => {
        throw new Error('too long');
      },
    });
    expect(((await failureOf(peer.ask('x', {}))) as Error).message).to.equal('too long');
    peer.receive({ id: 1, result: {} });
  });
});
