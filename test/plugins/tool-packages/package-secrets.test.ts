import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { toolPackages } from '../../../plugins/tool-packages/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { projectWith, scope } from './package-kernel.ts';

const env = {
  CHAT_TOKEN: 'value-of-the-chat-token',
  SHOP_KEY: 'value-of-the-shop-key',
  TOOLKIT_MCP_TOKEN: 'value-of-the-bearer-token',
  PARTNER_KEY: 'value-of-the-partner-key',
  CHAT_HOST: 'chat.internal',
};

const json = (value: unknown): string => JSON.stringify(value);

/** A function that gives away what it got. */
const taking = (...secrets: readonly string[]): string =>
  json({ name: 'it', description: 'Takes secrets.', secrets, execution: { type: 'function', code: './it.mjs' } });

const requesting = (name: string): string =>
  json({
    name: 'it',
    description: 'd',
    execution: { type: 'http', method: 'get', url: 'https://shop.example', headers: { h: `{${name}}` } },
  });

/** The package `shop` with one tool, beside the package `chat` with its token. */
async function kernelWith(
  tool: string,
  provider: Readonly<Record<string, unknown>> | undefined,
  options: Parameters<typeof toolPackages>[0] = {},
): Promise<Kernel> {
  const cwd = await projectWith({
    [`${scope}/shop/it.yaml`]: tool,
    [`${scope}/shop/it.mjs`]: 'export default (_, { secrets }) => secrets',
    ...(provider === undefined ? {} : { [`${scope}/shop/definition.yaml`]: json({ provider: { name: 'shop' }, ...provider }) }),
    [`${scope}/chat/definition.yaml`]: json({
      provider: { name: 'chat' },
      parameter_mapping: [{ parameter: 'CHAT_TOKEN', env_pattern: 'CHAT_TOKEN' }],
    }),
  });
  const plugins = [executorFunction(), executorHttp(), secretsEnv({ env }), credentialsPlaceholder({ namedSecrets: ['CHAT_TOKEN'] })];
  return bareKernel({
    cwd,
    plugins: [standard({ includeCore: false, autoDiscover: false }), toolPackages({ python: false, ...options }), ...plugins],
  });
}

const mapping = (name: string, parameter = name) => ({ parameter_mapping: [{ parameter, env_pattern: name, secret: false }] });

describe('a secret that a tool of a package names', () => {
  const own: readonly { readonly what: string; readonly tool: string; readonly provider: Readonly<Record<string, unknown>> }[] = [
    { what: 'begins with the name of its provider', tool: taking('SHOP_KEY'), provider: {} },
    { what: 'is in the mapping of its provider', tool: taking('PARTNER_KEY'), provider: mapping('PARTNER_KEY') },
    { what: 'is mapped to another name', tool: taking('partner'), provider: mapping('PARTNER_KEY', 'partner') },
    { what: 'is a placeholder of its provider file', tool: requesting('PARTNER_KEY'), provider: { headers: { h: '{PARTNER_KEY}' } } },
  ];
  for (const { what, tool, provider } of own) {
    it(`is given when it ${what}`, async () => {
      const kernel = await kernelWith(tool, provider);
      expect(kernel.registry.problems.filter(({ tool: name }) => name === 'it')).to.deep.equal([]);
      expect(kernel.registry.tools.has('it')).to.equal(true);
    });
  }

  const declared = 'List it in the parameter_mapping of the provider, or let it';
  const foreign = 'belongs to another provider. Use a name of its own, or let it';
  const refused: readonly {
    readonly what: string;
    readonly tool: string;
    readonly provider?: Readonly<Record<string, unknown>>;
    readonly secret?: string;
    readonly says: string;
  }[] = [
    { what: 'that another package has', tool: taking('CHAT_TOKEN'), provider: {}, says: foreign },
    { what: 'of another package in its own mapping', tool: taking('CHAT_TOKEN'), provider: mapping('CHAT_TOKEN'), says: foreign },
    {
      what: 'of another package under a name of its own',
      tool: taking('SHOP_KEY'),
      provider: mapping('CHAT_TOKEN', 'SHOP_KEY'),
      says: foreign,
    },
    {
      what: 'of another package in a placeholder',
      tool: requesting('CHAT_TOKEN'),
      provider: { headers: { h: '{CHAT_TOKEN}' } },
      says: foreign,
    },
    {
      what: 'of another package in other letters',
      tool: taking('chat_token'),
      provider: mapping('chat_token'),
      secret: 'chat_token',
      says: foreign,
    },
    {
      what: 'that may be seen, of another package',
      tool: taking('HOST'),
      provider: mapping('CHAT_HOST', 'HOST'),
      secret: 'CHAT_HOST',
      says: foreign,
    },
    {
      what: 'of this service',
      tool: taking('TOOLKIT_MCP_TOKEN'),
      provider: mapping('TOOLKIT_MCP_TOKEN'),
      secret: 'TOOLKIT_MCP_TOKEN',
      says: 'belongs to this service',
    },
    {
      what: 'of another package behind the prefix of this service',
      tool: taking('TOOLKIT_CHAT_TOKEN'),
      provider: mapping('TOOLKIT_CHAT_TOKEN'),
      secret: 'TOOLKIT_CHAT_TOKEN',
      says: 'belongs to this service',
    },
    { what: 'that nobody declares', tool: taking('PARTNER_KEY'), provider: {}, secret: 'PARTNER_KEY', says: declared },
    { what: 'without a provider file', tool: taking('SHOP_KEY'), secret: 'SHOP_KEY', says: declared },
  ];
  for (const { what, tool, provider, secret = 'CHAT_TOKEN', says } of refused) {
    it(`is refused at load when it is one ${what}, with package, secret and the way out`, async () => {
      const error = await rejection((await kernelWith(tool, provider)).execute('it'), 'TOOL_INVALID');
      expect(error.message)
        .to.include(`the package "@toolkit/shop" names the secret ${secret}, which `)
        .and.include(says)
        .and.include(`secretsOf: { "@toolkit/shop": ["${secret}"] }`);
    });

    it(`is given when the operator lets it use one ${what}`, async () => {
      const kernel = await kernelWith(tool, provider, { secretsOf: { '@toolkit/shop': [secret] } });
      expect(kernel.registry.tools.has('it')).to.equal(true);
    });
  }

  it('may not be chosen by its caller', async () => {
    const parameters = { which: { type: 'string', names_secret: true } };
    const tool = json({ name: 'it', description: 'd', parameters, execution: { type: 'function', code: './it.mjs' } });
    const error = await rejection((await kernelWith(tool, {})).execute('it', { which: 'CHAT_TOKEN' }), 'TOOL_INVALID');
    expect(error.message).to.include('parameters.which.names_secret: lets the package "@toolkit/shop" use any named secret');
  });

  it('is whatever it likes where the tool is the own one of the operator', async () => {
    const cwd = await projectWith({
      'tools/it.yaml': taking('CHAT_TOKEN'),
      'tools/it.mjs': 'export default (_, { secrets }) => Object.keys(secrets)',
    });
    const plugins = [executorFunction(), secretsEnv({ env }), credentialsPlaceholder(), toolFiles({ toolPaths: ['tools'] })];
    expect(await (await bareKernel({ cwd, plugins })).execute('it')).to.deep.equal(['CHAT_TOKEN']);
  });
});

describe('oauth2 of a package', () => {
  const oauth2 = { auth_url: 'https://shop.example/a', token_url: 'https://shop.example/t', scopes: {} };
  const tool = taking('SHOP_KEY');
  const foreign = [
    {
      what: 'supplies a value to tools of another provider',
      provider: { ...mapping('CHAT_TOKEN'), oauth2: { ...oauth2, provides: { CHAT_TOKEN: 'access_token' } } },
    },
    { what: 'would send a secret of another provider', provider: { oauth2: { ...oauth2, client_secret: '$' + '{CHAT_TOKEN}' } } },
    { what: 'would send a secret of this service', provider: { oauth2: { ...oauth2, client_id: '$' + '{TOOLKIT_MCP_TOKEN}' } } },
    {
      what: 'has a value of another provider in an address',
      provider: { ...mapping('CHAT_HOST', 'HOST'), oauth2: { ...oauth2, token_url: 'https://{HOST}/t' } },
    },
  ];
  for (const { what, provider } of foreign)
    it(`is left out when it ${what}; the tools stay`, async () => {
      const { registry } = await kernelWith(tool, provider);
      expect(registry.problems.map(({ message }) => message).join()).to.match(
        /the package ".*shop" names \w+, which belongs to (another provider|this service)/,
      );
      expect(registry.providers.get('shop')?.definition).to.not.have.property('oauth2');
      expect(registry.tools.has('it')).to.equal(true);
    });

  it('stays with names of its own, and with what the operator allows', async () => {
    const own = { oauth2: { ...oauth2, client_secret: '$' + '{SHOP_CLIENT_SECRET}', provides: { SHOP_TOKEN: 'access_token' } } };
    expect((await kernelWith(tool, own)).registry.providers.get('shop')?.definition.oauth2).to.deep.equal(own.oauth2);
    const other = { oauth2: { ...oauth2, client_secret: '$' + '{CHAT_TOKEN}' } };
    const allowed = await kernelWith(tool, other, { secretsOf: { '@toolkit/shop': ['CHAT_TOKEN'] } });
    expect(allowed.registry.providers.get('shop')?.definition.oauth2).to.deep.equal(other.oauth2);
  });
});
