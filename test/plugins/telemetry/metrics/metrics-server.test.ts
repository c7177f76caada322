import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import sinon from 'sinon';
import { type MetricsServer, serveMetrics } from '../../../../plugins/telemetry/metrics/metrics-server.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { type Outgoing, send } from '../../mcp/support/wire.ts';

const opened: MetricsServer[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

async function serving(host = '127.0.0.1', read = async () => ({ contentType: 'text/plain', text: 'a 1\n' })) {
  const logger = memoryLogger();
  const asked = sinon.spy(read);
  const server = await serveMetrics({ port: 0, host, read: asked, logger });
  opened.push(server);
  // Own text: the address that it listens on.
  const port = Number(new URL(server.url).port);
  return { port, server, logger, asked };
}

/** A request without a token. */
const ask = (port: number, { headers, ...outgoing }: Outgoing = {}) =>
  send(port, { method: 'GET', path: '/metrics', headers: { authorization: undefined, ...headers }, ...outgoing });

describe('a server for the numbers alone', () => {
  it('answers GET and HEAD without a token', async () => {
    const { port } = await serving();
    const answer = await ask(port);
    expect(answer).to.include({ status: 200, body: 'a 1\n' });
    expect(answer.headers).to.include({ 'content-type': 'text/plain', 'cache-control': 'no-store' });
    expect(await ask(port, { path: '/metrics?a=b' })).to.include({ status: 200 });
    expect(await ask(port, { method: 'HEAD' })).to.include({ status: 200, body: '' });
  });

  const refused: readonly (readonly [what: string, status: number, outgoing: Outgoing])[] = [
    ['another path', 404, { path: '/' }],
    ['a path below', 404, { path: '/metrics/x' }],
    ['another method', 405, { method: 'POST', body: 'a' }],
    ['a name that is not its own', 403, { headers: { host: 'evil.example' } }],
    ['a name that ends like its own', 403, { headers: { host: 'evil.localhost' } }],
    ['a name that is none', 403, { headers: { host: 'a b' } }],
  ];
  for (const [what, status, outgoing] of refused)
    it(`refuses ${what}: ${status}, and reads nothing`, async () => {
      const { port, asked } = await serving();
      expect((await ask(port, outgoing)).status).to.equal(status);
      expect(asked.callCount).to.equal(0);
    });

  for (const host of ['localhost:9464', '127.0.0.1', '[::1]:9464', '192.0.2.7:80'])
    it(`answers on loopback for the Host ${host}`, async () => {
      const { port } = await serving();
      expect((await ask(port, { headers: { host } })).status).to.equal(200);
    });

  it('answers for any name where the operator chose an address that is not of loopback', async () => {
    const { port } = await serving('0.0.0.0');
    expect((await ask(port, { headers: { host: 'toolkit:9464' } })).status).to.equal(200);
  });

  it('answers 500 where the numbers cannot be shown, and logs why', async () => {
    const { port, logger } = await serving('127.0.0.1', async () => {
      throw new Error('secret reason');
    });
    expect(await ask(port)).to.include({ status: 500, body: 'The server failed.\n' });
    expect(logger.records.map(({ message }) => message)).to.deep.equal(['the numbers cannot be shown']);
  });

  it('refuses a port that is in use, and says which option to change', async () => {
    const { port } = await serving();
    const again = serveMetrics({ port, host: '127.0.0.1', read: async () => ({ contentType: '', text: '' }), logger: memoryLogger() });
    const error = await rejection(again, 'CONFIG_INVALID');
    expect(error.message).to.equal(
      `The numbers cannot be served on 127.0.0.1:${port}: port ${port} is in use. Stop the other program, or choose another with "metrics.port" of telemetry.`,
    );
  });

  it('closes its connections with itself', async () => {
    const { port, server } = await serving();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    server.close();
    await once(socket, 'close');
    expect(socket.destroyed).to.equal(true);
  });
});
