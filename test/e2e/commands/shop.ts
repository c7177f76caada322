import { temporaryFolder } from '../../support/temporary.ts';

const config = `plugins:
  - - toolkit/standard
    - toolPaths: [tools]
      autoDiscover: false
      policyConfig: { enableHITL: true, hitlMinRiskLevel: high }
`;

const order = (url: string): string => `name: shop_order
description: >-
  Orders something in the shop, and tells the order's number. It cannot be taken back: ask the person first.
version: 1.2.0
parameters:
  item: { type: string, required: true, description: What is ordered. }
  count: { type: integer, default: 1, minimum: 1, maximum: 99, description: How many. }
  size: { type: string, enum: [S, M, L] }
  gift: { type: boolean, description: Wraps it. }
  tags: { type: array, items: { type: string }, description: Words to find it again. }
  note: { type: string, maxLength: 200 }
  output: { type: string, description: A name that the command has as well. }
execution:
  type: http
  method: post
  url: ${url}/orders
  headers: { Authorization: "Bearer {SHOP_TOKEN}" }
  body: { item: "{item}", count: "{count}", size: "{size}", gift: "{gift}", tags: "{tags}", note: "{note}", output: "{output}" }
  timeout_ms: 20000
authentication: { type: bearer, provider: shop, required_scopes: [orders] }
rate_limit: { requests: 10, per_ms: 60000 }
requires_approval: true
output_schema:
  type: object
  properties:
    number: { type: integer, description: The number of the order. }
    lines:
      type: array
      items: { type: object, properties: { item: { type: string }, state: { enum: [open, sent] } } }
risk: medium
examples:
  - description: Two of them, wrapped
    parameters: { item: "a pen, it's blue", count: 2, gift: true, tags: [school, "for Ada"] }
tags: [shop, order]
`;

/** A function tool of the project. `more` are further lines of its definition. */
function tool(name: string, code: string, more = 'risk: low'): Readonly<Record<string, string>> {
  return {
    [`tools/shop/${name}.yaml`]: `name: shop_${name}\ndescription: For trying things out.\nexecution: { type: function, code: ./${name}.js }\n${more}\n`,
    [`tools/shop/${name}.js`]: code,
  };
}

const store = `  - [toolkit/plugins/store-libsql, { path: state.db }]
`;

/** The folder of a small project, whose one HTTP tool calls `url`. `hasStore`: what calls leave behind is kept in a file of it. */
export function shop(url = 'http://127.0.0.1:9', { hasStore = false } = {}): Promise<string> {
  return temporaryFolder({
    'package.json': '{ "type": "module" }',
    'toolkit.config.yaml': hasStore ? `${config}${store}` : config,
    'tools/shop/definition.yaml': `provider: { name: shop, documentation_url: "https://shop.example/tokens" }
parameter_mapping: [{ parameter: SHOP_TOKEN, env_pattern: SHOP_TOKEN, required: true, description: A token of the shop. }]
`,
    'tools/shop/order.yaml': order(url),
    ...tool('echo', 'export default ({ output }) => output;', 'parameters: { output: { type: string } }\nrisk: low'),
    ...tool('fail', "export default () => { throw new Error('no \\u001b[2Jway'); };", 'risk: low\nfailure_output: { ok: false }'),
    ...tool('danger', "export default () => 'done';", 'risk: high'),
    ...tool('secret', 'export default (_, { secrets }) => ({ length: secrets.SHOP_TOKEN.length });', 'risk: low\nsecrets: [SHOP_TOKEN]'),
    ...tool(
      'count_up',
      `import { appendFileSync, statSync } from 'node:fs';
export default () => { appendFileSync('counted', 'x'); return { count: statSync('counted').size }; };`,
      'risk: medium',
    ),
    ...tool('many', "export default () => Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'x'.repeat(20) }));"),
    ...tool(
      'items',
      `export default () => [
  { id: 1, title: 'A pen', price: 1.5 },
  { id: 2, title: 'A bag \\u001b[31m that is red, and has a name longer than the terminal is wide', price: 120 },
];`,
    ),
    // Starts a program, says which one, and waits for it.
    ...tool(
      'nap',
      `import { spawn } from 'node:child_process';
export default (_, { signal, progress }) => new Promise((resolve, reject) => {
  const child = spawn('sleep', ['300']);
  signal.addEventListener('abort', () => { child.kill(); reject(signal.reason); });
  progress({ progress: 1, total: 4, message: 'asleep \\u001b[2J' });
  process.stderr.write('nap ' + child.pid + '\\n');
});`,
    ),
    ...tool(
      'count',
      `export default async (_, { progress, client }) => {
  progress({ progress: 1, total: 2, message: 'half of it' });
  const { action, content } = await client.elicit({ message: 'Go on\\u001b[2J?', schema: { type: 'object', required: ['size', 'count'], properties: {
    size: { type: 'string', enum: ['S', 'M'] }, count: { type: 'integer', minimum: 1, title: 'How many' }, why: { type: 'string' } } } });
  progress({ progress: 2, total: 2, message: 'all of it' });
  return { action, ...content };
};`,
    ),
  });
}
