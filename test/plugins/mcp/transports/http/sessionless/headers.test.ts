import { apiVersion, definePlugin } from '../../../../../../kernel/index.ts';
import { type ModernRequest, modernRequest } from '../../../support/modern-wire.ts';
import { type Case, itAnswers, type Request, type Wanted } from '../../../support/wire-cases.ts';

const list = { method: 'tools/list' };
const call = (name: string, parameters: object = {}): ModernRequest => ({ method: 'tools/call', params: { name, arguments: parameters } });
const withHeaders = (request: ModernRequest, headers: ModernRequest['headers']): Request =>
  modernRequest({ ...request, ...(headers === undefined ? {} : { headers }) });
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

const mismatch = (says: string): Wanted => ({ code: -32020, says });

/** A tool whose parameters are repeated in headers, also one inside of another. */
const routed = definePlugin({
  name: 'routed',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.discover.tap('routed', (sink) => {
      const region = { type: 'string', description: 'Where.', 'x-mcp-header': 'Region' };
      const properties = {
        region,
        size: { type: 'number', description: 'How much.', 'x-mcp-header': 'Size' },
        more: {
          type: 'object',
          description: 'More.',
          properties: { zone: { type: 'string', description: 'Which.', 'x-mcp-header': 'Zone' } },
        },
      };
      const execution = { type: 'command', command: 'echo', args: ['routed'] };
      sink.addTool(
        { name: 'routed', description: 'Goes somewhere.', input_schema: { type: 'object', properties }, execution, risk: 'low' },
        { trust: 'operator' },
      );
    }),
});

const routedCall = (parameters: object, headers: ModernRequest['headers']): Request => withHeaders(call('routed', parameters), headers);

const tables: Readonly<Record<string, readonly Case[]>> = {
  'headers that say what the body says': [
    ['a list', 200, modernRequest(list)],
    ['a call', 200, modernRequest(call('echo', { text: 'x' }))],
    ['a name in base64', 200, withHeaders(call('echo', { text: 'x' }), { 'mcp-name': base64('echo') })],
    ['a name that there is not', 200, modernRequest(call('none')), { code: -32602 }],
    ['a method without a name, with Mcp-Name', 200, withHeaders(list, { 'mcp-name': 'echo' })],
    ['the version twice, one of them in the header', 200, withHeaders(list, { 'mcp-protocol-version': '2026-07-28' })],
  ],
  'Mcp-Method': [
    ['missing', 400, withHeaders(list, { 'mcp-method': undefined }), mismatch('Mcp-Method is missing: expected \\"tools/list\\"')],
    ['another', 400, withHeaders(list, { 'mcp-method': 'tools/call' }), mismatch('Mcp-Method is \\"tools/call\\"')],
    ['in upper case', 400, withHeaders(list, { 'mcp-method': 'TOOLS/LIST' }), { code: -32020 }],
    ['twice', 400, withHeaders(list, { 'mcp-method': ['tools/list', 'tools/list'] }), { code: -32020 }],
    ['in base64', 400, withHeaders(list, { 'mcp-method': base64('tools/list') }), { code: -32020 }],
    ['an empty one', 400, withHeaders(list, { 'mcp-method': '' }), { code: -32020 }],
  ],
  'MCP-Protocol-Version': [
    ['missing', 400, withHeaders(list, { 'mcp-protocol-version': undefined }), mismatch('MCP-Protocol-Version is missing')],
    ['of a session', 400, withHeaders(list, { 'mcp-protocol-version': '2025-11-25' }), { code: -32020 }],
    [
      'one that is not spoken, in the body as well',
      400,
      modernRequest({
        ...list,
        headers: { 'mcp-protocol-version': '2099-01-01' },
        meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
      }),
      { code: -32022, says: '2026-07-28' },
    ],
  ],
  'Mcp-Name': [
    ['missing', 400, withHeaders(call('echo'), { 'mcp-name': undefined }), mismatch('Mcp-Name is missing: expected \\"echo\\"')],
    [
      'that of another tool',
      400,
      withHeaders(call('echo'), { 'mcp-name': 'other' }),
      mismatch('Mcp-Name is \\"other\\", and the body says \\"echo\\"'),
    ],
    ['in base64 that is broken', 400, withHeaders(call('echo'), { 'mcp-name': '=?base64?@@@?=' }), { code: -32020 }],
    ['in base64 with bits left over', 400, withHeaders(call('echo'), { 'mcp-name': '=?base64?ZWNobx==?=' }), { code: -32020 }],
    ['in base64 of another tool', 400, withHeaders(call('echo'), { 'mcp-name': base64('other') }), { code: -32020 }],
    ['the name with a blank in front, which HTTP takes away', 200, withHeaders(call('echo', { text: 'x' }), { 'mcp-name': ' echo' })],
    ['of a resource', 400, withHeaders({ method: 'resources/read', params: { uri: 'a:1' } }, { 'mcp-name': 'a:2' }), { code: -32020 }],
    ['of a prompt', 400, withHeaders({ method: 'prompts/get', params: { name: 'a' } }, { 'mcp-name': undefined }), { code: -32020 }],
    ['of a task', 400, withHeaders({ method: 'tasks/get', params: { taskId: 't' } }, { 'mcp-name': 'u' }), { code: -32020 }],
    ['where the body has a number', 200, withHeaders({ method: 'tools/call', params: { name: 5 } }, { 'mcp-name': '5' }), { code: -32602 }],
  ],
  'parameters in headers': [
    [
      'all of them',
      200,
      routedCall(
        { region: 'eu', size: 4, more: { zone: 'b' } },
        { 'mcp-param-region': 'eu', 'mcp-param-size': '4', 'mcp-param-zone': 'b' },
      ),
    ],
    ['one in base64', 200, routedCall({ region: 'Österreich' }, { 'mcp-param-region': base64('Österreich') })],
    ['none, where the call has none', 200, routedCall({}, {})],
    ['null in the body, none in the header', 200, routedCall({ region: null }, {})],
    ['missing', 400, routedCall({ region: 'eu' }, {}), mismatch('mcp-param-region is missing')],
    ['another value', 400, routedCall({ region: 'eu' }, { 'mcp-param-region': 'us' }), { code: -32020 }],
    ['another value inside', 400, routedCall({ more: { zone: 'b' } }, { 'mcp-param-zone': 'c' }), mismatch('more.zone')],
    ['one that the body has not', 400, routedCall({}, { 'mcp-param-region': 'eu' }), mismatch('the body has no \\"region\\"')],
    ['twice', 400, routedCall({ region: 'eu' }, { 'mcp-param-region': ['eu', 'eu'] }), { code: -32020 }],
    ['a number written in another way', 400, routedCall({ size: 4 }, { 'mcp-param-size': '4.0' }), { code: -32020 }],
    ['one that no tool names', 200, routedCall({}, { 'mcp-param-other': 'x' })],
    ['of another tool', 200, withHeaders(call('echo', { text: 'x' }), { 'mcp-param-region': 'eu' })],
  ],
  'other methods of HTTP': [
    [
      'GET',
      405,
      { method: 'GET', headers: { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' } },
      { headers: { allow: 'POST, OPTIONS' }, says: 'subscriptions/listen' },
    ],
    ['DELETE', 405, { method: 'DELETE', headers: { 'mcp-protocol-version': '2026-07-28' } }],
  ],
  'messages that are no requests': [
    [
      'a notification',
      202,
      {
        headers: { 'mcp-protocol-version': '2026-07-28' },
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      },
      { says: /^$/ },
    ],
    [
      'a response',
      400,
      { headers: { 'mcp-protocol-version': '2026-07-28' }, body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
      { code: -32600, says: 'it sends no response' },
    ],
    ['a batch', 400, { headers: { 'mcp-protocol-version': '2026-07-28' }, body: '[]' }, { code: -32600 }],
    ['no JSON', 400, { headers: { 'mcp-protocol-version': '2026-07-28' }, body: '{' }, { code: -32700 }],
  ],
  'statuses of errors': [
    ['a method that there is not', 404, modernRequest({ method: 'tools/none' }), { code: -32601 }],
    ['a method of sessions', 404, modernRequest({ method: 'logging/setLevel', params: { level: 'info' } }), { code: -32601 }],
    ['initialize with an envelope', 404, modernRequest({ method: 'initialize' }), { code: -32601 }],
    ['parameters that are wrong', 200, modernRequest({ method: 'completion/complete' }), { code: -32602 }],
    [
      'what is said of the client is missing',
      400,
      {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      },
      { code: -32602 },
    ],
  ],
  'the session of another era': [
    ['a session id beside an envelope is not looked at', 200, { ...modernRequest(list), session: 'of another' }],
  ],
};

describe('a request of 2026-07-28 over HTTP, with', () => itAnswers({ more: [routed()] }, tables));
