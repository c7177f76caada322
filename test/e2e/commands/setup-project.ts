import path from 'node:path';
import { temporaryFolder } from '../../support/temporary.ts';

const tool = (name: string, rest = '') =>
  `name: ${name}\ndescription: Does what ${name} says.\nrisk: low\n${rest}execution: { type: command, command: "true" }\n`;

const provider = `provider:
  name: shop
  documentation_url: https://shop.example/docs/keys
parameter_mapping:
  - { parameter: SHOP_TOKEN, env_pattern: SHOP_TOKEN, description: Key of your shop. }
  - { parameter: SHOP_REGION, env_pattern: SHOP_REGION, required: false, secret: false }
`;

const needy = `name: shop_order
description: Orders.
risk: high
authentication: { type: bearer, required_scopes: [orders.write] }
execution:
  type: http
  method: get
  url: https://shop.example/orders
  headers: { Authorization: "Bearer {SHOP_TOKEN}", X-Region: "{SHOP_REGION}" }
`;

/** A project with five tools of three kinds, and a home folder with clients beside it. */
export async function setupProject(files: Readonly<Record<string, string>> = {}): Promise<{ cwd: string; home: string }> {
  const root = await temporaryFolder({
    'project/toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]\n',
    'project/tools/shop/definition.yaml': provider,
    'project/tools/shop/order.yaml': needy,
    'project/tools/shop/list.yaml': tool('shop_list'),
    'project/tools/mail/definition.yaml': 'provider: { name: mail }\n',
    'project/tools/mail/send.yaml': tool('mail_send'),
    'project/tools/mail/read.yaml': tool('mail_read'),
    'project/tools/free.yaml': tool('free'),
    'home/.cursor/mcp.json': '{\n  "mcpServers": {\n    "other": { "command": "npx", "env": { "KEY": "sk-secret" } }\n  }\n}\n',
    'home/.config/Code/User/settings.json': '{}',
    ...files,
  });
  return { cwd: path.join(root, 'project'), home: path.join(root, 'home') };
}
