import { token } from '../../support/wire.ts';
import { type Case, itAnswers, otherToken, type Request, type Wanted } from '../../support/wire-cases.ts';
import { initialize, newest } from '../../support/wire-client.ts';

const init = JSON.stringify(initialize);
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const noToken = { authorization: undefined };

const host = (name: string): Request => ({ headers: { host: name }, body: init });
const origin = (...origins: string[]): Request => ({ headers: { origin: origins }, body: init });
const preflight = (page: string): Request => ({ method: 'OPTIONS', path: '/any/path', headers: { ...noToken, origin: page } });
const auth = (authorization: string): Request => ({ headers: { authorization }, body: init });
const version = (...versions: string[]): Request => ({ session: 'mine', headers: { 'mcp-protocol-version': versions }, body: ping });
const accept = (types: string): Request => ({ headers: { accept: types }, body: init });
const encoded = (coding: string): Request => ({ headers: { 'content-encoding': coding }, body: init });
const contentType = (type: string | undefined): Request => ({ headers: { 'content-type': type }, body: init });

const unauthorized: Wanted = { code: -32000, headers: { 'www-authenticate': 'Bearer', vary: 'Origin' } };
const wrongToken: Wanted = { ...unauthorized, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } };
const noCors = { 'access-control-allow-origin': undefined, 'access-control-allow-methods': undefined };
const cors = (page: string): Wanted => ({
  headers: { vary: 'Origin', 'access-control-allow-origin': page, 'access-control-expose-headers': /Mcp-Session-Id/ },
});
const asksFor = (names: string): Request => ({
  method: 'OPTIONS',
  headers: { ...noToken, origin: 'http://localhost', 'access-control-request-headers': names },
});
const preflighted = (page: string): Wanted => ({
  headers: {
    ...cors(page).headers,
    'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
    'access-control-allow-headers': /^Accept, Authorization, .*Mcp-Session-Id, Traceparent, Tracestate, X-Trace$/,
    'access-control-max-age': '600',
    'access-control-allow-credentials': undefined,
  },
});

const tables: Readonly<Record<string, readonly Case[]>> = {
  health: [
    ['GET without a token', 200, { method: 'GET', path: '/health', headers: noToken }, { says: '{"status":"ok","tools":1}' }],
    ['GET with a token', 200, { method: 'GET', path: '/health' }, { headers: { 'cache-control': 'no-store' } }],
    ['GET with a wrong token', 200, { method: 'GET', path: '/health', headers: { authorization: 'Bearer wrong' } }],
    ['GET with a query', 200, { method: 'GET', path: '/health?deep=1', headers: noToken }],
    ['HEAD without a token', 200, { method: 'HEAD', path: '/health', headers: noToken }, { says: /^$/ }],
    ['GET from another host', 403, { method: 'GET', path: '/health', headers: { host: 'evil.test' } }, { code: -32000 }],
    ['GET from a foreign page', 403, { method: 'GET', path: '/health', headers: { origin: 'https://evil.test' } }, { headers: noCors }],
    ['POST', 404, { path: '/health', body: init }],
  ],
  probes: [
    ...['/live', '/ready'].flatMap((path): Case[] => [
      [`GET ${path} without a token`, 200, { method: 'GET', path, headers: noToken }, { says: '{"status":"ok"}' }],
      [`GET ${path} with the token of the operator, who is told no more`, 200, { method: 'GET', path }, { says: '{"status":"ok"}' }],
      [
        `GET ${path} with a query`,
        200,
        { method: 'GET', path: `${path}?deep=1`, headers: noToken },
        { headers: { 'cache-control': 'no-store' } },
      ],
      [`HEAD ${path}`, 200, { method: 'HEAD', path, headers: noToken }, { says: /^$/ }],
      [`GET ${path} of an address in the Host header`, 200, { method: 'GET', path, headers: { ...noToken, host: '10.1.2.3:3000' } }],
      [
        `GET ${path} of a foreign page`,
        403,
        { method: 'GET', path, headers: { ...noToken, origin: 'https://evil.test' } },
        { headers: noCors },
      ],
      [`POST ${path} without a token`, 401, { path, headers: noToken, body: init }],
      [`POST ${path} of another host`, 403, { path, headers: { host: 'evil.test' }, body: init }],
      [`POST ${path}`, 404, { path, body: init }],
      [`GET ${path}/ without a token`, 401, { method: 'GET', path: `${path}/`, headers: noToken }],
    ]),
  ],
  Host: [
    ['localhost', 200, host('localhost')],
    ['localhost with a port', 200, host('localhost:3000')],
    ['localhost in upper case', 200, host('LOCALHOST:3000')],
    ['127.0.0.1', 200, host('127.0.0.1:3000')],
    ['[::1]', 200, host('[::1]:3000')],
    ['one that is listed', 200, host('api.example.com')],
    ['one that is listed, with a port', 200, host('API.example.com:8443')],
    ['one that a wildcard covers', 200, host('a.tools.example:443')],
    ['another', 403, host('evil.test'), { code: -32000, says: 'evil.test', headers: noCors }],
    ['an empty one', 403, host('')],
    ['localhost with a trailing dot', 403, host('localhost.')],
    ['a user before a good host', 403, host('user@localhost')],
    ['a path after a good host', 403, host('localhost/evil')],
    ['a good host as the user of another', 403, host('localhost:3000@evil.test')],
    ['a good name as the start of another', 403, host('localhost.evil.test')],
    ['the end of a wildcard as a path', 403, host('evil.test/.tools.example')],
    ['the end of a wildcard after a user', 403, host('evil.test@.tools.example')],
    ['the end of a wildcard as a fragment', 403, host('evil.test#.tools.example')],
    ['the part of a wildcard alone', 403, host('tools.example')],
  ],
  Origin: [
    ['a loopback page', 200, origin('http://localhost:5173'), cors('http://localhost:5173')],
    ['a loopback page in IPv6', 200, origin('http://[::1]:5173'), cors('http://[::1]:5173')],
    ['a listed page', 200, origin('https://app.example.com'), cors('https://app.example.com')],
    ['a page that a wildcard covers', 200, origin('https://a.pages.example'), cors('https://a.pages.example')],
    ['a page that nobody listed', 403, origin('https://evil.test'), { code: -32000, says: 'evil.test', headers: noCors }],
    ['null', 403, origin('null'), { headers: noCors }],
    ['an empty one', 403, origin('')],
    ['one that cannot be parsed', 403, origin('https://[')],
    ['one that cannot be parsed but fits a wildcard', 403, origin('https://[.pages.example')],
    ['one with a path that fits a wildcard', 403, origin('https://evil.test/.pages.example')],
    ['a listed one over plain HTTP', 403, origin('http://app.example.com')],
    ['a listed one with another port', 403, origin('https://app.example.com:8443')],
    ['loopback as the start of another name', 403, origin('http://localhost.evil.test')],
    ['loopback over FTP', 403, origin('ftp://localhost'), { headers: noCors }],
    ['loopback as a script', 403, origin('javascript://localhost'), { headers: noCors }],
    ['loopback of a file', 403, origin('file://localhost'), { headers: noCors }],
    ['loopback over WebSocket', 403, origin('ws://127.0.0.1:8080'), { headers: noCors }],
    ['loopback of an extension', 403, origin('chrome-extension://localhost'), { headers: noCors }],
    ['an extension that is listed', 200, origin('chrome-extension://abcdefgh'), cors('chrome-extension://abcdefgh')],
    ['two of them', 403, origin('http://localhost', 'https://evil.test')],
    [
      'a page without a token, which may read the refusal',
      401,
      { headers: { ...noToken, origin: 'https://app.example.com' } },
      cors('https://app.example.com'),
    ],
  ],
  preflight: [
    ['a listed page', 204, preflight('https://app.example.com'), preflighted('https://app.example.com')],
    ['a page that a wildcard covers', 204, preflight('https://a.pages.example'), preflighted('https://a.pages.example')],
    ['a loopback page', 204, preflight('http://127.0.0.1:8080'), preflighted('http://127.0.0.1:8080')],
    ['no page', 204, { method: 'OPTIONS', headers: noToken }, { headers: { 'access-control-allow-origin': undefined } }],
    [
      'a page that asks for headers of parameters',
      204,
      asksFor('Mcp-Param-Region, x-other,mcp-param-b, Mcp-Param-\u00e9, Mcp-Method'),
      { headers: { 'access-control-allow-headers': /, Mcp-Param-Region, mcp-param-b, X-Trace$/ } },
    ],
    ['null', 403, preflight('null'), { headers: noCors }],
    ['a foreign page', 403, preflight('https://evil.test'), { headers: noCors }],
    ['another host', 403, { method: 'OPTIONS', headers: { host: 'evil.test', origin: 'http://localhost' } }, { headers: noCors }],
  ],
  path: [
    ['/', 200, { path: '/', body: init }],
    ['a query', 200, { path: '/mcp?a=b', body: init }],
    ['//', 404, { path: '//', body: init }],
    ['/mcp/', 404, { path: '/mcp/', body: init }],
    ['//mcp', 404, { path: '//mcp', body: init }],
    ['/MCP', 404, { path: '/MCP', body: init }],
    ['/mcp/../mcp', 404, { path: '/mcp/../mcp', body: init }],
    ['/%6dcp', 404, { path: '/%6dcp', body: init }],
    ['%00', 404, { path: '/mcp%00', body: init }],
    ['a long one, of which the answer shows the start', 404, { path: `/${'x'.repeat(8000)}`, body: init }, { says: /^.{0,250}$/ }],
    ['one that is too long', 431, { path: `/${'x'.repeat(20_000)}`, body: init }],
  ],
  token: [
    ['none', 401, { headers: noToken, body: init }, unauthorized],
    ['none, in a GET', 401, { method: 'GET', headers: noToken }, unauthorized],
    ['none, in a DELETE', 401, { method: 'DELETE', headers: noToken, session: 'mine' }, unauthorized],
    ['none, in a method that is not served', 401, { method: 'PUT', headers: noToken }, unauthorized],
    ['one in the query', 401, { path: `/mcp?token=${token}&access_token=${token}`, headers: noToken, body: init }, unauthorized],
    ['one in a form', 401, { headers: { ...noToken, 'content-type': 'application/x-www-form-urlencoded' }, body: `access_token=${token}` }],
    ['one in a cookie', 401, { headers: { ...noToken, cookie: `token=${token}` }, body: init }, unauthorized],
    ['Basic', 401, auth(`Basic ${Buffer.from(`user:${token}`).toString('base64')}`), unauthorized],
    ['the token alone', 401, auth(token), unauthorized],
    ['an empty one', 401, auth('Bearer '), unauthorized],
    ['two', 401, auth(`Bearer ${token} ${token}`), unauthorized],
    ['a wrong one', 401, auth('Bearer wrong'), wrongToken],
    ['the start of the token', 401, auth(`Bearer ${token.slice(0, -1)}`), wrongToken],
    ['the token and more', 401, auth(`Bearer ${token}x`), wrongToken],
    ['the token in upper case', 401, auth(`Bearer ${token.toUpperCase()}`), wrongToken],
    ['100 kB', 431, auth(`Bearer ${'x'.repeat(100_000)}`)],
    ['"bearer" in lower case', 200, auth(`bearer ${token}`)],
    ['two spaces', 200, auth(`Bearer  ${token}`)],
    ['that of another caller', 200, auth(`Bearer ${otherToken}`)],
    ['a wrong one before a good one', 401, { headers: { authorization: ['Bearer wrong', `Bearer ${token}`] }, body: init }, wrongToken],
  ],
  method: [
    ...['PUT', 'PATCH', 'HEAD', 'TRACE'].map(
      (method): Case => [method, 405, { method }, { headers: { allow: 'GET, POST, DELETE, OPTIONS' } }],
    ),
  ],
  media: [
    ['Accept absent', 200, { headers: { accept: undefined }, body: init }],
    ['Accept with one of the two', 406, accept('application/json'), { code: -32000 }],
    ['Accept with the other', 406, accept('text/event-stream')],
    ['Accept with anything', 200, accept('*/*')],
    ['Accept with a wildcard for one', 200, accept('application/*, text/event-stream')],
    ['Accept with wildcards for both', 200, accept('text/*;q=0.1, application/*')],
    ['Accept that refuses JSON', 406, accept('application/json;q=0, text/event-stream')],
    ['Accept that refuses JSON beside anything', 406, accept('*/*, application/json;q=0')],
    ['Accept that refuses streams', 406, accept('text/event-stream; q=0.000, */*')],
    ['Accept with types that begin alike', 406, accept('application/json-seq, text/event-stream-x')],
    ['Accept that names both in a parameter', 406, accept('text/plain;a="application/json, text/event-stream"')],
    ['Accept that is garbage', 406, accept('application/json text/event-stream')],
    ['Accept with a charset', 200, accept('application/json; charset=utf-8, text/event-stream')],
    ['Accept in two lines', 200, { headers: { accept: ['application/json', 'text/event-stream'] }, body: init }],
    ['Accept with parameters', 200, accept('application/json;q=0.9, text/event-stream;q=1')],
    ['Accept in other case', 200, accept('Application/JSON, Text/Event-Stream')],
    ['Accept without a stream, in a GET', 406, { method: 'GET', session: 'mine', headers: { accept: 'application/json' } }],
    ['Content-Type absent', 415, contentType(undefined), { code: -32000 }],
    ['Content-Type text/plain', 415, contentType('text/plain')],
    ['Content-Type that starts like JSON', 415, contentType('application/json-patch+json')],
    ['Content-Type that contains JSON', 415, contentType('text/plain; a=application/json')],
    ...['gzip', 'GZIP', 'br', 'deflate, identity', 'nope'].map(
      (coding): Case => [
        `Content-Encoding ${coding}`,
        415,
        encoded(coding),
        { code: -32000, says: 'Content-Encoding', headers: { 'accept-encoding': 'identity' } },
      ],
    ),
    ['Content-Encoding identity', 200, encoded('Identity')],
    ['Content-Encoding that is empty', 200, encoded('')],
    ['Content-Type with a charset', 200, contentType('Application/JSON; charset=utf-8')],
  ],
  version: [
    ...[newest, '2025-06-18', '2025-03-26', '2024-11-05'].map((known): Case => [known, 200, version(known)]),
    ['none', 200, { session: 'mine', body: ping }],
    ['one of the future', 400, version('2099-01-01'), { code: -32000, ids: [1], says: newest }],
    ['an empty one', 400, version('')],
    ['one that is given twice', 400, version(newest, newest)],
    ['a wrong one, in a GET', 400, { method: 'GET', session: 'mine', headers: { 'mcp-protocol-version': 'x' } }],
    ['a wrong one, in a DELETE', 400, { method: 'DELETE', session: 'mine', headers: { 'mcp-protocol-version': 'x' } }],
  ],
  session: [
    ['none', 400, { body: ping }, { code: -32000, ids: [1], says: 'Mcp-Session-Id' }],
    ['none, in a GET', 400, { method: 'GET' }],
    ['none, in a DELETE', 400, { method: 'DELETE' }],
    ['an unknown one', 404, { headers: { 'mcp-session-id': 'unknown' }, body: ping }, { code: -32001, ids: [1] }],
    ['an empty one', 404, { headers: { 'mcp-session-id': '' }, body: ping }],
    ['an unknown one, for initialize', 404, { headers: { 'mcp-session-id': 'unknown' }, body: init }],
    ['__proto__', 404, { headers: { 'mcp-session-id': '__proto__' }, body: ping }],
    ['that of another caller', 404, { session: 'of another', body: ping }, { code: -32001 }],
    ['that of another caller, in a GET', 404, { session: 'of another', method: 'GET' }],
    ['that of another caller, in a DELETE', 404, { session: 'of another', method: 'DELETE' }],
    ['one that has ended', 404, { session: 'ended', body: ping }, { code: -32001 }],
    ['one that is given twice', 404, { session: 'mine, twice', body: ping }],
    ['a second initialize', 400, { session: 'mine', body: init }, { code: -32600, ids: ['initialize'] }],
  ],
};

describe('the request checks of the HTTP transport', () => {
  itAnswers(
    {
      allowedHosts: ['api.example.com', '*.tools.example'],
      allowedOrigins: ['https://app.example.com', 'https://*.pages.example', 'chrome-extension://abcdefgh'],
      allowedHeaders: ['X-Trace'],
    },
    tables,
  );
});
