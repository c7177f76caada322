/**
 * The configuration of the servers: as in the cluster they run no durable calls. Its tools do what the dashboard shows: they fail, wait, block the event
 * loop, use a cache, a worker, an account, and a service that is down.
 */
export const config = `
import { apiVersion, approvalGate, definePlugin, mcp, standard } from '@toolkit/core';
import { engineBullmq } from '@toolkit/core/plugins/engine-bullmq';
import { storePostgres } from '@toolkit/core/plugins/store-postgres';
import { telemetry } from '@toolkit/core/plugins/telemetry';
import { upstreams } from '@toolkit/core/plugins/upstreams';

const { OUTSIDE, TOKEN, TOKENS, UPSTREAM } = process.env;
const text = { key: { type: 'string', required: true } };
const base = { description: 'Does it.', parameters: text, risk: 'low' };

const tools = definePlugin({
  name: 'suite-tools',
  apiVersion,
  apply: (api) => api.hooks.discover.tap('suite-tools', (sink) => {
    const add = (name, handler, more = {}) =>
      sink.addTool({ ...base, name, execution: { type: 'function', handler }, ...more }, { trust: 'operator' });
    add('plain', ({ key }) => key);
    add('fail', () => { throw new Error('It fails.'); });
    add('block', ({ key }) => { for (const end = performance.now() + Number(key); performance.now() < end; ); });
    add('cached', ({ key }) => key, { cache: { ttl_ms: 600_000 } });
    add('act', ({ key }) => key, { requires_approval: true });
    add('submit', async ({ key }) => void (await api.kernel.execute('plain', { key }, { durable: true, id: key })));
    const down = { type: 'http', method: 'post', url: OUTSIDE + '/down' };
    sink.addTool({ ...base, name: 'down', parameters: {}, execution: down }, { trust: 'operator' });
  }),
})();

export default {
  plugins: [
    standard({ toolPaths: ['./tools/acme', './tools/own'], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }),
    approvalGate({ mode: 'elicit' }),
    storePostgres(),
    engineBullmq({ concurrency: 0 }),
    upstreams({ servers: { notes: { command: process.execPath, args: [UPSTREAM], pin: 'first-use', gate: 'none' } } }),
    telemetry({ metrics: { port: 0 } }),
    mcp({ mcpToken: TOKEN, tokens: JSON.parse(TOKENS), shutdownDelayMs: 0 }),
    tools,
  ],
};
`;

/** Returns the files of the folder of tools: a provider with accounts at this address, and a tool that runs in a worker. */
export function toolFiles(outside: string): Readonly<Record<string, string>> {
  return {
    'tools/acme/definition.yaml': `provider: { name: acme }
base_url: ${outside}
auth: { type: bearer, token: "{ACME_TOKEN}" }
oauth2:
  auth_url: ${outside}/authorize
  token_url: ${outside}/token
  client_id: toolkit
  client_secret: \${ACME_CLIENT_SECRET}
  scopes: { read: [read] }
  provides: { ACME_TOKEN: access_token }
`,
    'tools/acme/acme_read.yaml': `name: acme_read
description: Reads.
parameters: {}
execution: { type: http, method: GET, url: /api }
risk: low
`,
    'tools/own/definition.yaml': `provider: { name: own }
`,
    'tools/own/own_work.yaml': `name: own_work
description: Works.
parameters: {}
execution: { type: function, code: ./work.mjs, worker: true }
risk: low
`,
    'tools/own/work.mjs': `export default () => 'worked';
`,
  };
}
