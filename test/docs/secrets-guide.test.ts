import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { PluginFactory, ToolkitConfig } from '../../kernel/index.ts';
import { checkPlugin, createTestKit, type TestKit } from '../../plugins/toolkit/testing.ts';
import { afterEach } from '../support/after-each.ts';
import { json, loopback } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary.ts';
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

describe('the guide to secrets', function () {
  this.timeout(60_000);

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
