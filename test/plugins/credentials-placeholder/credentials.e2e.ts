import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const shop = {
  provider: { name: 'shop', documentation_url: 'https://shop.example/keys' },
  parameter_mapping: [
    { parameter: 'ACCOUNT', env_pattern: 'SHOP_ACCOUNT_ID' },
    { parameter: 'REGION_TOKEN', env_pattern: 'SHOP_REGION', required: false },
  ],
};

interface Shop {
  readonly kernel: Kernel;
  /** The requests that the server saw: authorization, path and region. */
  readonly seen: () => readonly unknown[];
}

/** A tool of a provider that sends a token, an account and, when there is one, a region. */
async function shopKernel(env: Readonly<Record<string, string>>): Promise<Shop> {
  const { url, requests } = await loopback(({ headers }, response) => json(response, { as: headers['x-tenant'] ?? null }));
  const tool = {
    name: 'shop_list',
    description: 'Lists.',
    provider: 'shop',
    parameters: { tenant: { type: 'string' } },
    execution: {
      type: 'http',
      method: 'get',
      url: `${url}/accounts/{ACCOUNT}`,
      headers: { authorization: 'Bearer {SHOP_TOKEN}', 'x-region': '{REGION_TOKEN}', 'x-tenant': '{tenant}' },
    },
  };
  const plugins = [executorHttp(), secretsEnv({ env }), credentialsPlaceholder()];
  const kernel = await testKernel({ plugins, tools: [tool], providers: [shop] });
  return { kernel, seen: () => requests.map(({ url: path, headers }) => [headers.authorization, path, headers['x-region']]) };
}

const environment = { SHOP_TOKEN: 'token-from-env', SHOP_ACCOUNT_ID: 'account-from-env', SHOP_REGION: 'region-from-env' };

describe('credentials of a call', () => {
  it('are the resolved secrets, under the names of the parameter mapping', async () => {
    const { kernel, seen } = await shopKernel(environment);
    await kernel.execute('shop_list');
    expect(seen()).to.deep.equal([['Bearer token-from-env', '/accounts/account-from-env', 'region-from-env']]);
  });

  it('are first of all those given with the call, as credentials or as parameters of that name', async () => {
    const { kernel, seen } = await shopKernel(environment);
    await kernel.execute('shop_list', {}, { credentials: { SHOP_TOKEN: 'token-of-call', ACCOUNT: 'account-of-call' } });
    await kernel.execute('shop_list', { SHOP_TOKEN: 'token-among-parameters' });
    await kernel.execute('shop_list');
    expect(seen()).to.deep.equal([
      ['Bearer token-of-call', '/accounts/account-of-call', 'region-from-env'],
      ['Bearer token-among-parameters', '/accounts/account-from-env', 'region-from-env'],
      ['Bearer token-from-env', '/accounts/account-from-env', 'region-from-env'],
    ]);
  });

  it('are not asked of the resolvers when the call gives them', async () => {
    const { kernel, seen } = await shopKernel({});
    await kernel.execute('shop_list', {}, { credentials: { SHOP_TOKEN: 'token-of-call', ACCOUNT: 'account-of-call' } });
    expect(seen()).to.deep.equal([['Bearer token-of-call', '/accounts/account-of-call', undefined]]);
  });

  it('that the mapping calls optional are left out when nobody has them', async () => {
    const { SHOP_REGION: _, ...rest } = environment;
    const { kernel, seen } = await shopKernel(rest);
    await kernel.execute('shop_list');
    expect(seen()).to.deep.equal([['Bearer token-from-env', '/accounts/account-from-env', undefined]]);
  });

  for (const [missing, secret] of Object.entries({ SHOP_TOKEN: 'SHOP_TOKEN', ACCOUNT: 'SHOP_ACCOUNT_ID' })) {
    it(`that nobody has fail the call before it is sent: ${missing}`, async () => {
      const { [secret as keyof typeof environment]: _, ...rest } = environment;
      const { kernel, seen } = await shopKernel(rest);
      const error = await rejection(kernel.execute('shop_list'), 'MISSING_PARAMETER');
      expect(error.message).to.equal(
        `Missing required parameter: ${missing}. Set the environment variable ${secret}, or add it to a configured secret store; your own code may give it with the call, credentials: { ${missing}: … }. See https://shop.example/keys for how to get it.`,
      );
      expect(error.details).to.include({ tool: 'shop_list', parameter: missing, secret });
      expect(seen()).to.deep.equal([]);
    });
  }

  const refused = [
    { what: 'an unknown name', request: { credentials: { SHOP_TOKN: 'x' } }, says: 'is not a credential of this tool (expected ' },
    { what: 'a name of another tool', request: { credentials: { OTHER_TOKEN: 'x' } }, says: 'is not a credential of this tool' },
    {
      what: 'a value that is not text',
      request: { credentials: { SHOP_TOKEN: 7 as unknown as string } },
      says: 'expected a string, received number 7',
    },
    { what: 'a parameter that is not text', request: { parameters: { SHOP_TOKEN: { a: 1 } } }, says: 'expected a string, received object' },
    { what: 'a credential from a model', request: { origin: 'model', parameters: { SHOP_TOKEN: 'x' } }, says: 'SHOP_TOKEN' },
    { what: 'a mapped value from a model', request: { origin: 'model', parameters: { ACCOUNT: 'x' } }, says: 'ACCOUNT' },
  ] as const;
  for (const { what, request, says } of refused) {
    it(`refuse ${what}`, async () => {
      const { kernel, seen } = await shopKernel(environment);
      expect((await rejection(kernel.call({ tool: 'shop_list', ...request }), 'INVALID_PARAMETERS')).message).to.include(says);
      expect(seen()).to.deep.equal([]);
    });
  }

  it('given by the host of a model are used: a model has no way to give any', async () => {
    const { kernel, seen } = await shopKernel(environment);
    await kernel.call({ tool: 'shop_list', origin: 'model', credentials: { SHOP_TOKEN: 'token-of-its-user' } });
    expect(seen()).to.deep.equal([['Bearer token-of-its-user', '/accounts/account-from-env', 'region-from-env']]);
  });

  it('of two tenants never mix in 200 interleaved calls', async () => {
    const { kernel, seen } = await shopKernel({});
    const calls = Array.from({ length: 200 }, (_, n) => {
      const credentials = { SHOP_TOKEN: `token-of-${n % 2}`, ACCOUNT: `account-of-${n % 2}`, REGION_TOKEN: `call-${n}` };
      return kernel.execute('shop_list', { tenant: `tenant-${n % 2}` }, { credentials });
    });
    const answers = await Promise.all(calls);
    expect(answers).to.deep.equal(Array.from({ length: 200 }, (_, n) => ({ as: `tenant-${n % 2}` })));
    const regions = new Set<unknown>();
    for (const [token, path, region] of seen() as [string, string, string][]) {
      const tenant = Number(region.replace('call-', '')) % 2;
      expect([token, path]).to.deep.equal([`Bearer token-of-${tenant}`, `/accounts/account-of-${tenant}`]);
      regions.add(region);
    }
    expect(regions.size).to.equal(200);
  });

  it('do not outlive their call', async () => {
    const { kernel } = await shopKernel({});
    await kernel.execute('shop_list', {}, { credentials: { SHOP_TOKEN: 'token-of-call', ACCOUNT: 'account-of-call' } });
    await rejection(kernel.execute('shop_list'), 'MISSING_PARAMETER');
  });

  it('are not written to the environment of the process', async () => {
    const before = { ...process.env };
    const { kernel } = await shopKernel(environment);
    await kernel.execute('shop_list', {}, { credentials: { SHOP_TOKEN: 'token-of-call' } });
    await kernel.execute('shop_list');
    expect({ ...process.env }).to.deep.equal(before);
  });

  it('are bound by a plugin that keeps the contract', async () => {
    expect(await checkPlugin(credentialsPlaceholder)).to.deep.equal([]);
  });
});
