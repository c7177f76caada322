import { expect } from 'chai';
import type { Kernel, Plugin } from '../../../kernel/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { type UpstreamServer, upstreams } from '../../../plugins/upstreams/index.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { acceptedFolder } from './kernel-with.ts';
import { type FakeAccounts, fakeAccounts } from './login/fake-accounts.ts';
import { type ProtectedServer, protectedServer } from './servers/protected-server.ts';

const provider = 'upstream/shop';
const own = { account: 'caller' } as const;

interface Opened {
  readonly kernel: Kernel;
  readonly accounts: FakeAccounts;
  readonly server: ProtectedServer;
  call(tool: string, parameters?: object, more?: object): Promise<unknown>;
}

/** A kernel with a protected server `shop`, and grants by hand. `grant`: the operator's at the start. */
async function open({ grant, kind = 'legacy', cwd, ...more }: Options = {}): Promise<Opened> {
  const server = await protectedServer(kind);
  const accounts = fakeAccounts();
  if (grant !== undefined) {
    server.tokens.set(grant, { scopes: ['read'] });
    accounts.login({ provider }, { token: grant, scopes: ['read'] });
  }
  const settings: UpstreamServer = { auth: 'oauth', pin: 'first-use', gate: 'none', url: server.url, ...more };
  const kernel = await bareKernel({
    cwd: cwd ?? (await temporaryFolder()),
    plugins: [...pluginsBeside(), accounts.plugin, upstreams({ servers: { shop: settings } })],
  });
  const call: Opened['call'] = async (tool, parameters = tool === 'echo' ? { text: 'hello' } : {}, options = {}) =>
    (await kernel.call({ tool: `shop_${tool}`, parameters: { ...parameters }, caller: 'ada', ...options })).output;
  return { kernel, accounts, server, call };
}

type Options = UpstreamServer & { readonly grant?: string; readonly kind?: 'legacy' | 'modern'; readonly cwd?: string };

/** The plugins of a host, without that which keeps accounts. */
const pluginsBeside = (): readonly Plugin[] =>
  standard({ includeCore: false, autoDiscover: false })
    .flat()
    .filter(({ name }) => name !== 'accounts');

const callsOf = ({ requests }: ProtectedServer): number => requests.filter(({ body }) => body.includes('"tools/call"')).length;

describe('a server with auth: oauth', () => {
  it('needs a login, and works after one without a restart', async () => {
    const { kernel, accounts, server, call } = await open();
    const [status] = kernel.sources.list();
    expect(status?.state, status?.failure).to.equal('needs-auth');
    expect(status?.failure).to.include('toolkit auth login');
    expect(server.sent).to.deep.equal([]);
    server.tokens.set('token-of-the-operator', { scopes: [] });
    accounts.login({ provider }, { token: 'token-of-the-operator' });
    await kernel.reload();
    expect(kernel.sources.list()[0]).to.include({ state: 'ready' });
    expect(await call('echo', { text: 'hello' })).to.equal('hello');
    expect(new Set(server.sent)).to.deep.equal(new Set(['token-of-the-operator']));
  });

  it('that was accepted is called after a login, without a listing before it', async () => {
    const { kernel, accounts, server, call } = await open({ pin: 'lock', cwd: await acceptedFolder('echo') });
    const error = await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(error.message).to.include('The MCP server "shop" needs a login').and.include('toolkit auth login');
    expect(kernel.status()['upstreams']).to.have.nested.property('shop.state', 'stopped');
    server.tokens.set('token-of-the-operator', { scopes: [] });
    accounts.login({ provider }, { token: 'token-of-the-operator' });
    // Its text differs from what was accepted: the server was reached.
    await rejection(call('echo'), 'APPROVAL_REQUIRED');
  });

  for (const kind of ['legacy', 'modern'] as const)
    it(`gets the newest token in a session that goes on (${kind})`, async () => {
      const { accounts, server, call } = await open({ grant: 'first-token', kind });
      accounts.login({ provider }, { token: 'first-token', next: 'second-token' });
      await call('echo', { text: 'one' });
      server.tokens.delete('first-token');
      server.tokens.set('second-token', { scopes: [] });
      expect(await call('echo', { text: 'two' })).to.equal('two');
      expect(callsOf(server)).to.equal(3);
      expect(server.sent.at(-1)).to.equal('second-token');
      expect(
        server.requests.filter(({ body }) => body.includes('"initialize"') || body.includes('server/discover')),
      ).to.have.length.at.most(4);
    });

  it('that refuses a token which cannot be refreshed asks for a login', async () => {
    const { server, call } = await open({ grant: 'only-token' });
    server.tokens.clear();
    const error = await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(error.details).to.include({ server: 'shop' });
    expect(error.message).not.to.include('only-token');
  });

  it('that refuses the refreshed token as well asks for a login, after two requests', async () => {
    const { accounts, server, call } = await open({ grant: 'first-token' });
    accounts.login({ provider }, { token: 'first-token', next: 'second-token' });
    await call('echo');
    server.tokens.clear();
    const before = callsOf(server);
    const error = await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(error.details).to.include({ server: 'shop', provider, command: 'toolkit auth login upstream/shop' });
    expect(callsOf(server) - before).to.equal(2);
  });

  it('is asked for once with the scopes of a step-up, those of earlier ones among them', async () => {
    const { accounts, server, call } = await open({ grant: 'token-to-read' });
    server.scopeOf.set('echo', 'write').set('structured', 'admin');
    await rejection(call('echo'), 'AUTH_REQUIRED');
    const error = await rejection(call('structured'), 'AUTH_REQUIRED');
    expect(error.details).to.deep.include({ scopes: ['write', 'admin'] });
    expect(error.message).to.include('write admin').and.include('toolkit auth login upstream/shop --scopes write,admin');
    expect(server.events.filter(({ event }) => event === 'called')).to.deep.equal([]);
    server.tokens.set('token-for-all', { scopes: ['read', 'write', 'admin'] });
    accounts.login({ provider }, { token: 'token-for-all', scopes: ['read', 'write', 'admin'] });
    expect(await call('echo', { text: 'hello' })).to.equal('hello');
  });

  it('gets nothing after a logout, and a session of its own after the next login', async () => {
    const { accounts, server, call } = await open({ grant: 'first-login' });
    await call('echo');
    accounts.logout({ provider });
    const before = server.sent.length;
    await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(server.sent.slice(before).filter((token) => token !== '')).to.deep.equal([]);
    server.tokens.set('other-login', { scopes: [] });
    accounts.login({ provider }, { token: 'other-login' });
    expect(await call('echo', { text: 'hello' })).to.equal('hello');
    const sessions = (token: string): Set<unknown> =>
      new Set(
        server.requests
          .filter(({ headers }) => headers.authorization === `Bearer ${token}`)
          .map(({ headers }) => headers['mcp-session-id']),
      );
    const [of, other] = [sessions('first-login'), sessions('other-login')];
    expect([...of].filter((session) => session !== undefined && other.has(session))).to.deep.equal([]);
  });

  it('gets the token of each caller with account: caller, and never that of another', async () => {
    const { accounts, server, call, kernel } = await open({ grant: 'token-of-the-operator', oauth: own });
    for (const [tenant, caller] of [
      ['acme', 'ada'],
      ['acme', 'bob'],
      ['rival', 'ada'],
    ] as const) {
      const token = `token-of-${caller}-at-${tenant}`;
      server.tokens.set(token, { scopes: [] });
      accounts.login({ provider, tenant, caller }, { token });
    }
    for (const [tenant, caller] of [
      ['acme', 'ada'],
      ['rival', 'ada'],
      ['acme', 'bob'],
    ] as const) {
      const before = server.requests.length;
      expect(await call('echo', { text: 'hello' }, { tenant, caller })).to.equal('hello');
      const sent = server.requests.slice(before).map(({ headers }) => headers.authorization);
      expect(new Set(sent)).to.deep.equal(new Set([`Bearer token-of-${caller}-at-${tenant}`]));
    }
    const error = await rejection(call('echo', { text: 'hello' }, { caller: 'eve' }), 'AUTH_REQUIRED');
    expect(error.details).to.include({ server: 'shop' });
    expect(kernel.sources.list()[0]).to.include({ state: 'ready' });
  });

  it('names the link of a caller without an account to that caller alone, and none for the account of the operator', async () => {
    const own = await open({ grant: 'token-of-the-operator', oauth: { account: 'caller' } });
    const error = await rejection(own.call('echo', { text: 'hello' }, { caller: 'eve' }), 'AUTH_REQUIRED');
    expect(error.details).to.include({ server: 'shop', url: 'https://here.test/connect/eve', command: 'toolkit auth login' });
    own.accounts.logout({ provider });
    await own.kernel.reload();
    expect(own.accounts.asked.filter(({ offersLink }) => offersLink).map(({ caller }) => caller)).to.deep.equal(['eve']);
    const shared = await open({ grant: 'token-of-the-operator' });
    shared.accounts.logout({ provider });
    const refused = await rejection(shared.call('echo'), 'AUTH_REQUIRED');
    expect(refused.details).not.to.have.property('url');
  });

  it('that names another issuer gets no token of the one before', async () => {
    const { accounts, server, call } = await open({ grant: 'token-of-first', oauth: { clientId: 'toolkit' } });
    const [first, second] = ['first', 'second'].map((name) => {
      const issuer = `${server.origin}/${name}`;
      const document = { issuer, token_endpoint: `${issuer}/token`, code_challenge_methods_supported: ['S256'] };
      server.documents.set(`/.well-known/oauth-authorization-server/${name}`, document);
      return issuer;
    }) as [string, string];
    server.metadata = { ...server.metadata, authorization_servers: [first] };
    accounts.login({ provider }, { token: 'token-of-first', next: 'newer-of-first', issuer: first });
    await call('echo');
    server.tokens.clear();
    server.metadata = { ...server.metadata, authorization_servers: [second] };
    await rejection(call('echo'), 'AUTH_REQUIRED');
    await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(server.sent).not.to.include('newer-of-first');
    server.tokens.set('token-of-second', { scopes: [] });
    accounts.login({ provider }, { token: 'token-of-second', issuer: second });
    expect(await call('echo')).to.equal('hello');
  });

  it('is not asked for a login in a private network that the operator did not write', async () => {
    const { accounts, server } = await open();
    server.metadata = { ...server.metadata, authorization_servers: ['https://10.1.2.3'] };
    const error = await rejection(accounts.settings(), 'UPSTREAM_UNAVAILABLE');
    expect(error.message).to.include('was not sent').and.include('10.1.2.3');
  });

  it('gets no request twice that it may have carried out', async () => {
    const { server, call } = await open({ grant: 'some-token' });
    server.cuts.add('echo');
    const before = callsOf(server);
    await rejection(call('echo'), 'UPSTREAM_UNAVAILABLE');
    expect(callsOf(server) - before).to.equal(1);
  });

  it('that answers with its token shows none', async () => {
    const { server, call } = await open({ grant: 'token-that-is-masked' });
    expect(await call('echo', { text: 'token-that-is-masked' })).to.equal('[secret access token of shop]');
    expect(server.sent).to.include('token-that-is-masked');
  });

  it('is refused without the plugin that keeps accounts', async () => {
    const plugins = [...pluginsBeside(), upstreams({ servers: { shop: { auth: 'oauth', url: 'https://shop.example/mcp' } } })];
    const error = await rejection(bareKernel({ cwd: await temporaryFolder(), plugins }), 'CONFIG_INVALID');
    expect(error.message).to.include('accounts()');
  });
});
