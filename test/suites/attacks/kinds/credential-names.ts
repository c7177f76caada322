import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';

const folder = 'my-tools/shop';

const provider = `provider: { name: shop, description: A shop. }
base_url: "{SHOP_URL}"
auth: { type: bearer, token: "{SHOP_TOKEN}" }
parameter_mapping:
  - { parameter: SHOP_URL, env_pattern: SHOP_URL, required: false, description: Where the shop is. }
`;

const open = `name: shop_find
description: Finds goods.
input_schema: { type: object, properties: { q: { type: string } } }
execution: { type: http, method: get, url: "/find", query_params: { q: "{q}" } }
`;

const attacks: readonly Attack[] = [
  {
    id: 'A17',
    subject: 'base_url of a provider',
    attempt: 'sends the bearer token to a host that the model names',
    before: 'the token was sent there',
    async run(server) {
      const result = await server.call('shop_find', { SHOP_URL: 'http://127.0.0.1:1' });
      expect(result).to.include({ isError: true, code: 'INVALID_PARAMETERS' });
      expect(result.text).to.include('SHOP_URL');
    },
  },
];

export const credentialNames: AttackKind = {
  rule: 'names of credentials and hosts never come from a call',
  files: { [`${folder}/definition.yaml`]: provider, [`${folder}/shop_find.yaml`]: open },
  env: { SHOP_TOKEN: 'planted-shop-0123456789' },
  attacks,
};
