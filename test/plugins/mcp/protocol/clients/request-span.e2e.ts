import { type OutgoingHttpHeaders, request } from 'node:http';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { expect } from 'chai';
import { RecordingTracer } from '../../../../support/recording-tracer.ts';
import { until } from '../../../../support/until.ts';
import { gate, handlerTool } from '../../support/client.ts';
import { modernRequest } from '../../support/modern-wire.ts';
import { tracedClients } from '../../support/traced.ts';
import { token, wireServer } from '../../support/wire.ts';

const place = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01`, tracestate: 'vendor=1' };
const otherPlace = { traceparent: `00-${'5'.repeat(32)}-${'8'.repeat(16)}-00` };

interface Scenario {
  readonly title: string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly tree: readonly string[];
  /** Besides those of all spans of the client. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** @default the method of the request */
  readonly methodName?: string;
}

const called = (tool: string, more: Readonly<Record<string, string>> = {}) => ({
  [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
  [conventions.ATTR_GEN_AI_TOOL_NAME]: tool,
  ...more,
});
const call = (name: string, more: object = {}) => ({
  method: conventions.MCP_METHOD_NAME_VALUE_TOOLS_CALL,
  params: { name, arguments: {}, ...more },
});
const status = (code: number) => ({ [conventions.ATTR_RPC_RESPONSE_STATUS_CODE]: String(code) });
const uri = (text: string) => ({ [conventions.ATTR_MCP_RESOURCE_URI]: text });

const scenarios: readonly Scenario[] = [
  { title: 'a list', method: conventions.MCP_METHOD_NAME_VALUE_TOOLS_LIST, tree: ['tools/list'] },
  { title: 'a call', ...call('glance'), tree: ['tools/call glance'], attributes: called('glance') },
  { title: 'a call that waits', ...call('look'), tree: ['tools/call look', '  toolkit.stage execute'], attributes: called('look') },
  {
    title: 'a call that makes another',
    ...call('nest'),
    tree: ['tools/call nest', '  execute_tool look', '    toolkit.stage execute', '  toolkit.stage execute'],
    attributes: called('nest'),
  },
  {
    title: 'a failure of a tool',
    ...call('fail'),
    tree: ['tools/call fail !tool_error'],
    attributes: called('fail', { 'toolkit.error.code': 'EXECUTION_FAILED' }),
  },
  {
    title: 'a call with wrong parameters',
    ...call('echo', { arguments: { text: 7 } }),
    tree: ['tools/call echo !tool_error'],
    attributes: called('echo', { 'toolkit.error.code': 'INVALID_PARAMETERS' }),
  },
  {
    title: 'a refused call',
    ...call('act'),
    tree: ['tools/call act !tool_error', '  toolkit.stage approve', '  toolkit.stage approve'],
    attributes: called('act', { 'toolkit.error.code': 'APPROVAL_REQUIRED' }),
  },
  {
    title: 'a call over its time limit',
    ...call('hang'),
    tree: ['tools/call hang !tool_error', '  toolkit.stage execute !TIMEOUT'],
    attributes: called('hang', { 'toolkit.error.code': 'TIMEOUT' }),
  },
  {
    title: 'a call of a tool that there is not',
    ...call('made-up name'),
    tree: ['tools/call !-32602'],
    attributes: { [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL, ...status(-32602) },
  },
  {
    title: 'a malformed call',
    method: conventions.MCP_METHOD_NAME_VALUE_TOOLS_CALL,
    params: { name: 'look', arguments: 7 },
    tree: ['tools/call look !-32602'],
    attributes: called('look', status(-32602)),
  },
  {
    title: 'a prompt',
    method: conventions.MCP_METHOD_NAME_VALUE_PROMPTS_GET,
    params: { name: 'review' },
    tree: ['prompts/get review'],
    attributes: { [conventions.ATTR_GEN_AI_PROMPT_NAME]: 'review' },
  },
  {
    title: 'a prompt that there is not',
    method: conventions.MCP_METHOD_NAME_VALUE_PROMPTS_GET,
    params: { name: 'made up' },
    tree: ['prompts/get !-32602'],
    attributes: status(-32602),
  },
  {
    title: 'a resource, whose content says that it is an error',
    method: conventions.MCP_METHOD_NAME_VALUE_RESOURCES_READ,
    params: { uri: 'note:1' },
    tree: ['resources/read'],
    attributes: uri('note:1'),
  },
  {
    title: 'a tool named like a member of every object',
    method: conventions.MCP_METHOD_NAME_VALUE_TOOLS_CALL,
    params: { name: 'constructor', arguments: {} },
    tree: ['tools/call !-32602'],
    attributes: { [conventions.ATTR_GEN_AI_OPERATION_NAME]: conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL, ...status(-32602) },
  },
  { title: 'a method that there is not', method: 'made/up', tree: ['_OTHER !-32601'], methodName: '_OTHER', attributes: status(-32601) },
];

for (const [title, connect] of Object.entries(tracedClients))
  describe(`the span of a request: ${title}`, () => {
    it('has a name, attributes and an error as the conventions say', async () => {
      const client = await connect();
      const seen: unknown[] = [];
      for (const { title: what, method, params } of scenarios) {
        const before = client.tracer.spans.length;
        await client.ask(method, params);
        const [span, ...others] = client.tracer.spans.slice(before);
        const { [conventions.ATTR_JSONRPC_REQUEST_ID]: id, ...attributes } = span?.attributes ?? {};
        expect(id, what).to.be.a('string');
        for (const { ends } of [span, ...others].filter((each) => each !== undefined)) expect(ends, what).to.have.length(1);
        const tree = client.tracer.tree();
        seen.push({ what, kind: span?.kind, attributes, tree: tree.slice(-1 - others.length) });
      }
      const expected = scenarios.map(({ title: what, method, tree, attributes = {}, methodName = method }) => ({
        what,
        kind: 'server',
        attributes: { [conventions.ATTR_MCP_METHOD_NAME]: methodName, ...client.common, ...attributes },
        tree,
      }));
      expect(seen).to.deep.equal(expected);
    });

    it('has only attributes that the package of the conventions has, and its own', async () => {
      const client = await connect();
      for (const { method, params } of scenarios) await client.ask(method, params);
      const known = new Set<string>(Object.values(conventions).filter((value) => typeof value === 'string'));
      const names = new Set(client.spans().flatMap(({ attributes }) => Object.keys(attributes)));
      expect([...names].filter((name) => !known.has(name)).sort()).to.deep.equal([
        'toolkit.error.code',
        'toolkit.stage',
        'toolkit.stage.step',
      ]);
    });

    it("is within the client's, by `_meta`", async () => {
      const client = await connect();
      await client.ask('tools/call', { name: 'look', arguments: {}, _meta: place });
      const [span, ...others] = client.spans();
      expect(span?.parent).to.deep.equal(place);
      for (const other of others) expect(other.traceId).to.equal('4'.repeat(32));
    });

    it('begins a trace where the place in `_meta` is malformed', async () => {
      const client = await connect();
      for (const traceparent of ['', 7, {}, null, `00-${'A'.repeat(32)}-${'7'.repeat(16)}-01`]) {
        const { result } = await client.ask('tools/call', { name: 'glance', arguments: {}, _meta: { traceparent, tracestate: 'a=1' } });
        expect(result?.['isError'], String(traceparent)).to.equal(undefined);
      }
      const spans = client.spans().map(({ name, parent }) => [name, parent]);
      expect(spans).to.deep.equal(Array.from({ length: 5 }, () => ['tools/call glance', undefined]));
    });

    it('is not made for a notification', async () => {
      const client = await connect();
      const before = client.tracer.spans.length;
      await client.ask('tools/list');
      expect(client.tracer.spans).to.have.length(before + 1);
      expect(client.tracer.spans.filter(({ name }) => name.startsWith('notifications/'))).to.deep.equal([]);
    });
  });

for (const [title, connect] of Object.entries(tracedClients).filter(([name]) => name.endsWith('HTTP')))
  describe(`the place of a client in a trace: ${title}`, () => {
    const bad = { traceparent: '00-x' };
    const places: readonly {
      readonly title: string;
      readonly meta?: object;
      readonly headers: Record<string, string>;
      readonly parent: unknown;
    }[] = [
      { title: 'the headers', headers: place, parent: place },
      { title: '`_meta`, where there are both', meta: otherPlace, headers: place, parent: otherPlace },
      { title: 'the headers, where `_meta` has a malformed one', meta: bad, headers: place, parent: place },
      { title: 'none, where the headers are malformed', headers: { traceparent: 'ff-x', tracestate: 'a=1' }, parent: undefined },
    ];
    it('is that of `_meta`, else of the headers', async () => {
      const client = await connect();
      for (const { meta, headers } of places) await client.ask('tools/list', meta === undefined ? {} : { _meta: meta }, headers);
      const parents = places.map(({ title: from }, index) => [from, client.spans()[index]?.parent]);
      expect(parents).to.deep.equal(places.map(({ title: from, parent }) => [from, parent]));
    });
  });

describe('the span of a request over HTTP', () => {
  it('ends as cancelled: by the end of its HTTP request', async () => {
    const tracer = new RecordingTracer();
    const started = gate();
    const hang = (): Promise<never> => {
      started.open();
      return new Promise(() => {});
    };
    const { port } = await wireServer({ more: [tracer.plugin()] }, [handlerTool(hang, { name: 'hang' })]);
    const { headers, body } = modernRequest({ method: 'tools/call', params: { name: 'hang', arguments: {} } });
    const all = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const leaving = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', agent: false, headers: all as OutgoingHttpHeaders });
    leaving.on('error', () => {}).end(body);
    await started.opened;
    leaving.destroy();
    await until(() => tracer.spans.every(({ ends }) => ends.length > 0) || undefined);
    expect(tracer.tree()[0]).to.equal('tools/call hang !cancelled');
  });
});
