/** The configuration of all processes of the suite: a shop, whose tools ask a service of the test. */
export const shopConfig = `
import { apiVersion, approvalGate, definePlugin, mcp, standard } from '@toolkit/core';
import { engineLocal } from '@toolkit/core/plugins/engine-local';
import { storeLibsql } from '@toolkit/core/plugins/store-libsql';
import { telemetry } from '@toolkit/core/plugins/telemetry';
import { upstreams } from '@toolkit/core/plugins/upstreams';

const { SERVICE, STOCK, CONTENT = '0' } = process.env;

const order = { id: { type: 'string', required: true } };
const http = (method, path, more = {}) => ({ type: 'http', method, url: SERVICE + path, ...more });
const forever = { timeout_ms: 600_000 };
const stock = { url: STOCK, pin: 'off', gate: 'none', auth: 'none', headers: { authorization: 'Bearer planted-token-of-the-clients' } };

const shop = definePlugin({
  name: 'shop',
  apiVersion,
  apply: (api) => {
    const tools = [
      { name: 'shop_hello', description: 'Greets.', risk: 'low', execution: { type: 'function', handler: () => 'Hello.' } },
      { name: 'shop_find_order', description: 'Finds an order.', risk: 'low', parameters: order, execution: http('get', '/orders/{id}') },
      { name: 'shop_fail', description: 'Fails.', risk: 'low', execution: http('get', '/fail') },
      {
        name: 'shop_cancel_order',
        description: 'Cancels an order.',
        risk: 'high',
        requires_approval: true,
        parameters: order,
        execution: http('post', '/orders/{id}/cancel'),
      },
      { name: 'shop_watch', description: 'Watches the shop.', risk: 'low', execution: http('get', '/watch', forever) },
      {
        name: 'shop_dawdle',
        description: 'Takes too long.',
        risk: 'low',
        execution: {
          type: 'function',
          timeout_ms: 100,
          handler: (_, { signal }) =>
            new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
        },
      },
      { name: 'shop_report', description: 'Makes a report.', risk: 'low', long: true, execution: http('get', '/report', forever) },
      {
        name: 'shop_find_later',
        description: 'Lets a worker find an order.',
        risk: 'low',
        parameters: order,
        execution: {
          type: 'function',
          ...forever,
          handler: async ({ id }) => (await api.kernel.execute('shop_find_order', { id }, { durable: true })).result(),
        },
      },
      {
        name: 'shop_tell_secret',
        description: 'Sends the token of the shop, and a text.',
        risk: 'low',
        parameters: { text: { type: 'string', required: true } },
        execution: http('post', '/secret', { headers: { authorization: 'Bearer {SHOP_TOKEN}' }, query_params: { key: '{SHOP_KEY}', text: '{text}' } }),
      },
      {
        name: 'shop_throw',
        description: 'Fails with a text.',
        risk: 'low',
        parameters: { text: { type: 'string', required: true } },
        execution: {
          type: 'function',
          handler: ({ text }) => {
            throw Object.assign(new Error('No: ' + text), { name: text });
          },
        },
      },
    ];
    api.hooks.discover.tap('shop', (sink) => {
      for (const tool of tools) sink.addTool(tool, { trust: 'operator' });
      sink.addResource({
        uri: 'shop://terms',
        name: 'terms',
        description: 'The terms of the shop.',
        mimeType: 'text/plain',
        read: () => ({ uri: 'shop://terms', mimeType: 'text/plain', text: 'No refund.' }),
      });
      sink.addResourceTemplate({
        uriTemplate: 'shop://orders/{id}',
        name: 'order',
        description: 'An order.',
        mimeType: 'text/plain',
        read: (uri) => ({ uri, mimeType: 'text/plain', text: 'An order.' }),
      });
      sink.addPrompt({
        name: 'shop_letter',
        description: 'A letter to a customer.',
        get: () => [{ role: 'user', content: { type: 'text', text: 'Write a letter.' } }],
      });
    });
  },
})();

export default {
  plugins: [
    standard({ includeCore: false, autoDiscover: false }),
    approvalGate({ mode: 'elicit' }),
    storeLibsql({ path: 'state.db' }),
    engineLocal({ concurrency: 0 }),
    telemetry({ metrics: false, contentCharacters: Number(CONTENT) }),
    STOCK === undefined ? undefined : upstreams({ servers: { stock } }),
    mcp(),
    shop,
  ],
};
`;

/** The configuration of another program, which has the stock, and which the shop asks over MCP. */
export const stockConfig = `
import { apiVersion, definePlugin, mcp, standard } from '@toolkit/core';
import { telemetry } from '@toolkit/core/plugins/telemetry';

const stock = definePlugin({
  name: 'stock',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('stock', (sink) => {
    sink.addTool({
      name: 'count',
      description: 'Counts what is there.',
      risk: 'low',
      execution: { type: 'function', handler: () => '7' },
    }, { trust: 'operator' });
  }),
})();

export default {
  plugins: [standard({ includeCore: false, autoDiscover: false }), telemetry({ metrics: false }), mcp(), stock],
};
`;
