import { expect } from 'chai';
import { apiVersion, definePlugin, type HttpRouteRequest } from '../../../../../../kernel/index.ts';
import { form, get, type Handle, noToken, post, serving, text } from '../../../support/route-server.ts';
import { type Outgoing, send, wireServer } from '../../../support/wire.ts';
import { WireClient } from '../../../support/wire-client.ts';

describe('the route of a plugin', () => {
  it('gets a request without a token, whole', async () => {
    const seen: HttpRouteRequest[] = [];
    const { port } = await serving({
      '/hello': (request) => {
        seen.push(request);
        return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: '<p>Grüße</p>' };
      },
    });
    const answer = await get(port, '/hello?who=you&who=me&q=%C3%BC', { 'X-Seen': 'yes' });
    expect(answer).to.include({ status: 200, body: '<p>Grüße</p>' });
    expect(answer.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-security-policy']).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
    const [request] = seen;
    expect(request).to.include({ method: 'GET', path: '/hello', address: '127.0.0.1' });
    expect(request?.query.getAll('who')).to.deep.equal(['you', 'me']);
    expect(request?.query.get('q')).to.equal('ü');
    expect(request?.headers['x-seen']).to.equal('yes');
    expect([...(request?.form ?? ['x'])]).to.deep.equal([]);
  });

  it('may replace the headers of the server, under any case', async () => {
    const { port } = await serving({
      '/away': () => ({
        status: 303,
        headers: { Location: 'https://login.example/', 'Cache-Control': 'private', 'Content-Security-Policy': 'sandbox' },
      }),
    });
    const { status, headers } = await get(port, '/away');
    expect(status).to.equal(303);
    expect(headers).to.include({ location: 'https://login.example/', 'cache-control': 'private', 'content-security-policy': 'sandbox' });
  });

  it('gets a form of a page of this server', async () => {
    const { port } = await serving({ '/form': ({ form: fields }) => ({ status: 200, body: JSON.stringify([...fields]) }) });
    const answer = await post(port, '/form', 'name=Ada+L&code=%2B1&name=B');
    expect(JSON.parse(answer.body)).to.deep.equal([
      ['name', 'Ada L'],
      ['code', '+1'],
      ['name', 'B'],
    ]);
    expect(JSON.parse((await post(port, '/form', undefined, { 'content-type': undefined })).body)).to.deep.equal([]);
    expect(
      JSON.parse((await post(port, '/form', 'a=1', { 'sec-fetch-site': undefined, origin: `http://127.0.0.1:${port}` })).body),
    ).to.deep.equal([['a', '1']]);
  });

  const forms: readonly (readonly [what: string, status: number, body: string | Buffer, headers: Outgoing['headers']])[] = [
    ['JSON', 415, '{}', { 'content-type': 'application/json' }],
    ['a body of no type', 415, 'a=1', { 'content-type': undefined }],
    ['files', 415, 'x', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a form that is compressed', 415, 'a=1', { 'content-encoding': 'gzip' }],
    ['a form of 64 kB and a byte', 413, 'a'.repeat(64 * 1024 + 1), {}],
    ['a form in chunks that is as large', 413, 'a'.repeat(64 * 1024 + 1), { 'transfer-encoding': 'chunked' }],
    ['a form that is not UTF-8', 400, Buffer.from([0x61, 0x3d, 0xff]), {}],
    ['a form of another site', 403, 'a=1', { 'sec-fetch-site': 'cross-site' }],
    ['a form of a page that says nothing of itself', 403, 'a=1', { 'sec-fetch-site': undefined }],
    ['a form of a foreign origin', 403, 'a=1', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
    ['a form of another page of this machine', 403, 'a=1', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['a form that names another host', 403, 'a=1', { host: 'evil.example' }],
  ];
  for (const [what, status, body, headers] of forms)
    it(`does not get ${what}: ${status}`, async () => {
      let called = 0;
      const { port } = await serving({ '/form': () => ({ status: 200, body: String(++called) }) });
      expect((await post(port, '/form', body, headers)).status).to.equal(status);
      expect(called).to.equal(0);
      const largest = 'a'.repeat(64 * 1024);
      expect((await post(port, '/form', largest)).body).to.equal('1');
    });

  describe('with JSON of programs', () => {
    const json = { 'content-type': 'application/json', 'sec-fetch-site': undefined };

    /** A server with such a route, and the bodies that it got. */
    async function servingJson() {
      const bodies: (string | undefined)[] = [];
      const answers = definePlugin({
        name: 'answers',
        apiVersion,
        apply: ({ extend }) =>
          void extend.httpRoute({
            path: '/answer',
            methods: ['POST'],
            body: 'json',
            handle: ({ text: body, form: fields }) => {
              bodies.push(body);
              return { status: 200, body: String([...fields].length) };
            },
          }),
      })();
      const { port } = await wireServer({ more: [answers] });
      return {
        bodies,
        sent: (body: string | Buffer | undefined, headers: Outgoing['headers'] = {}) =>
          post(port, '/answer', body, { ...json, ...headers }),
      };
    }

    it('gets it as it was sent, byte for byte, without an Origin', async () => {
      const { bodies, sent } = await servingJson();
      const given = ['{ "b" : 1,\r\n"a": 1.0 }', '\uFEFF{}', 'no JSON at all', '"ü"', ' '];
      for (const body of given) expect(await sent(body)).to.include({ status: 200, body: '0' });
      expect((await sent('{}', { 'content-type': 'application/json; charset=utf-8' })).status).to.equal(200);
      expect((await sent(undefined, { 'content-type': undefined })).status).to.equal(200);
      expect(bodies).to.deep.equal([...given, '{}', '']);
    });

    const refused: readonly (readonly [what: string, status: number, body: string | Buffer, headers: Outgoing['headers']])[] = [
      ['a form', 415, 'a=1', { 'content-type': form['content-type'] }],
      ['plain text, which pages of other sites can send', 415, '{}', { 'content-type': 'text/plain' }],
      ['JSON that is compressed', 415, '{}', { 'content-encoding': 'gzip' }],
      ['JSON of 64 kB and a byte', 413, 'a'.repeat(64 * 1024 + 1), {}],
      ['JSON that is not UTF-8', 400, Buffer.from([0x22, 0xff, 0x22]), {}],
      ['JSON of a page of another site', 403, '{}', { origin: 'https://evil.example' }],
      ['JSON of a page without an origin', 403, '{}', { origin: 'null' }],
      ['JSON of another page, by its Sec-Fetch-Site alone', 403, '{}', { 'sec-fetch-site': 'cross-site' }],
      ['JSON that names another host', 403, '{}', { host: 'evil.example' }],
    ];
    for (const [what, status, body, headers] of refused)
      it(`does not get ${what}: ${status}`, async () => {
        const { bodies, sent } = await servingJson();
        expect((await sent(body, headers)).status).to.equal(status);
        expect(bodies).to.deep.equal([]);
      });
  });

  it('has GET and POST only, and only those that it names', async () => {
    const pages = definePlugin({
      name: 'pages',
      apiVersion,
      apply: ({ extend }) => {
        extend.httpRoute({ path: '/read', handle: text('read') });
        extend.httpRoute({ path: '/write', methods: ['POST'], handle: text('written') });
      },
    })();
    const { port } = await wireServer({ more: [pages] });
    const allowed = { '/read': 'GET', '/write': 'POST' };
    for (const [path, allow] of Object.entries(allowed))
      for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].filter((name) => name !== allow)) {
        const { status, headers } = await send(port, { method, path, headers: { ...noToken, ...form } });
        expect([method, path, status, headers.allow]).to.deep.equal([method, path, 405, allow]);
      }
    expect((await get(port, '/read')).body).to.equal('read');
    expect((await post(port, '/write', '')).body).to.equal('written');
  });

  it('cannot be read by a page of another origin, not even an allowed one', async () => {
    const { port } = await serving({ '/hello': text('hello') }, { allowedOrigins: ['https://app.example'] });
    for (const origin of ['https://app.example', 'http://localhost:5000', 'null']) {
      const { status, headers } = await get(port, '/hello', { origin, 'sec-fetch-site': 'cross-site' });
      expect([origin, status, headers['access-control-allow-origin']]).to.deep.equal([origin, 403, undefined]);
    }
  });

  it('has the longest match, and the server keeps its own paths', async () => {
    const names = ['/a', '/a/', '/a/b', '/a/b/', '/mcp', '/health', '/live', '/ready', '/.well-known/x', '/.well-known/', '/mcp/x'];
    const { port, records } = await serving(Object.fromEntries(names.map((name) => [name, text(`route ${name}`)])));
    const bodies = new Map<string, string>();
    for (const path of ['/a', '/a/', '/a/x', '/a/x/y', '/a/b', '/a/b/', '/a/b/c', '/a/../mcp', '/mcp/x', '/a%2Fb'])
      bodies.set(path, (await get(port, path)).body);
    expect(Object.fromEntries([...bodies].filter(([, body]) => body.startsWith('route')))).to.deep.equal({
      '/a': 'route /a',
      '/a/': 'route /a/',
      '/a/x': 'route /a/',
      '/a/x/y': 'route /a/',
      '/a/b': 'route /a/b',
      '/a/b/': 'route /a/b/',
      '/a/b/c': 'route /a/b/',
      '/a/../mcp': 'route /a/',
      '/mcp/x': 'route /mcp/x',
    });
    for (const path of ['/', '/mcp', '/health', '/live', '/ready', '/.well-known/x', '/.well-known/y'])
      expect((await get(port, path)).body, path).to.not.include('route');
    const warned = records.filter(({ message }) => message.includes("the server's own")).map(({ message }) => /"(.+)"/.exec(message)?.[1]);
    expect(warned).to.deep.equal(['/mcp', '/health', '/live', '/ready', '/.well-known/x', '/.well-known/']);
    expect((await WireClient.open(port)).sessionId).to.not.equal('');
  });

  it('asks for no token, and the paths beside it do', async () => {
    const { port } = await serving({ '/hello': text('hello') });
    expect((await get(port, '/hello/there')).status).to.equal(401);
    expect((await get(port, '/hell')).status).to.equal(401);
  });

  const failures: readonly (readonly [what: string, handle: Handle])[] = [
    [
      'throws',
      () => {
        throw new Error('with the key of a query');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['has a status that is none', () => ({ status: 42 })],
    ['has a body that is none', () => ({ status: 200, body: 5 as unknown as string })],
    ['splits a header', () => ({ status: 200, headers: { location: 'x\r\nset-cookie: a=b' } })],
    ['gives nothing', () => undefined as never],
  ];
  for (const [what, handle] of failures)
    it(`is answered with a plain 500, and logged, where it ${what}`, async () => {
      const { port, records } = await serving({ '/hello/': handle });
      const { status, body, headers } = await get(port, '/hello/an-id?key=of-a-query');
      expect([status, body]).to.deep.equal([500, 'The server failed.\n']);
      expect(headers).to.include({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
      expect(headers['set-cookie']).to.equal(undefined);
      const [record] = records.filter(({ level }) => level === 'error');
      expect(record?.message).to.equal('the page "/hello/" failed');
      expect(JSON.stringify(records)).to.not.include('of-a-query').and.not.include('an-id');
    });
});
