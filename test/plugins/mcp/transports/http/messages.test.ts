import { expect } from 'chai';
import { raw, startServer, token, type WireServer } from '../../support/wire.ts';
import { type Case, itAnswers, type Request } from '../../support/wire-cases.ts';
import { initialize } from '../../support/wire-client.ts';

const mebibyte = 1024 * 1024;
const init = JSON.stringify(initialize);
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

const body = (text: string | Buffer, headers: Request['headers'] = {}): Request => ({ session: 'mine', body: text, headers });
const message = (members: object): Request => body(JSON.stringify({ jsonrpc: '2.0', id: 1, ...members }));
const call = (params: unknown): Request => message({ method: 'tools/call', params });
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const callNested = (depth: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":${nested(depth)}}}}`;
const latin1 = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"\xe9"}}}', 'latin1');

/** An object with so many members. */
const wide = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));

const tables: Readonly<Record<string, readonly Case[]>> = {
  'what is not JSON': [
    ['nothing', 400, body(''), { code: -32700 }],
    ['broken JSON', 400, body('{"jsonrpc":'), { code: -32700 }],
    ['JSON and more', 400, body(`${ping} x`), { code: -32700 }],
    ['text that is not UTF-8', 400, body(latin1), { code: -32700, ids: [1] }],
    ['a form', 400, body('a=b'), { code: -32700 }],
  ],
  'what is no message': [
    ['an array', 400, body('[]'), { code: -32600 }],
    ['a batch', 400, body(`[${ping},${ping.replace('1,', '2,')}]`), { code: -32600, ids: [1, 2], says: 'send one message' }],
    ['a batch of one', 400, body(`[${ping}]`), { code: -32600, ids: [1], says: /^\{/ }],
    ['a batch without a request', 400, body('[{"jsonrpc":"2.0","method":"note"}]'), { code: -32600, ids: [null] }],
    ['a batch that names no session', 400, { body: `[${ping}]` }, { code: -32600, ids: [1], says: 'send one message' }],
    ['a batch in a session that has ended', 404, { session: 'ended', body: `[${ping}]` }, { code: -32001, ids: [1] }],
    ['a batch that opens a session', 400, { body: `[${init}]` }, { code: -32600, ids: ['initialize'] }],
    ['arrays in arrays', 400, body(nested(10_000)), { code: -32600, ids: [null] }],
    ['a number', 400, body('5'), { code: -32600 }],
    ['null', 400, body('null'), { code: -32600 }],
    ['a text', 400, body('"ping"'), { code: -32600 }],
    ['an object without "jsonrpc"', 400, body('{"id":1,"method":"ping"}'), { code: -32600 }],
    ['JSON-RPC 1.0', 400, body('{"jsonrpc":"1.0","id":1,"method":"ping"}'), { code: -32600, ids: [1] }],
    ['a method that is a number', 400, message({ method: 5 }), { code: -32600 }],
    ['an id that is null', 400, message({ id: null, method: 'ping' }), { code: -32600 }],
    ['an id that is an object', 400, message({ id: {}, method: 'ping' }), { code: -32600 }],
    ['an id beyond 2^53', 400, body('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'), { code: -32600, says: '2^53' }],
    [
      'a progress token beyond 2^53',
      400,
      body('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":-9007199254740993}}}'),
      { code: -32600, says: 'progressToken' },
    ],
    ['parameters that are a text', 400, message({ method: 'ping', params: 'x' }), { code: -32600, ids: [1] }],
    ['parameters that are null', 400, message({ id: 3, method: 'tools/list', params: null }), { code: -32600, ids: [3] }],
    ['a response with two members', 400, message({ result: {}, error: {} }), { code: -32600, ids: [null] }],
    ['nothing but an id', 400, message({}), { code: -32600, ids: [1] }],
  ],
  'messages that want no answer': [
    ['a notification', 202, body('{"jsonrpc":"2.0","method":"notifications/initialized"}'), { says: /^$/ }],
    ['a notification that nobody knows', 202, body('{"jsonrpc":"2.0","method":"notifications/nope"}'), { says: /^$/ }],
    ['a response to nothing', 202, body('{"jsonrpc":"2.0","id":99,"result":{}}'), { says: /^$/ }],
    ['an error to nothing', 202, body('{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}'), { says: /^$/ }],
    ['a cancellation of nothing', 202, body('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}')],
  ],
  requests: [
    ['ping', 200, body(ping), { says: '"result":{}' }],
    ['ping behind a byte order mark', 200, body(`\ufeff${ping}`), { says: '"result":{}' }],
    ['ping with an id of text', 200, message({ id: 'é', method: 'ping' }), { says: '"id":"é"' }],
    ['ping with the id 0', 200, message({ id: 0, method: 'ping' }), { says: '"id":0' }],
    ['a method that nobody knows', 200, message({ method: 'nope' }), { code: -32601 }],
    ['a method called __proto__', 200, message({ method: '__proto__' }), { code: -32601 }],
    ['a call without parameters', 200, message({ method: 'tools/call' }), { code: -32602 }],
    ['a call without a name', 200, call({ arguments: {} }), { code: -32602 }],
    ['a call by a number', 200, call({ name: 5 }), { code: -32602 }],
    ['a call with an array of arguments', 200, call({ name: 'echo', arguments: [] }), { code: -32602 }],
    ['a call with arguments that are null', 200, call({ name: 'echo', arguments: null }), { code: -32602 }],
    ['a call of a tool that does not exist', 200, call({ name: 'nope' }), { code: -32602, says: 'nope' }],
    ['a call of __proto__', 200, call({ name: '__proto__' }), { code: -32602 }],
    ['a call by a long name, of which the answer shows the start', 200, call({ name: 'x'.repeat(100_000) }), { says: /^.{0,1000}$/s }],
    ['a call with an argument that nobody knows', 200, call({ name: 'echo', arguments: { tetx: 'x' } }), { says: '"isError":true' }],
    ['a call with an argument 10,000 deep', 200, body(callNested(10_000)), { says: /"isError":true.*"issues":\[\{/s }],
    ['a list with a cursor that is none', 200, message({ method: 'tools/list', params: { cursor: 'x' } }), { code: -32602 }],
  ],
  initialize: [
    ['in order', 200, { body: init }, { headers: { 'mcp-session-id': /^[\x21-\x7e]{16,}$/ } }],
    ['with a version of the future', 200, { body: init.replace('2025-11-25', '2099-01-01') }, { says: '"protocolVersion":"2025-11-25"' }],
    ['with an older version', 200, { body: init.replace('2025-11-25', '2025-03-26') }, { says: '"protocolVersion":"2025-03-26"' }],
    [
      'without parameters',
      400,
      { body: '{"jsonrpc":"2.0","id":1,"method":"initialize"}' },
      { code: -32602, says: 'The request initialize is wrong: params.protocolVersion: ', headers: { 'mcp-session-id': undefined } },
    ],
    ['without a version', 400, { body: init.replace('protocolVersion', 'version') }, { code: -32602, says: '"id":"initialize"' }],
    ['as a notification', 400, { body: JSON.stringify({ ...initialize, id: undefined }) }, { headers: { 'mcp-session-id': undefined } }],
    ['with an id that is null', 400, { body: JSON.stringify({ ...initialize, id: null }) }, { headers: { 'mcp-session-id': undefined } }],
  ],
  size: [
    ['exactly 4 MiB', 200, body(ping.padEnd(4 * mebibyte)), { says: '"result":{}' }],
    ['a byte more', 413, body(ping.padEnd(4 * mebibyte + 1)), { code: -32600 }],
    [
      'a byte more, with the id before it',
      413,
      call({ name: 'echo', arguments: { text: 'x'.repeat(4 * mebibyte) } }),
      { code: -32600, ids: [1] },
    ],
    [
      'a byte more, with the id behind it',
      413,
      body(`{"params":{"text":"${'x'.repeat(4 * mebibyte)}","id":5},"method":"ping","id":7}`),
      { code: -32600, ids: [7] },
    ],
    [
      '300,000 argument names',
      413,
      call({ name: 'echo', arguments: wide(300_000) }),
      { code: -32600, ids: [1], says: 'more than 100000 members' },
    ],
    ['lists 200,000 deep', 413, body(callNested(200_000)), { code: -32600, says: 'nested deeper than 64 levels' }],
    ['2,000 members of _meta', 413, call({ name: 'echo', _meta: wide(2000) }), { code: -32600, ids: [1], says: 'more than 1000 members' }],
    ['10 MiB', 413, body(ping.padEnd(10 * mebibyte)), { code: -32600, says: '10485760' }],
    ['10 MiB in chunks', 413, body(ping.padEnd(10 * mebibyte), { 'transfer-encoding': 'chunked' }), { code: -32600 }],
    ['10 MiB without a token', 401, { ...body(ping.padEnd(10 * mebibyte)), headers: { authorization: undefined } }],
    ['a small one in chunks', 200, body(ping, { 'transfer-encoding': 'chunked' }), { says: '"result":{}' }],
  ],
};

describe('messages over HTTP', () => {
  itAnswers({}, tables);
});

describe('bytes that are no good HTTP', () => {
  let server: WireServer;

  before(async () => {
    server = await startServer();
  });

  after(() => server.kernel.close());

  const good = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n`;
  const local = `Host: localhost\r\n${good}`;
  const post = (headers: string, text: string): string => `POST /mcp HTTP/1.1\r\n${headers}\r\n${text}`;

  const cases: readonly (readonly [title: string, bytes: string, statuses: readonly number[]])[] = [
    ['no Host', `GET /health HTTP/1.1\r\n${good}\r\n`, [400]],
    ['no Host in HTTP/1.0', 'GET /health HTTP/1.0\r\n\r\n', [403]],
    ['two Hosts', `GET /health HTTP/1.1\r\n${local}Host: evil.test\r\n\r\n`, [400]],
    ['a target in absolute form', `GET http://localhost/health HTTP/1.1\r\n${local}\r\n`, [200]],
    ['a target in absolute form at another host', `GET http://evil.test/health HTTP/1.1\r\n${local}\r\n`, [403]],
    ['a target of another scheme', `GET file:///health HTTP/1.1\r\n${local}\r\n`, [404]],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${local}\r\n`, [204]],
    ['a method that HTTP does not know', `FROB /mcp HTTP/1.1\r\n${local}\r\n`, [400]],
    ['CONNECT', `CONNECT evil.test:443 HTTP/1.1\r\n${local}\r\n`, []],
    ['an upgrade', `GET /health HTTP/1.1\r\nUpgrade: websocket\r\n${local.replace('close', 'Upgrade')}\r\n`, [200]],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01', [400]],
    ['a Content-Length that is too large', post(`${local}Content-Length: 500\r\n`, ping), [400]],
    ['a Content-Length that is too small', post(`${local}Content-Length: 10\r\n`, ping), [400]],
    ['a Content-Length that is negative', post(`${local}Content-Length: -1\r\n`, ping), [400]],
    ['two Content-Lengths', post(`${local}Content-Length: 5\r\nContent-Length: ${ping.length}\r\n`, ping), [400]],
    ['Content-Length beside chunks', post(`${local}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'), [400]],
    ['a chunk whose size is no number', post(`${local}Transfer-Encoding: chunked\r\n`, 'xyz\r\n'), [400]],
    ['chunks that break off', post(`${local}Transfer-Encoding: chunked\r\n`, '5\r\n{"a'), [400]],
    ['a header without a colon', `GET /health HTTP/1.1\r\nwrong\r\n${local}\r\n`, [400]],
    ['a space before the colon', `GET /health HTTP/1.1\r\nX-A : b\r\n${local}\r\n`, [400]],
  ];
  for (const [title, bytes, statuses] of cases) {
    it(`${title}: ${statuses.join(', ') || 'closed'}`, async () => {
      const answer = await raw(server.port, bytes);
      expect([...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))).to.deep.equal(statuses);
      expect(server.records.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  }
});
