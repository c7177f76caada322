import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';

const folder = 'my-tools/shop';

const provider = `provider: { name: shop, description: A shop. }
base_url: "{SHOP_URL}"
auth: { type: bearer, token: "{SHOP_TOKEN}" }
parameter_mapping:
  - { parameter: SHOP_URL, env_pattern: SHOP_URL, required: false, description: Where the shop is. }
  - { parameter: shop_account, env_pattern: SHOP_ACCOUNT, required: false, description: The account. }
  - { parameter: shop_sender, env_pattern: SHOP_SENDER, required: false, secret: false, description: Who sends. }
  - { parameter: SHOP_REGION, env_pattern: SHOP_REGION, required: false, derive_from: { parameter: SHOP_HOME, pattern: "-(.+)$" }, description: The region. }
  - { parameter: SHOP_HOME, env_pattern: SHOP_HOME, required: false, description: Where it is at home. }
  - { parameter: SHOP_CARD, env_pattern: SHOP_CARD, required: false, unless: SHOP_VOUCHER_CODE, description: A card. }
  - { parameter: SHOP_VOUCHER_CODE, env_pattern: SHOP_VOUCHER_CODE, required: false, description: In place of a card. }
`;

/** Any parameters: the definition does not say which. */
const anything = 'input_schema: { type: object, properties: { q: { type: string } } }';

/** A tool of the shop, with any parameters. */
const ofShop = (name: string, execution: string, input = anything): Readonly<Record<string, string>> => ({
  [`${folder}/${name}.yaml`]: `name: ${name}\ndescription: Finds goods.\n${input}\nexecution: ${execution}\n`,
});

/** A command tool without a provider: its result shows what the program got as `key`, which nobody has set. */
const program = (name: string, key: string, execution: string): Readonly<Record<string, string>> => ({
  [`my-tools/programs/${name}.yaml`]: `name: ${name}\ndescription: Shows what it gets.\ninput_schema: { type: object, properties: { ${key}: { type: string } } }\nrequires_approval: false\nexecution: { type: command, ${execution} }\n`,
});

interface Row {
  readonly id?: string;
  readonly subject: string;
  readonly attempt: string;
  readonly before: string;
  readonly files: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name that must be refused. */
  readonly name: string;
}

const address = 'https://shop.invalid';
const sent = 'the value of the model was sent';
const ran = 'the program got the value of the model';

const rows: readonly Row[] = [
  {
    id: 'A17',
    subject: 'base_url of a provider',
    attempt: 'sends the bearer token to a host that the model names',
    before: 'the token was sent there',
    files: ofShop('shop_find', '{ type: http, method: get, url: /find, query_params: { q: "{q}" } }'),
    tool: 'shop_find',
    parameters: { SHOP_URL: 'https://evil.invalid' },
    name: 'SHOP_URL',
  },
  {
    id: 'A18',
    subject: 'headers of an http tool',
    attempt: 'sends the credential that the model gives in place of one that nobody set',
    before: sent,
    files: ofShop(
      'shop_header',
      `{ type: http, method: get, url: "${address}", headers: { X-Key: "{EXTRA_KEY}" } }`,
      'input_schema: { type: object, properties: { EXTRA_KEY: { type: string } } }',
    ),
    tool: 'shop_header',
    parameters: { EXTRA_KEY: 'from-the-model' },
    name: 'EXTRA_KEY',
  },
  {
    id: 'A18',
    subject: 'args of a command tool',
    attempt: 'starts a program with the credential that the model gives',
    before: ran,
    files: program('show_args', 'EXTRA_KEY', 'command: echo, args: [shown, ["{EXTRA_KEY}"]]'),
    tool: 'show_args',
    parameters: { EXTRA_KEY: 'from-the-model' },
    name: 'EXTRA_KEY',
  },
  {
    subject: 'env of a command tool',
    attempt: 'sets the variable of a credential',
    before: ran,
    files: program('show_env', 'MY_SECRET', 'command: env, env: { SHOWN: "{MY_SECRET}" }'),
    tool: 'show_env',
    parameters: { MY_SECRET: 'from-the-model' },
    name: 'MY_SECRET',
  },
  {
    subject: 'stdin of a command tool',
    attempt: 'writes the credential that the model gives into the standard input',
    before: ran,
    files: program('show_stdin', 'PASSWORD', 'command: cat, stdin: "{PASSWORD}"'),
    tool: 'show_stdin',
    parameters: { PASSWORD: 'from-the-model' },
    name: 'PASSWORD',
  },
  {
    subject: 'query_params of an http tool',
    attempt: 'sends an account that the mapping names',
    before: sent,
    files: ofShop('shop_query', `{ type: http, method: get, url: "${address}", query_params: { account: "{shop_account}" } }`),
    tool: 'shop_query',
    parameters: { shop_account: 'another' },
    name: 'shop_account',
  },
  {
    subject: 'body of an http tool',
    attempt: 'sends a value that others are replaced by',
    before: sent,
    files: ofShop('shop_body', `{ type: http, method: post, url: "${address}", body: { voucher: "{SHOP_VOUCHER_CODE}", q: "{q}" } }`),
    tool: 'shop_body',
    parameters: { SHOP_VOUCHER_CODE: 'another', q: 'shoes' },
    name: 'SHOP_VOUCHER_CODE',
  },
  {
    subject: 'path of a URL',
    attempt: 'asks for the region that the model gives, which is derived elsewhere',
    before: sent,
    files: ofShop('shop_path', `{ type: http, method: get, url: "${address}/{SHOP_REGION}" }`),
    tool: 'shop_path',
    parameters: { SHOP_REGION: 'eu' },
    name: 'SHOP_REGION',
  },
  {
    subject: 'derive_from of a mapping',
    attempt: 'gives the value that another one is derived from',
    before: 'held: the region was still missing',
    files: {},
    tool: 'shop_path',
    parameters: { SHOP_HOME: 'home-eu' },
    name: 'SHOP_HOME',
  },
  {
    subject: 'default_from of a parameter',
    attempt: 'gives the default that the service supplies',
    before: 'refused as an unknown parameter',
    files: ofShop(
      'shop_send',
      `{ type: http, method: post, url: "${address}", body: { from: "{from}" } }`,
      'parameters: { from: { type: string, default_from: { parameter: shop_sender }, description: The sender. } }',
    ),
    tool: 'shop_send',
    parameters: { shop_sender: 'the model' },
    name: 'shop_sender',
  },
  {
    subject: 'patternProperties of an input schema',
    attempt: 'gives a credential whose name the schema allows by a pattern',
    before: sent,
    files: ofShop(
      'shop_pattern',
      `{ type: http, method: get, url: "${address}", headers: { X-Key: "{SHOP_CARD}" } }`,
      'input_schema: { type: object, patternProperties: { "^SHOP_": { type: string } }, additionalProperties: false }',
    ),
    tool: 'shop_pattern',
    parameters: { SHOP_CARD: 'from-the-model' },
    name: 'SHOP_CARD',
  },
  {
    subject: 'a name of the mapping that the tool does not use',
    attempt: 'gives a card, which this tool never sends',
    before: 'taken and ignored',
    files: {},
    tool: 'shop_query',
    parameters: { SHOP_CARD: '4111' },
    name: 'SHOP_CARD',
  },
  {
    subject: 'toolkit_call_tool',
    attempt: 'gives the host through the tool that calls others',
    before: 'the token was sent there',
    files: {},
    tool: 'toolkit_call_tool',
    parameters: { name: 'shop_find', arguments: { SHOP_URL: 'https://evil.invalid' } },
    name: 'SHOP_URL',
  },
];

const attacks: readonly Attack[] = rows.map(({ tool, parameters, name, files: _, ...attack }) => ({
  ...attack,
  async run(server) {
    const result = await server.call(tool, parameters);
    expect(result).to.include({ isError: true, code: 'INVALID_PARAMETERS' });
    expect(result.text).to.include(`${name} is supplied by the service`);
    expect(result.text).to.not.include('from-the-model');
  },
}));

export const credentialNames: AttackKind = {
  rule: 'names of credentials and hosts never come from a call',
  files: Object.assign({ [`${folder}/definition.yaml`]: provider }, ...rows.map(({ files }) => files)) as Record<string, string>,
  env: { SHOP_TOKEN: 'planted-shop-0123456789' },
  attacks,
};
