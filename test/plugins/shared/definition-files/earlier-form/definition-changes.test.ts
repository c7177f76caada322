import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { parse } from 'yaml';
import { applyChanges } from '../../../../../plugins/shared/definition-files/earlier-form/change.ts';
import { definitionChanges } from '../../../../../plugins/shared/definition-files/earlier-form/definition-changes.ts';
import { readDefinition } from '../../../../../plugins/shared/definition-files/earlier-form/read-definition.ts';

const inOurWords = (text: string): unknown => {
  const written: unknown = parse(text);
  return applyChanges(written, definitionChanges(written));
};

const http = 'execution: { type: http, method: get, url: https://shop.example }';

const cases: readonly (readonly [title: string, written: string, expected: string])[] = [
  ['methods of any case', 'execution: { type: http, method: DELETE }', 'execution: { type: http, method: delete }'],
  ['the time limit', 'execution: { type: function, timeout: 5000 }', 'execution: { type: function, timeout_ms: 5000 }'],
  [
    'a time limit that is there in our words too, which counts',
    'execution: { type: function, timeout: 5000, timeout_ms: 7 }',
    'execution: { type: function, timeout_ms: 7 }',
  ],
  ['parameters of examples', `${http}\nexamples: [{ params: { a: 1 } }]`, `${http}\nexamples: [{ parameters: { a: 1 } }]`],
  ['names of examples', `${http}\nexamples: [{ name: one }]`, `${http}\nexamples: [{ description: one }]`],
  [
    'names of examples beside a description',
    `${http}\nexamples: [{ name: one, description: two }]`,
    `${http}\nexamples: [{ x-name: one, description: two }]`,
  ],
  ['examples of a parameter', `${http}\nparameters: { a/b: { examples: [1, 2] } }`, `${http}\nparameters: { a/b: { example: 1 } }`],
  ['scopes', `${http}\nauthentication: { scopes: [read] }`, `${http}\nauthentication: { required_scopes: [read] }`],
  [
    'notes about authentication',
    `${http}\nauthentication: { type: api_key, location: header, name: X-Key, required: true, notes: { env: A } }`,
    `${http}\nauthentication: { type: api_key, x-location: header, x-name: X-Key, x-required: true, x-notes: { env: A } }`,
  ],
  [
    'basic authentication by environment names',
    `${http}\nauthentication: { type: basic, username_env: SHOP_SID, password_env: SHOP_PASS }`,
    `execution: { type: http, method: get, url: https://shop.example, auth: { type: basic, username: '{SHOP_SID}', password: '{SHOP_PASS}' } }
authentication: { type: basic }
parameters:
  SHOP_SID: { type: string, required: true, auth: true, description: The user name of HTTP basic authentication. }
  SHOP_PASS: { type: string, required: true, auth: true, description: The password of HTTP basic authentication. }`,
  ],
  [
    'requests that are sent again, which are counted with the first one',
    `${http}\nerror_handling: { retry: 2, backoff_type: exponential, initial_delay_ms: 5, max_delay_ms: 50, retry_on_status: [429] }`,
    `${http}\nretry: { attempts: 3, backoff: { initial_ms: 5, maximum_ms: 50 }, on: [429] }`,
  ],
  [
    'more repetitions than there can be',
    `${http}\nerror_handling: { retry: 99 }`,
    `${http}\nretry: { attempts: 10, backoff: { initial_ms: 1000 } }`,
  ],
  ['no repetition', `${http}\nerror_handling: { retry: 0 }`, `${http}\nx-error_handling: { retry: 0 }`],
  [
    'requests that may do a thing twice, which are not sent again',
    'execution: { type: http, method: POST }\nerror_handling: { retry: 2 }',
    'execution: { type: http, method: post }\nx-error_handling: { retry: 2 }',
  ],
  [
    'functions, which are not called again',
    'execution: { type: function }\nerror_handling: { retry: 2 }',
    'execution: { type: function }\nx-error_handling: { retry: 2 }',
  ],
  ['a rate', `${http}\nrate_limiting: { requests_per_minute: 30 }`, `${http}\nrate_limit: { requests: 30, per_ms: 60000 }`],
  [
    'a rate that is switched off',
    `${http}\nrate_limiting: { enabled: false, requests_per_minute: 30 }`,
    `${http}\nx-rate_limiting: { enabled: false, requests_per_minute: 30 }`,
  ],
  ['notes for people', `${http}\nnotes: { a: b }\ndeprecated: true`, `${http}\nx-notes: { a: b }\nx-deprecated: true`],
  [
    'the page of a provider',
    'provider: { name: shop, documentation: https://shop.example }',
    'provider: { name: shop, documentation_url: https://shop.example }',
  ],
  [
    'where access to a provider is granted',
    'provider: { name: my-shop, endpoints: { authorizationUrl: https://a.example, tokenUrl: https://t.example }, defaultScopes: [read] }',
    `provider: { name: my-shop }
oauth2: { auth_url: https://a.example, token_url: https://t.example, scopes: { default: [read] }, redirect_uri: '\${MY_SHOP_REDIRECT_URI}' }`,
  ],
  [
    'what is around a provider',
    'name: x\ntype: provider\ndescription: d\nprovider: { name: a }',
    'x-name: x\nx-type: provider\nprovider: { name: a, description: d }',
  ],
];

describe('a definition of an earlier system', () => {
  for (const [title, written, expected] of cases)
    it(`means in our words: ${title}`, () => {
      expect(inOurWords(written)).to.deep.equal(parse(expected));
    });

  it('is in our words once it is changed', () => {
    for (const [title, written] of cases) expect(definitionChanges(inOurWords(written)), title).to.deep.equal([]);
  });

  it('is none of those that come with this program', async () => {
    const files = await glob('tools/**/*.yaml');
    expect(files.length).to.be.greaterThan(255);
    for (const file of files) expect(definitionChanges(parse(await readFile(file, 'utf8'))), file).to.deep.equal([]);
  });

  for (const written of [
    '3',
    'null',
    '[]',
    'execution: 3',
    'execution: {}\nexamples: 3\nparameters: []',
    'provider: 3',
    'authentication: {}',
  ])
    it(`is not "${written.replaceAll('\n', ' ')}", which is left as it is`, () => {
      expect(inOurWords(written)).to.deep.equal(parse(written));
    });

  it('has its mistakes told where they were written', async () => {
    const file = path.resolve('fixtures/definitions/earlier/shop/orders-get/definition.yaml');
    const text = await readFile(file, 'utf8');
    const read = readDefinition(text, file);
    if (!('locate' in read)) throw new Error('it is not read');
    const lineOf = (pointer: string): string => text.split('\n')[(read.locate(pointer)?.line ?? 0) - 1]?.trim() ?? '';
    expect(
      [
        '/execution/timeout_ms',
        '/execution/auth/username',
        '/parameters/SHOP_AUTH_TOKEN',
        '/retry/attempts',
        '/examples/0/parameters/order',
        '/name',
      ].map(lineOf),
    ).to.deep.equal([
      'timeout: 15000',
      'username_env: SHOP_ACCOUNT',
      'password_env: SHOP_AUTH_TOKEN',
      'error_handling:',
      'order: 1042',
      'name: shop-get-order',
    ]);
  });
});
