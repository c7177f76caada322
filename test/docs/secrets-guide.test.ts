import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { formatProblem, OAuth2Schema, type PluginFactory, type Provider, type ToolkitConfig } from '../../kernel/index.ts';
import { knownProviders } from '../../plugins/accounts/known-providers.ts';
import { providerSettings } from '../../plugins/provider-settings/index.ts';
import { clientValues } from '../../plugins/shared/oauth/client-values.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { checkPlugin, createTestKit, type TestKit } from '../../plugins/toolkit/testing.ts';
import { afterEach } from '../support/after-each.ts';
import { json, loopback } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { bareKernel } from '../support/test-kernel.ts';
import { until } from '../support/until.ts';
import { filesOf, readGuide } from './guide.ts';

const guide = await readGuide('plugins/toolkit/SECRETS.md');
const kits: TestKit[] = [];

afterEach(async () => {
  await Promise.all(kits.splice(0).map((kit) => kit.close()));
});

const project = (): Promise<string> => temporaryFolder({ 'package.json': '{ "type": "module" }', ...filesOf(guide) });

/** Returns the default export of a file. */
async function load<T>(...names: readonly string[]): Promise<T> {
  return ((await import(pathToFileURL(path.join(...names)).href)) as { default: T }).default;
}

/** The resolver of the guide with a login of the test, whose tokens end after 100 seconds, and a clock that the test sets. */
async function loggedIn() {
  const logins: string[] = [];
  let status = 200;
  const { url } = await loopback(({ body }, response) => {
    logins.push(body);
    json(response, { access_token: `token-number-${logins.length}`, expires_in: 100 }, status);
  });
  const clock = { now: 0 };
  const plugin = await load<PluginFactory<unknown>>(await project(), 'secrets-login/index.js');
  const handler = (_given: object, { secrets }: { secrets: Record<string, string> }) => secrets['SHOP_TOKEN']?.split('-');
  const tool = { name: 'shop', description: 'Shows the token.', secrets: ['SHOP_TOKEN'], execution: { type: 'function', handler } };
  const options = { url, clientId: 'toolkit', clientSecret: 'secret of the client' };
  const kit = await createTestKit({ plugins: [plugin(options)], tools: [tool], secrets: {}, now: () => clock.now });
  kits.push(kit);
  const call = async (): Promise<unknown> => ((await kit.call('shop')) as string[]).at(-1);
  return { call, clock, logins, fail: () => (status = 403) };
}

describe('the guide to secrets', () => {
  it('has a provider that people log in to, whose tools send the token', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, [{ id: 7 }]));
    const env = { SHOP_ACCESS_TOKEN: 'token-of-a-login', SHOP_CLIENT_ID: 'id-of-the-client', SHOP_CLIENT_SECRET: 'secret-of-the-client' };
    const settings = { shop: { base_url: url, oauth2: { token_url: `${url}/token` } } };
    const kernel = await bareKernel({
      cwd: await project(),
      plugins: [
        standard({
          includeCore: false,
          autoDiscover: false,
          toolPaths: ['./tools'],
          secretResolver: { resolvers: [{ type: 'env', env }] },
        }),
        providerSettings({ providers: settings }),
      ] as never,
    });
    expect(kernel.registry.problems.map(formatProblem)).to.deep.equal([]);
    expect(await kernel.execute('shop_list_orders')).to.deep.equal([{ id: 7 }]);
    expect(requests.map(({ url: path, headers }) => [path, headers.authorization])).to.deep.equal([['/orders', 'Bearer token-of-a-login']]);
    const shop = kernel.registry.provider('shop') as Provider;
    expect(knownProviders(kernel.registry)).to.include(shop);
    expect(await clientValues(kernel, shop)).to.deep.equal([
      { name: 'SHOP_CLIENT_ID', isSet: true, isRequired: true },
      { name: 'SHOP_CLIENT_SECRET', isSet: true, isRequired: false },
    ]);
  });

  it('names keys of oauth2 that there are, for what services do differently', async () => {
    const text = await readFile('plugins/toolkit/SECRETS.md', 'utf8');
    const section = text.slice(text.indexOf('What services do differently'), text.indexOf('The operator points a provider'));
    const keys = [...section.matchAll(/`([a-z_]+)(?:: |`)/g)]
      .map(([, key]) => key)
      .filter((key) => key !== 'offline_access' && key !== 'secret');
    expect(keys).to.include.members(['client_auth', 'token_body', 'refresh_url', 'provides', 'device_url', 'pkce']);
    for (const key of keys) expect(['parameter_mapping', ...Object.keys(OAuth2Schema.properties)]).to.include(key);
  });

  it('has a resolver that logs in once and keeps the token', async () => {
    const { call, logins } = await loggedIn();
    expect([await call(), await call()]).to.deep.equal(['1', '1']);
    expect(logins).to.deep.equal(['grant_type=client_credentials&client_id=toolkit&client_secret=secret+of+the+client']);
  });

  it('has it renew a stale token beside the calls', async () => {
    const { call, clock, logins } = await loggedIn();
    await call();
    clock.now = 81_000;
    expect(await call()).to.equal('1');
    await until(() => (logins.length === 2 ? true : undefined));
    await until(async () => ((await call()) === '2' ? true : undefined));
  });

  it('has it wait for another token when the first is dead', async () => {
    const { call, clock } = await loggedIn();
    await call();
    clock.now = 91_000;
    expect(await call()).to.equal('2');
  });

  it('has it refuse calls when the login fails', async () => {
    const { call, fail } = await loggedIn();
    fail();
    expect((await rejection(call(), 'SECRET_STORE_UNAVAILABLE')).message).to.include('The login answered 403');
  });

  it('has a configuration that lists it', async () => {
    const { plugins } = await load<ToolkitConfig>(await project(), 'toolkit.config.js');
    expect(plugins).to.have.length(2);
  });

  it('has a resolver that keeps the contract of plugins', async () => {
    const { url } = await loopback((_request, response) => json(response, { access_token: 'token-of-a-check', expires_in: 100 }));
    const plugin = await load<PluginFactory<unknown>>(await project(), 'secrets-login/index.js');
    expect(await checkPlugin(plugin, { url, clientId: 'toolkit', clientSecret: 'secret of the client' })).to.deep.equal([]);
  });
});
