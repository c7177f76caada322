import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import { program, start, textOf } from '../../e2e/program.ts';
import { installIn } from '../../support/installed.ts';
import { json, loopback } from '../../support/loopback.ts';
import { type OtlpCollector, otlpCollector } from '../../support/telemetry/otlp-collector.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const clientSpan = '00f067aa0ba902b7';

/** The headers of a client that is traced, which tells more of itself than others may know. */
const traced = { traceparent: `00-${traceId}-${clientSpan}-01`, tracestate: 'vendor=planted', baggage: 'user=planted' };

/** A tool that calls three others, one of them on another MCP server, and leaves the work of a third to whichever process is free. */
const orders = `import { apiVersion, definePlugin } from '@toolkit/core';

export default definePlugin({
  name: 'orders',
  apiVersion,
  apply(api) {
    api.hooks.discover.tap('orders', (sink) => {
      const handler = async (_, { tools }) => {
        await tools.call('stock_get', {});
        await tools.call('shop_stock_get', {});
        const { output } = await tools.call('place_tell', {});
        await api.kernel.calls.submit('report_send', {}, { durable: true, id: 'report-1' });
        return { place: output };
      };
      const execution = { type: 'function', handler };
      sink.addTool({ name: 'order_place', description: 'Places an order.', parameters: {}, execution, risk: 'low' }, { trust: 'operator' });
    });
  },
});
`;

async function project(service: string, { env }: OtlpCollector): Promise<string> {
  const http = (method: string, path: string): object => ({ type: 'http', method, url: `${service}/${path}` });
  const tool = (name: string, execution: object): Record<string, string> => ({
    [`tools/${name}.yaml`]: JSON.stringify({ name, description: 'For the trace.', parameters: {}, execution, risk: 'low' }),
  });
  const args = [program, 'mcp', '--config', 'shop.yaml'];
  const shop = { command: process.execPath, args, env: { ...env, OTEL_SERVICE_NAME: 'shop' }, pin: 'first-use', gate: 'none' };
  const cwd = await temporaryFolder({
    'package.json': '{ "type": "module" }',
    // Another server of this program, which sends its spans itself.
    'shop.yaml': `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
  - [toolkit/plugins/telemetry, { metrics: false }]
`,
    'toolkit.config.yaml': `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
  - [toolkit/plugins/store-libsql, { path: state.db }]
  - [toolkit/plugins/engine-local, { concurrency: 0 }]
  - [toolkit/plugins/telemetry, { metrics: false }]
  - ./orders.js
  - - toolkit/plugins/upstreams
    - servers:
        shop: ${JSON.stringify(shop)}
`,
    'orders.js': orders,
    ...tool('stock_get', http('GET', 'stock')),
    ...tool('report_send', http('POST', 'report')),
    ...tool('place_tell', { type: 'function', code: './place.py' }),
    'tools/place.py': 'def run(params, context):\n    return context.traceparent\n',
  });
  await installIn(cwd);
  return cwd;
}

/** Returns the place in the trace that the Python tool saw. */
async function callOrder(url: string): Promise<unknown> {
  const client = new Client({ name: 'traced', version: '1.0.0' });
  const headers = { authorization: 'Bearer the-token', ...traced };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const result = await client.callTool({ name: 'order_place' });
  await client.close();
  return (JSON.parse(textOf(result)) as { readonly place: unknown }).place;
}

/** Returns the lines of the spans below one, each as \`service kind name\`, with two spaces for each span above it. */
function treeOf({ spans }: OtlpCollector, parent: string, depth = 0): string[] {
  const below = spans.filter(({ parentSpanId }) => parentSpanId === parent);
  const lines = below.map(({ spanId, name, kind, resource }) => {
    const line = `${'  '.repeat(depth)}${String(resource['service.name'])} ${kind} ${name}`;
    return [line, ...treeOf({ spans } as OtlpCollector, spanId, depth + 1)].join('\n');
  });
  return lines.sort();
}

describe('the trace of a client', () => {
  it('goes through the server, its requests, its Python and an MCP server behind it, and through a durable call in another process', async () => {
    const service = await loopback((_, response) => json(response, { pieces: 3 }));
    const collector = await otlpCollector();
    const cwd = await project(service.url, collector);
    const env = (name: string): Record<string, string> => ({ ...collector.env, OTEL_SERVICE_NAME: name });
    const server = start(['mcp', '-t', 'http', '-p', '0', '--token', 'the-token'], { cwd, env: env('server') });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    const place = await callOrder(url);
    const worker = start(['worker'], { cwd, env: env('worker') });
    await until(() => service.requests.find(({ url }) => url === '/report'));
    await collector.span(({ name, resource }) => resource['service.name'] === 'shop' && name === 'tools/call stock_get');
    // Both send their last spans before they end.
    for (const { child, exit } of [server, worker]) {
      child.kill('SIGTERM');
      await exit;
    }

    const lines = treeOf(collector, clientSpan).join('\n').split('\n');
    expect(lines.filter((line) => !line.includes('toolkit.stage') && !line.includes('initialize'))).to.deep.equal([
      'server server tools/call order_place',
      '  server internal execute_tool place_tell',
      '  server internal execute_tool shop_stock_get',
      '    server client tools/call stock_get',
      '      shop server tools/call stock_get',
      '        shop client GET',
      '  server internal execute_tool stock_get',
      '    server client GET',
      '  worker internal execute_tool report_send',
      '    worker client POST',
    ]);
    // The lists of a server are for all its callers: reading them belongs to no trace of a client.
    const ofClient = collector.spans.filter(({ name }) => !/^server\/|\/(templates\/)?list$|^subscriptions/.test(name));
    expect(new Set(ofClient.map((span) => span.traceId))).to.deep.equal(new Set([traceId]));
    expect(lines).to.have.length(ofClient.length);

    const idOf = (service: string, name: string): string =>
      collector.spans.find((span) => span.resource['service.name'] === service && span.name === name)?.spanId ?? '';
    expect(place).to.equal(`00-${traceId}-${idOf('server', 'execute_tool place_tell')}-01`);
    expect(service.requests.map(({ url, headers }) => [url, headers['traceparent']])).to.deep.equal([
      ['/stock', `00-${traceId}-${idOf('server', 'GET')}-01`],
      ['/stock', `00-${traceId}-${idOf('shop', 'GET')}-01`],
      ['/report', `00-${traceId}-${idOf('worker', 'POST')}-01`],
    ]);
    expect(JSON.stringify(service.requests)).to.not.include('planted');
  });
});
