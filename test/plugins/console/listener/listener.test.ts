import { once } from 'node:events';
import { createServer } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import sinon from 'sinon';
import type { HttpRoute } from '../../../../kernel/index.ts';
import { type Listener, type ListenerOptions, openListener } from '../../../../plugins/console/listener/listener.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { dispatch, type Outgoing, raw, send, until } from '../../mcp/support/wire.ts';

const opened: Listener[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((listener) => listener.close()));
});

const page: HttpRoute = { path: '/console', methods: ['GET', 'POST'], body: 'json', handle: () => ({ status: 200, body: 'page' }) };

async function listening(options: Partial<ListenerOptions> = {}) {
  const closing = new AbortController();
  const logger = memoryLogger();
  const settings = { port: 0, host: '127.0.0.1', routes: [page], kernel: { closing: closing.signal }, logger, ...options };
  const listener = await openListener(settings);
  opened.push(listener);
  return { listener, port: Number(new URL(listener.url).port), closing, logger };
}

const get = (port: number, { headers, ...outgoing }: Outgoing = {}) =>
  send(port, {
    method: 'GET',
    path: '/console',
    headers: { authorization: undefined, 'content-type': undefined, ...headers },
    ...outgoing,
  });

describe('the listener of the console', () => {
  it('serves its routes, and says where', async () => {
    const { listener, port } = await listening();
    expect(listener.url).to.equal(`http://127.0.0.1:${port}`);
    const answer = await get(port);
    expect(answer).to.include({ status: 200, body: 'page' });
    expect(answer.headers).to.include({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  const refused: readonly (readonly [what: string, status: number, outgoing: Outgoing, says: string])[] = [
    ['another path', 404, { path: '/' }, 'There is nothing here. Open /console.'],
    ['a path of the MCP server', 404, { path: '/mcp', method: 'POST', body: '{}' }, 'There is nothing here'],
    ['a path that leads upwards', 404, { path: '/x/../console' }, 'There is nothing here'],
    ['a path that is encoded', 404, { path: '/%63onsole' }, 'There is nothing here'],
    ['another method', 405, { method: 'PUT', body: 'a' }, 'The method PUT is not supported'],
    ['a foreign Host', 403, { headers: { host: 'evil.example' } }, 'Host "evil.example" is not allowed'],
    ['a foreign Host at another path', 403, { path: '/x', headers: { host: 'evil.example' } }, 'is not allowed'],
    ['a foreign target in absolute form', 403, { path: 'http://evil.example/console' }, 'Host "evil.example"'],
    ['a page of another site', 403, { method: 'POST', body: '{}', headers: { origin: 'http://evil.example' } }, 'a page of another site'],
    ['a form that another site posts', 403, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 'a page of another site'],
  ];
  for (const [what, status, outgoing, says] of refused)
    it(`refuses ${what}: ${status}`, async () => {
      const handle = sinon.spy(page.handle);
      const { port } = await listening({ routes: [{ ...page, handle }] });
      const answer = await get(port, outgoing);
      expect(answer.status).to.equal(status);
      expect(answer.body).to.include(says);
      expect(handle.callCount).to.equal(0);
    });

  it('refuses a request with two Hosts: 400', async () => {
    const { port } = await listening();
    const answer = await raw(port, 'GET /console HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n', {
      staysOpen: true,
    });
    expect(answer).to.match(/^HTTP\/1\.1 400 /);
  });

  for (const host of ['localhost:1', '127.0.0.1', '[::1]:4000', 'Console.Example', 'a.tools.example:443'])
    it(`answers for the Host ${host}`, async () => {
      const { port } = await listening({ allowedHosts: ['console.example', '*.tools.example'] });
      expect((await get(port, { headers: { host } })).status).to.equal(200);
    });

  it('takes what its own pages send, by its own origin', async () => {
    const { listener, port } = await listening();
    const answer = await get(port, { method: 'POST', body: '{}', headers: { origin: listener.url, 'content-type': 'application/json' } });
    expect(answer.status).to.equal(200);
  });

  for (const host of ['0.0.0.0', '::', '', '192.0.2.1', 'tools.example', '127.0.0.1.example', '127.1'])
    it(`does not listen on "${host}" without HTTPS, and says what to do`, async () => {
      const error = await rejection(listening({ host }), 'CONFIG_INVALID');
      expect(error.message)
        .to.include(`The console does not listen on "${host}"`)
        .and.include('Set "listen.tls" of console to { cert, key } or { selfSigned: true }, or leave "listen.host" out.');
    });

  it('has an address that a browser opens where it listens on every address', async () => {
    const { listener, port } = await listening({ host: '0.0.0.0', tls: { selfSigned: true }, cwd: await temporaryFolder() });
    expect(listener.url).to.equal(`https://127.0.0.1:${port}`);
  });

  it('refuses a port that is in use, and names the option', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const error = await rejection(listening({ port }), 'CONFIG_INVALID');
    expect(error.message).to.equal(
      `The console cannot listen on 127.0.0.1:${port}: port ${port} is in use. Stop the other program, or choose another with "listen.port" of console.`,
    );
    other.close();
  });

  it('refuses an address that this machine does not have, and names the option', async () => {
    const error = await rejection(
      listening({ host: '192.0.2.1', tls: { selfSigned: true }, cwd: await temporaryFolder() }),
      'CONFIG_INVALID',
    );
    expect(error.message).to.include('this machine has no address "192.0.2.1". Correct "listen.host" of console.');
  });

  const certificates: readonly (readonly [tls: ListenerOptions['tls'], says: string])[] = [
    [{}, 'received none of them. Give "listen.tls.cert" with "listen.tls.key" of console, or "listen.tls.selfSigned".'],
    [{ cert: 'a.pem' }, 'received only "listen.tls.cert" of console'],
    [{ cert: 'a.pem', key: 'b.pem' }, '"listen.tls.cert" of console names "'],
    [{ selfSigned: true, key: 'b.pem' }, 'HTTPS has two certificates'],
  ];
  for (const [tls, says] of certificates)
    it(`refuses the certificate ${JSON.stringify(tls)}`, async () => {
      const error = await rejection(listening({ tls, cwd: await temporaryFolder() }), 'CONFIG_INVALID');
      expect(error.message).to.include(says).and.not.include('--cert');
    });

  it('has no route for tokens of operators', async () => {
    const error = await rejection(listening({ routes: [{ ...page, access: 'operator' }] }), 'PLUGIN_INVALID');
    expect(error.message).to.include('"/console"');
  });

  it('speaks TLS 1.2 and newer with a certificate that it signs, and nothing in the clear', async () => {
    const masked = sinon.spy();
    const { listener, port } = await listening({ tls: { selfSigned: true }, cwd: await temporaryFolder(), maskAlso: masked });
    expect(listener.url).to.equal(`https://127.0.0.1:${port}`);
    expect(listener.certificateFile).to.include('.toolkit/certs/localhost.crt');
    expect(masked.args.map(([name]) => name)).to.deep.equal(['CONSOLE_TLS_KEY']);
    const answer = secureRequest({ host: '127.0.0.1', port, path: '/console', rejectUnauthorized: false }).end();
    const [response] = await once(answer, 'response');
    expect(response.statusCode).to.equal(200);
    response.resume();
    const old = connectTls({
      host: '127.0.0.1',
      port,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const [error] = await once(old, 'error');
    expect(error).to.have.property('code', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    const plain = await get(port).then(
      () => 'answered',
      () => 'broken',
    );
    expect(plain).to.equal('broken');
    await listener.reload();
  });

  const stops: readonly (readonly [what: string, stop: (listener: Listener, closing: AbortController) => unknown])[] = [
    ['closed', (listener) => void listener.close()],
    ['stopped with the kernel', (_, closing) => closing.abort()],
  ];
  for (const [what, stop] of stops)
    it(`ends its streams when it is ${what}`, async () => {
      const live: HttpRoute = {
        path: '/console/live',
        handle: () => ({
          status: 200,
          body: (async function* () {
            yield 'first';
            await new Promise(() => {});
          })(),
        }),
      };
      const { listener, port, closing } = await listening({ routes: [live] });
      const response = await dispatch(port, { method: 'GET', path: live.path, headers: { authorization: undefined } });
      await once(response, 'readable');
      stop(listener, closing);
      let text = '';
      for await (const chunk of response) text += chunk;
      expect(text).to.equal('first');
      await listener.close();
      expect(await get(port).catch((error: NodeJS.ErrnoException) => error.code)).to.equal('ECONNREFUSED');
    });

  it('closes connections that have sent nothing', async () => {
    const { listener, port } = await listening();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const gone = once(socket, 'close');
    await listener.close();
    await gone;
  });

  it('has two hundred connections at most', async () => {
    const { port } = await listening();
    let closed = 0;
    const sockets = Array.from({ length: 210 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    for (const socket of sockets) socket.once('close', () => closed++).resume();
    await until(() => closed >= 10 || undefined);
    expect(closed).to.equal(10);
    for (const socket of sockets) socket.destroy();
  });
});
