import net from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { ToolkitError } from '../../../../kernel/index.ts';
import { connectFirst } from '../../../../tools/core/net/connect.ts';
import { closedPort } from '../../../support/closed-port.ts';
import { rejection } from '../../../support/rejection.ts';
import { deafPort, listener } from './listeners.ts';

const v4 = (address: string) => ({ address, family: 4 }) as const;

describe('a connection to the first address that answers', () => {
  afterEach(() => sinon.restore());

  it('leaves no other one open, nor on its way', async () => {
    const port = await deafPort();
    await listener('127.0.0.5', undefined, port);
    await listener('127.0.0.6', undefined, port);
    const connect = sinon.spy(net, 'connect');
    const { socket, address } = await connectFirst(['127.0.0.1', '127.0.0.5', '127.0.0.6'].map(v4), port, new AbortController().signal);
    expect(address).to.be.oneOf(['127.0.0.5', '127.0.0.6']);
    const sockets = connect.returnValues;
    expect(sockets).to.have.length(3);
    expect(sockets.map(({ destroyed }) => destroyed)).to.deep.equal(sockets.map((each) => each !== socket));
    socket.destroy();
  });

  it('is given up with the signal, and leaves nothing on its way', async () => {
    const port = await deafPort();
    const connect = sinon.spy(net, 'connect');
    const stopped = new AbortController();
    const connection = connectFirst([v4('127.0.0.1')], port, stopped.signal);
    stopped.abort(new ToolkitError('TIMEOUT', 'late'));
    await rejection(connection, 'TIMEOUT');
    expect(connect.returnValues.map(({ destroyed }) => destroyed)).to.deep.equal([true]);
  });

  it('says what each address said when there is none', async () => {
    const port = await closedPort();
    const failure = await connectFirst(['127.0.0.1', '127.0.0.2'].map(v4), port, new AbortController().signal).catch(
      (error: unknown) => error,
    );
    expect((failure as AggregateError).errors.map(({ code }) => code)).to.deep.equal(['ECONNREFUSED', 'ECONNREFUSED']);
  });
});
