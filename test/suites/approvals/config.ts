/** The name of the webhook and its secret, in every process. */
export const webhook = { name: 'hook', secret: 'whsec_c2VjcmV0IG9mIHRoZSBob29rcyBvZiB0aGVzZSB0ZXN0cw==' } as const;

/**
 * The configuration of the servers and commands. Its tool has an effect that a server of the test counts. The plugin `orders` carries out the orders
 * of the test (`orders.ts`) in a process that was forked, and holds the decisions of a command until the test lets it go on (`GATE`).
 */
export const config = `
import { apiVersion, approvalGate, definePlugin, mcp, standard } from '@toolkit/core';
import { approvals } from '@toolkit/core/plugins/approvals';
import { console as consolePages } from '@toolkit/core/plugins/console';
import { engineBullmq } from '@toolkit/core/plugins/engine-bullmq';
import { engineLocal } from '@toolkit/core/plugins/engine-local';
import { storeLibsql } from '@toolkit/core/plugins/store-libsql';
import { storePostgres } from '@toolkit/core/plugins/store-postgres';

const { EFFECTS, GATE, APPROVALS = '{}', TOKENS = '[]', HAS_ENGINE, HAS_CONSOLE, STORE_FILE } = process.env;
const usesFile = STORE_FILE !== undefined;

const tools = definePlugin({
  name: 'suite-tools',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('suite-tools', (sink) => {
    sink.addTool({
      name: 'act',
      description: 'Acts.',
      parameters: {
        key: { type: 'string', required: true },
        text: { type: 'string' },
        order: { type: 'object', additionalProperties: true },
      },
      risk: 'medium',
      requires_approval: true,
      execution: {
        type: 'function',
        timeout_ms: 600_000,
        handler: async ({ key }) => {
          const answer = await fetch(EFFECTS + '/act?name=' + encodeURIComponent(key), { method: 'POST' });
          return 'acted ' + key + ': ' + (await answer.json()).count;
        },
      },
    }, { trust: 'operator' });
  }),
})();

const readAll = async (filter, list) => {
  const found = [];
  for (let after; ; ) {
    const page = await list({ ...filter, ...(after === undefined ? {} : { after }) });
    found.push(...(page.approvals ?? page.calls));
    after = page.next;
    if (after === undefined) return found;
  }
};

const failureOf = ({ code, message, details }) => ({ code, message, details });
const endOf = (work) => work.then((value) => ({ value }), (error) => ({ failure: failureOf(error) }));

/** Holds the first decision, and all behind it, until the test lets it go on. */
const holdDecisions = (approvals) => {
  const decide = approvals.decide.bind(approvals);
  let gate;
  approvals.decide = async (...given) => {
    gate ??= fetch(GATE);
    await gate;
    return decide(...given);
  };
};

const orders = definePlugin({
  name: 'orders',
  apiVersion,
  apply: (api) => {
    if (GATE !== undefined) api.hooks.discover.tap('orders', () => holdDecisions(api.kernel.approvals));
    if (process.send === undefined) return;
    api.extend.approvalEvents((event) => process.send?.({ event }));
    const of = {
      submit: async ({ calls }) => {
        for (const { id, caller, parameters } of calls)
          await api.kernel.execute('act', parameters, { durable: true, id, caller, origin: 'model' });
      },
      call: ({ caller, parameters }) => endOf(api.kernel.execute('act', parameters, { caller, origin: 'model' })),
      list: ({ filter = {} }) => readAll(filter, (given) => api.kernel.approvals.list(given)),
      listCalls: ({ filter = {} }) => readAll(filter, (given) => api.kernel.calls.list(given)),
      show: ({ approval }) => api.kernel.approvals.get(approval),
      decide: ({ approval, answer }) => endOf(api.kernel.approvals.decide(approval, answer)),
    };
    process.on('message', ({ id, name, order }) => {
      endOf(Promise.resolve(of[name](order))).then((end) => process.send?.({ id, ...end }));
    });
    process.on('disconnect', () => process.exit());
  },
})();

const { webhooks, ...options } = JSON.parse(APPROVALS);

export default {
  logLevel: 'error',
  plugins: [
    standard({ includeCore: false, autoDiscover: false }),
    approvalGate({ mode: 'elicit' }),
    usesFile ? storeLibsql({ path: STORE_FILE }) : storePostgres(),
    HAS_ENGINE === '' ? undefined : usesFile ? engineLocal() : engineBullmq(),
    HAS_CONSOLE === undefined ? undefined : consolePages(),
    approvals({ ...options, webhooks: [${JSON.stringify(webhook)}].map((one) => ({ ...one, url: process.env.HOOK })) }),
    mcp({ tokens: JSON.parse(TOKENS), maxRequests: 2000 }),
    tools,
    orders,
  ],
};
`;
