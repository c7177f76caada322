import path from 'node:path';
import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { createKernel, type Kernel, type Plugin } from '../../../../kernel/index.ts';
import { accountCommands } from '../../../../plugins/accounts/commands/commands.ts';
import { standard } from '../../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { upstreamCommands } from '../../../../plugins/upstreams/commands/commands.ts';
import { type UpstreamServer, upstreams } from '../../../../plugins/upstreams/index.ts';
import { invocation } from '../../../support/invocation.ts';
import { type ProviderServer, type ProviderServerOptions, providerServer } from '../../../support/oauth/provider-server.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { type ProtectedServer, protectedServer } from '../servers/protected-server.ts';

interface Site {
  readonly provider: ProviderServer;
  readonly server: ProtectedServer;
  readonly kernel: Kernel;
  call(tool: string, options?: { readonly caller?: string }): Promise<unknown>;
  /** Runs a command as another process would; the browser of the provider's person follows its address. */
  run(command: string, args: readonly string[], flags?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** A server `shop`, its authorization server, and a host that serves it. */
async function open(more: UpstreamServer = {}, options: ProviderServerOptions = {}): Promise<Site> {
  const provider = await providerServer(options);
  const server = await protectedServer('legacy', { issuer: provider.issuer, find: (token) => provider.introspect(token) });
  const { oauth, ...others } = more;
  const shop: UpstreamServer = {
    ...{ auth: 'oauth', pin: 'first-use', gate: 'none', url: server.url, oauth: { issuer: provider.issuer, ...oauth } },
    ...others,
  };
  const cwd = await temporaryFolder();
  process.env['XDG_STATE_HOME'] = path.join(cwd, 'state');
  const plugins = (): readonly Plugin[] => [...standard({ includeCore: false, autoDiscover: false }), upstreams({ servers: { shop } })];
  const kernel = await bareKernel({ cwd, plugins: plugins() });
  const run: Site['run'] = async (command, args, flags = {}) => {
    let out = '';
    const write = (text: string): void => {
      out += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/auth\?\S+/.exec(text) ?? [];
      if (address !== undefined) void provider.authorize(address).then((redirect) => fetch(redirect));
    };
    const found = [...accountCommands, ...upstreamCommands].find(({ name }) => name === command);
    await found?.run(
      invocation({
        ...{ arguments: args, flags: { browser: false, ...flags }, write, note: write, setExitCode: () => {} },
        configFile: path.join(cwd, 'toolkit.config.yaml'),
        createKernel: async (_overrides, adapt = (given) => given) => {
          const adapted = adapt({ cwd, logger: memoryLogger(), plugins: plugins() });
          return createKernel({ ...adapted, plugins: adapted.plugins as readonly Plugin[] });
        },
      }),
    );
    return out;
  };
  return {
    ...{ provider, server, kernel, run },
    call: async (tool, given = {}) =>
      (await kernel.call({ tool: `shop_${tool}`, parameters: tool === 'echo' ? { text: 'hello' } : {}, caller: 'ada', ...given })).output,
  };
}

describe('a login at a server with auth: oauth', () => {
  // The first test loads the authorization server and the plugins, on a machine that may be busy.
  const { XDG_STATE_HOME: before } = process.env;
  let clock: ReturnType<typeof useFakeTimers> | undefined;

  afterEach(() => {
    clock?.restore();
    process.env['XDG_STATE_HOME'] = before;
  });

  it('lists and calls its tools afterwards, until the logout', async () => {
    const { provider, server, kernel, call, run } = await open();
    expect(kernel.sources.list()[0]).to.include({ state: 'needs-auth' });
    expect(kernel.sources.list()[0]?.failure).to.include('toolkit auth login upstream/shop');
    expect(await run('auth login', ['shop']))
      .to.include('upstream/shop is connected')
      .and.include('read');
    await kernel.reload();
    expect(kernel.sources.list()[0]?.failure).to.equal(undefined);
    expect(await call('echo')).to.equal('hello');
    const token = server.sent.at(-1) ?? '';
    expect(await provider.introspect(token)).to.deep.include({ account: provider.person });
    expect(await run('auth logout', ['shop'])).to.include('revoked its access');
    expect(await provider.introspect(token)).to.equal(undefined);
    await rejection(call('echo'), 'AUTH_REQUIRED');
  });

  it('lets the operator accept what the server offers', async () => {
    const { run } = await open({ pin: 'lock' });
    expect(await run('upstream accept', ['shop'], { yes: true }).catch((error: Error) => error.message)).to.include('toolkit auth login');
    await run('auth login', ['shop']);
    expect(await run('upstream accept', ['shop'], { yes: true })).to.include('Accepted: ');
  });

  it('is refreshed, and its session goes on', async () => {
    const { provider, server, kernel, call, run } = await open();
    await run('auth login', ['upstream/shop']);
    await kernel.reload();
    // The clock of the provider too: its token has expired.
    clock = useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await call('echo');
    // Before it a refresh that the server refuses: the question whether it knows this program.
    const answered = provider.tokenRequests.filter(({ status }) => status === 200);
    expect(answered.map(({ grant }) => grant)).to.deep.equal(['authorization_code', 'refresh_token']);
    const sessions = new Set(server.requests.map(({ headers }) => headers['mcp-session-id']).filter((id) => id !== undefined));
    expect(sessions.size).to.equal(1);
  });

  it('registers this program anew after the authorization server has forgotten it, once', async () => {
    const { provider, server, kernel, call, run } = await open();
    await run('auth login', ['shop']);
    await run('auth login', ['shop']);
    await kernel.reload();
    expect(provider.registered).to.have.length(1);
    await provider.forget(provider.registered[0] ?? '');
    clock = useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const error = await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(error.message).to.include('no longer knows this program').and.include('toolkit auth login upstream/shop');
    await run('auth login', ['shop']);
    await run('auth login', ['shop']);
    expect(provider.registered).to.have.length(2);
    expect(await call('echo')).to.equal('hello');
    expect(await provider.introspect(server.sent.at(-1) ?? '')).to.deep.include({ account: provider.person });
  });

  it('is stepped up with the earlier scopes', async () => {
    const { server, kernel, call, run } = await open();
    await run('auth login', ['shop']);
    await kernel.reload();
    server.scopeOf.set('echo', 'write');
    const { details } = await rejection(call('echo'), 'AUTH_REQUIRED');
    expect(details['scopes']).to.include.members(['read', 'write']);
    expect(details.command).to.equal(`toolkit auth login upstream/shop --scopes ${(details['scopes'] as readonly string[]).join(',')}`);
    await run('auth login', ['shop'], { scopes: details['scopes'] });
    expect(await call('echo')).to.equal('hello');
  });

  it('is of one caller with account: caller', async () => {
    const { provider, server, kernel, call, run } = await open({ oauth: { account: 'caller' } });
    for (const person of ['default', 'ada', 'bob']) {
      provider.person = `${person}@acme.example`;
      await run('auth login', ['shop'], person === 'default' ? {} : { as: person });
    }
    await kernel.reload();
    for (const caller of ['ada', 'bob', 'ada']) {
      const before = server.requests.length;
      expect(await call('echo', { caller })).to.equal('hello');
      // Those of the operator, who watches the lists, may come in between.
      const calls = server.requests.slice(before).filter(({ body }) => body.includes('"tools/call"'));
      const accounts = await Promise.all(
        calls.map(({ headers }) => provider.introspect(headers.authorization?.slice('Bearer '.length) ?? '')),
      );
      expect(accounts.map((found) => found?.account)).to.deep.equal([`${caller}@acme.example`]);
    }
    const { message } = await rejection(call('echo', { caller: 'eve' }), 'AUTH_REQUIRED');
    expect(message).to.include('--as eve');
  });

  it('counts no longer when the server names another issuer', async () => {
    const { server, kernel, call, run } = await open({ oauth: {} });
    await run('auth login', ['shop']);
    await kernel.reload();
    await call('echo');
    const other = await providerServer();
    server.metadata = { ...server.metadata, authorization_servers: [other.issuer] };
    await kernel.reload();
    const later = await open({ url: server.url, oauth: { issuer: other.issuer } });
    const before = server.sent.length;
    await rejection(later.call('echo'), 'TOOL_NOT_FOUND');
    expect(later.kernel.sources.list()[0]).to.include({ state: 'needs-auth' });
    expect(server.sent.slice(before).filter((token) => token !== '')).to.deep.equal([]);
    expect(other.tokenRequests).to.deep.equal([]);
  });
});
