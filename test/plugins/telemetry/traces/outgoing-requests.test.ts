import { expect } from 'chai';
import { apiVersion, definePlugin, type Kernel } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { spansInMemory } from '../../../support/telemetry/spans-in-memory.ts';
import { testKernel } from '../../../support/test-kernel.ts';

type Given = {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly redirect?: 'follow' | 'manual' | 'error';
  readonly asRequest?: boolean;
};

/** Sends a request by the fetch of a function, and returns its text. */
const getTool = {
  name: 'get',
  description: 'Fetches.',
  parameters: {
    url: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    redirect: { type: 'string' },
    asRequest: { type: 'boolean' },
  },
  execution: {
    type: 'function',
    handler: async ({ url, headers = {}, redirect = 'follow', asRequest = false }: Given, { fetch }: FunctionContext) =>
      (await (asRequest ? fetch(new Request(url, { headers, redirect })) : fetch(url, { headers, redirect }))).status,
  },
};

/** Sends a request by the HTTP executor, which follows redirects itself. */
const askTool = {
  name: 'ask',
  description: 'Asks over http.',
  parameters: { port: { type: 'string' }, trace: { type: 'string' } },
  execution: {
    type: 'http',
    method: 'get',
    url: 'http://127.0.0.1:{port}/path?key=query-of-call',
    headers: { traceparent: '{trace}', tracestate: 'tool=1' },
  },
};

interface Options {
  readonly propagate?: string[];
  readonly isGuarded?: boolean;
}

function tracedKernel({ propagate = ['loopback'], isGuarded = true }: Options = {}): Promise<Kernel> {
  return testKernel({
    plugins: [
      ...(isGuarded ? [guardOutbound({ allowHosts: ['127.0.0.0/8'], env: {} })] : []),
      executorHttp(),
      telemetry({ propagate, metrics: false }),
    ],
    tools: [getTool, askTool],
  });
}

const traced = ({ headers }: SeenRequest): string | undefined => headers['traceparent'] as string | undefined;
const forged = '00-11111111111111111111111111111111-2222222222222222-01';

describe('the spans of outgoing requests', () => {
  it('are CLIENT spans within that of the call, with method, host and status, without path, query or header', async () => {
    const { span, spans } = spansInMemory();
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const kernel = await tracedKernel();
    await kernel.execute('get', { url: `${url}/secret-path?secret-query`, headers: { 'x-header': 'secret-header' } });
    const { port } = new URL(url);
    expect(span('GET')).to.deep.include({
      kind: 'client',
      traceId: span('execute_tool get').traceId,
      parentSpanId: span('execute_tool get').spanId,
      status: { code: 'unset' },
      attributes: {
        'http.request.method': 'GET',
        'server.address': '127.0.0.1',
        'server.port': Number(port),
        'url.scheme': 'http',
        'http.response.status_code': 200,
      },
    });
    expect(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))).to.not.include('secret');
    expect(requests.map(traced)).to.deep.equal([`00-${span('GET').traceId}-${span('GET').spanId}-01`]);
  });

  for (const [title, asRequest] of [
    ['a URL', false],
    ['a Request', true],
  ] as const) {
    it(`pass traceparent alone on, in place of that of the tool, for ${title}`, async () => {
      const { span } = spansInMemory();
      const { url, requests } = await loopback((_, response) => json(response, {}));
      const kernel = await tracedKernel();
      const headers = { traceparent: forged, tracestate: 'tool=1', accept: 'text/x' };
      await kernel.call({ tool: 'get', parameters: { url, headers, asRequest }, trace: { traceparent: forged, tracestate: 'client=1' } });
      expect(
        requests.map(({ headers: { traceparent, tracestate, baggage, accept } }) => ({ traceparent, tracestate, baggage, accept })),
      ).to.deep.equal([
        { traceparent: `00-${span('GET').traceId}-${span('GET').spanId}-01`, tracestate: undefined, baggage: undefined, accept: 'text/x' },
      ]);
    });
  }

  it('leave the headers of a tool alone for hosts that are told nothing', async () => {
    const { span } = spansInMemory();
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const kernel = await tracedKernel({ propagate: ['api.corp.example'] });
    await kernel.execute('get', { url });
    await kernel.execute('ask', { port: new URL(url).port, trace: forged });
    expect(requests.map(traced)).to.deep.equal([undefined, forged]);
    expect(requests[1]?.headers).to.include({ tracestate: 'tool=1' });
    expect(span('execute_tool ask').traceId).to.not.equal(forged.slice(3, 35));
  });

  it('are one for each hop of the HTTP executor, each of which has the traceparent of its own', async () => {
    const { spans } = spansInMemory();
    const other = await loopback((_, response) => json(response, {}));
    const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: other.url }).end());
    await (await tracedKernel()).execute('ask', { port: new URL(url).port, trace: forged });
    const hops = spans().filter(({ kind }) => kind === 'client');
    expect(hops.map(({ attributes }) => attributes['http.response.status_code'])).to.deep.equal([302, 200]);
    expect([...requests, ...other.requests].map(traced)).to.deep.equal(hops.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
  });

  it('pass nothing on to another host of a redirect by the HTTP executor that is told nothing', async () => {
    const { spans } = spansInMemory();
    const other = await loopback((_, response) => json(response, {}));
    const { url, requests } = await loopback((_, response) =>
      response.writeHead(302, { location: other.url.replace('127.0.0.1', 'localhost') }).end(),
    );
    const kernel = await tracedKernel({ propagate: ['127.0.0.1'] });
    await kernel.execute('ask', { port: new URL(url).port, trace: forged });
    const [first] = spans().filter(({ kind }) => kind === 'client');
    expect(requests.map(traced)).to.deep.equal([`00-${first?.traceId}-${first?.spanId}-01`]);
    expect(other.requests.map(traced)).to.deep.equal([forged]);
  });

  it('pass nothing on by a redirect that fetch follows: the guard takes the header from it', async () => {
    spansInMemory();
    const other = await loopback((_, response) => json(response, {}));
    const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: other.url }).end());
    await (await tracedKernel()).execute('get', { url });
    expect([requests.map((request) => traced(request)?.length), other.requests.map(traced)]).to.deep.equal([[55], [undefined]]);
  });

  it('pass nothing on without the guard where fetch follows redirects, and where it does not as always', async () => {
    spansInMemory();
    const other = await loopback((_, response) => json(response, {}));
    const { url, requests } = await loopback((_, response) => response.writeHead(302, { location: other.url }).end());
    const kernel = await tracedKernel({ isGuarded: false });
    await kernel.execute('get', { url });
    await kernel.execute('get', { url, redirect: 'manual' });
    expect([...requests, ...other.requests].map((request) => traced(request)?.length)).to.deep.equal([undefined, 55, undefined]);
  });

  it('end with the status that failed', async () => {
    const { span } = spansInMemory();
    const { url } = await loopback((_, response) => json(response, {}, 503));
    await (await tracedKernel()).execute('get', { url });
    expect(span('GET')).to.deep.include({ status: { code: 'error' } });
    expect(span('GET').attributes).to.include({ 'http.response.status_code': 503, 'error.type': '503' });
  });

  it('end with the code of what the guard refuses', async () => {
    const { span } = spansInMemory();
    await rejection((await tracedKernel()).execute('get', { url: 'http://169.254.169.254/latest/' }), 'OUTBOUND_BLOCKED');
    expect(span('GET').attributes).to.include({ 'server.address': '169.254.169.254', 'error.type': 'OUTBOUND_BLOCKED' });
  });

  it('have the host masked where it holds a secret of the call', async () => {
    const { span } = spansInMemory();
    const maskShop = definePlugin({
      name: 'mask-shop',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap('mask-shop', (_, context) => void context.maskAlso('SHOP', 'tenant-secret-1')),
    });
    const kernel = await testKernel({
      plugins: [guardOutbound({ env: {} }), maskShop(), telemetry({ metrics: false })],
      tools: [getTool],
    });
    await rejection(kernel.execute('get', { url: 'http://tenant-secret-1.localhost/' }), 'EXECUTION_FAILED');
    expect(span('GET').attributes['server.address']).to.match(/SHOP.*\.localhost$/);
    expect(JSON.stringify(span('GET').attributes)).to.not.include('tenant-secret-1');
  });

  it('are none, and requests have no header, where nobody traces', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    await (await tracedKernel()).execute('get', { url });
    expect(requests.map(traced)).to.deep.equal([undefined]);
  });
});
