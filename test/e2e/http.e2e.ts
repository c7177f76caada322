import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { forFile, httpClient, start, textOf } from './program.ts';
import { project } from './project.ts';

async function serve(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const server = start(['mcp', '--transport', 'http', '--port', '0', '--tool-paths', 'my-tools', ...args], { cwd: await project(), env });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return { server, url, origin: new URL(url).origin };
}

let sharing: ReturnType<typeof serve> | undefined;

/** One server for the tests that only ask it. Its token is `secret-token`. */
function shared(): ReturnType<typeof serve> {
  sharing ??= forFile(() => serve([], { TOOLKIT_MCP_TOKEN: 'secret-token' }));
  return sharing;
}

const initialize = {
  method: 'POST',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }),
};

describe('toolkit mcp over HTTP', () => {
  it('generates a token, prints it once with the URL, and serves the official client with it', async () => {
    const { server, url } = await serve();
    const [, token = ''] = await server.waitFor(/Token: {6}(\S+)\n/);
    expect(token).to.match(/^[0-9a-f-]{36}$/);
    const client = await httpClient(url, token);
    expect((await client.listTools()).tools.length).to.be.greaterThan(15);
    expect((await client.callTool({ name: 'count_words', arguments: { text: 'a b' } })).structuredContent).to.include({ words: 2 });
    expect(textOf(await client.callTool({ name: 'fs_read_file', arguments: { path: 'notes/héllo wörld.txt' } }))).to.include('Grüße');
    expect(server.stderr().split(token)).to.have.length(2);
  });

  it('takes the token from the flag before the environment, and does not print it', async () => {
    const { server, url } = await serve(['--token', 'from-the-flag'], { TOOLKIT_MCP_TOKEN: 'from-the-environment' });
    await httpClient(url, 'from-the-flag');
    const refused = await httpClient(url, 'from-the-environment').catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(server.stderr()).to.not.include('from-the-');
  });

  it('serves several sessions at once', async () => {
    const { url } = await shared();
    const clients = await Promise.all([1, 2, 3].map(() => httpClient(url, 'secret-token')));
    const answers = await Promise.all(
      clients.map((client, index) => client.callTool({ name: 'count_words', arguments: { text: 'w '.repeat(index) } })),
    );
    expect(answers.map(({ structuredContent }) => (structuredContent as { words: number }).words)).to.deep.equal([0, 1, 2]);
  });

  it('checks requests before anything else', async () => {
    const { url, origin } = await shared();
    const auth = { authorization: 'Bearer secret-token' };
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const cases: { title: string; url: string; init: RequestInit; status: number }[] = [
      { title: 'health without a token', url: `${origin}/health`, init: {}, status: 200 },
      { title: 'no token', url, init: { ...initialize, headers: json }, status: 401 },
      { title: 'a wrong token', url, init: { ...initialize, headers: { ...json, authorization: 'Bearer wrong' } }, status: 401 },
      {
        title: 'a token in another scheme',
        url,
        init: { ...initialize, headers: { ...json, authorization: 'Basic secret-token' } },
        status: 401,
      },
      { title: 'initialize', url, init: { ...initialize, headers: { ...json, ...auth } }, status: 200 },
      { title: 'initialize at /', url: `${origin}/`, init: { ...initialize, headers: { ...json, ...auth } }, status: 200 },
      {
        title: 'a foreign origin',
        url,
        init: { ...initialize, headers: { ...json, ...auth, origin: 'https://evil.example' } },
        status: 403,
      },
      { title: 'the origin null', url, init: { ...initialize, headers: { ...json, ...auth, origin: 'null' } }, status: 403 },
      { title: 'another path', url: `${origin}/other`, init: { ...initialize, headers: { ...json, ...auth } }, status: 404 },
      { title: 'broken JSON', url, init: { method: 'POST', body: '{', headers: { ...json, ...auth } }, status: 400 },
      { title: 'a batch', url, init: { method: 'POST', body: '[]', headers: { ...json, ...auth } }, status: 400 },
      {
        title: 'a call without a session',
        url,
        init: { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers: { ...json, ...auth } },
        status: 400,
      },
      {
        title: 'an unknown session',
        url,
        init: {
          method: 'POST',
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
          headers: { ...json, ...auth, 'mcp-session-id': 'nope' },
        },
        status: 404,
      },
      { title: 'a stream without a session', url, init: { headers: { ...auth, accept: 'text/event-stream' } }, status: 400 },
      { title: 'PUT', url, init: { method: 'PUT', headers: auth }, status: 405 },
      { title: 'OPTIONS without a token', url, init: { method: 'OPTIONS' }, status: 204 },
      {
        title: 'a body over 4 MiB',
        url,
        init: { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024 + 1), headers: { ...json, ...auth } },
        status: 413,
      },
    ];
    for (const { title, url: target, init, status } of cases) {
      const response = await fetch(target, init);
      expect(response.status, title).to.equal(status);
      if (title.startsWith('health'))
        expect(await response.json())
          .to.have.keys('status', 'tools')
          .and.include({ status: 'ok' });
      else await response.body?.cancel();
      if (status === 401) expect(response.headers.get('www-authenticate'), title).to.match(/^Bearer/);
    }
  });

  it('refuses a Host that is not loopback (DNS rebinding)', async () => {
    const { url } = await shared();
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request(url, { method: 'POST', headers: { host: 'evil.example:3000', authorization: 'Bearer secret-token' } }, (response) =>
        resolve(response.statusCode),
      )
        .once('error', reject)
        .end('{}');
    });
    expect(status).to.equal(403);
  });

  it('says what to do when the port is in use, and ends with 1', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const server = start(['mcp', '-t', 'http', '-p', String(port)], { cwd: await project() });
    const { code } = await server.exit;
    blocker.close();
    expect(code).to.equal(1);
    expect(server.stderr()).to.include(`port ${port} is in use`).and.to.include('--port').and.not.include('    at ');
  });
});
