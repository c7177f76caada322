import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { guardedKernel } from './guarded.ts';
import { rawServer, victim } from './victim.ts';

describe('an allowed server', () => {
  const answers: Readonly<Record<string, (victimPort: number) => string>> = {
    'that names another one in Refresh': (port) =>
      `HTTP/1.1 200 OK\r\nRefresh: 0; url=http://127.0.0.1:${port}/\r\nContent-Length: 2\r\n\r\nok`,
    'that names another one in Alt-Svc': (port) =>
      `HTTP/1.1 200 OK\r\nAlt-Svc: http/1.1="127.0.0.1:${port}"; ma=86400\r\nContent-Length: 2\r\n\r\nok`,
    'that names another one in Link and Content-Location': (port) =>
      `HTTP/1.1 200 OK\r\nLink: <http://127.0.0.1:${port}/>; rel=preload\r\nContent-Location: http://127.0.0.1:${port}/\r\nContent-Length: 2\r\n\r\nok`,
    'that names another one in Location without a redirect': (port) =>
      `HTTP/1.1 201 Created\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 2\r\n\r\nok`,
    'that sends early hints': (port) =>
      `HTTP/1.1 103 Early Hints\r\nLink: <http://127.0.0.1:${port}/>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`,
    'that sends a second answer, a redirect, behind the first': (port) =>
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`,
  };
  for (const [what, answer] of Object.entries(answers)) {
    it(`${what} is read, twice, and nothing else is connected to`, async () => {
      const target = await victim();
      const allowed = await rawServer((socket) => socket.write(answer(target.port)));
      const kernel = await guardedKernel([`127.0.0.1:${allowed.port}`]);
      for (const _ of [1, 2]) expect(await kernel.execute('get', { url: `http://127.0.0.1:${allowed.port}/` })).to.equal('ok');
      expect(target.connections).to.deep.equal([]);
    });
  }

  const noAnswers: Readonly<Record<string, string>> = {
    'HTTP/0.9': '<html>inside</html>',
    'another protocol': '220 mail.example ESMTP ready\r\n',
    'HTTP/1.1 with a header that is split by a bare carriage return':
      'HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok',
    'HTTP/1.1 with two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nok',
    'HTTP/1.1 with a length and chunks': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a change to another protocol': 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
  };
  for (const [what, answer] of Object.entries(noAnswers)) {
    it(`that speaks ${what} is not understood`, async () => {
      const allowed = await rawServer((socket) => socket.end(answer));
      const kernel = await guardedKernel([`127.0.0.1:${allowed.port}`]);
      await rejection(kernel.execute('get', { url: `http://127.0.0.1:${allowed.port}/` }), 'EXECUTION_FAILED');
    });
  }

  it('sees one request for what is written in a path, a query or a header', async () => {
    const allowed = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    const kernel = await guardedKernel([`127.0.0.1:${allowed.port}`]);
    const url = `http://127.0.0.1:${allowed.port}/a HTTP/1.1\r\nHost: other\r\n\r\nGET /b?x=\r\nX-Injected: 1`;
    expect(await kernel.execute('get', { url })).to.equal('ok');
    expect(allowed.connections).to.have.length(1);
    expect(allowed.connections[0]).to.match(/^GET \/a%20HTTP\/1\.1Host:%20otherGET%20\/b\?x=X-Injected:%201 HTTP\/1\.1\r\n/);
    await rejection(
      kernel.execute('get', { url: `http://127.0.0.1:${allowed.port}/`, headers: { 'X-A': 'a\r\nX-Injected: 1' } }),
      'EXECUTION_FAILED',
    );
  });
});
