import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AuthorizationServer } from '../../../support/authorization-server.ts';
import { handlerTool, source } from '../../../support/client.ts';
import { type Answer, messagesOf, token as plainToken, send, startServer, type WireServer } from '../../../support/wire.ts';
import { newest, WireClient } from '../../../support/wire-client.ts';

const tool = (name: string, risk: string, more: object = {}) => handlerTool(() => name, { name, risk, ...more });

/** Calls the tool that it is told, for its caller, as any handler may. */
const relay = handlerTool(async ({ name }: { readonly name: string } & never, context) => (await context.tools.call(name, {})).output, {
  name: 'relay',
  risk: 'low',
  parameters: { name: { type: 'string', required: true } },
});

/** In place of the core tool of that name. */
const callTool = handlerTool(
  async ({ name, arguments: given }: { readonly name: string; readonly arguments: Record<string, unknown> } & never, context) =>
    (await context.tools.call(name, given)).output,
  { name: 'toolkit_call_tool', risk: 'low', parameters: { name: { type: 'string', required: true }, arguments: { type: 'object' } } },
);

const scopes = { risk: { medium: 'tools:write', high: 'tools:admin' }, provider: { demo: 'demo demo:all' } };

let issuer: AuthorizationServer;
let server: WireServer;
let resource: string;

before(async () => {
  issuer = await AuthorizationServer.start();
  const demo = source((sink) => {
    sink.addProvider({ provider: { name: 'demo' } }, { trust: 'operator' });
    for (const risk of ['low', 'high']) sink.addTool(tool(`demo_${risk}`, risk), { trust: 'operator' }, 'demo');
  });
  server = await startServer({ issuers: [{ issuer: issuer.issuer }], scopes, more: [demo] }, [
    tool('look', 'low'),
    tool('write', 'medium'),
    tool('remove', 'high'),
    relay,
    callTool,
  ]);
  resource = `http://127.0.0.1:${server.port}/mcp`;
});

after(async () => {
  await server.kernel.close();
  await issuer.close();
});

async function clientWith(scope: unknown, claims: object = {}): Promise<WireClient> {
  return WireClient.open(server.port, await issuer.forged(resource, { claims: { scope, ...claims } }));
}

const callOf = (client: WireClient, name: string, given: object = {}): Promise<Answer> =>
  client.post({ id: 7, method: 'tools/call', params: { name, arguments: given } });

function expectChallenge({ status, headers, body }: Answer, scope: string): void {
  expect(status, body).to.equal(403);
  const metadata = `resource_metadata="http://127.0.0.1:${server.port}/.well-known/oauth-protected-resource/mcp"`;
  expect(headers['www-authenticate'])
    .to.match(/^Bearer error="insufficient_scope", error_description="[^"]+", /)
    .and.to.include(`scope="${scope}"`)
    .and.to.include(metadata);
  expect(JSON.parse(body)).to.include({ jsonrpc: '2.0', id: 7 });
  expect(JSON.parse(body)).to.have.nested.property('error.message').that.includes(scope);
}

describe('a call with an access token', () => {
  const open: readonly [tool: string, scope: unknown, claims?: object][] = [
    ['look', undefined],
    ['look', ''],
    ['write', 'tools:write'],
    ['write', 'tools:read tools:write'],
    ['write', 'tools:admin'],
    ['demo_low', 'demo:all demo'],
    ['demo_high', 'tools:admin demo demo:all'],
    ['remove', 'tools:admin'],
    ['write', undefined, { scp: 'tools:write' }],
    ['write', undefined, { scp: ['tools:read', 'tools:write'] }],
  ];
  for (const [name, scope, claims] of open)
    it(`runs ${name} with ${JSON.stringify(claims ?? { scope })}`, async () => {
      expect(messagesOf(await callOf(await clientWith(scope, claims), name))[0]).to.have.nested.property('result.content[0].text', name);
    });

  const closed: readonly [tool: string, scope: unknown, needed: string][] = [
    ['write', undefined, 'tools:write'],
    ['write', '', 'tools:write'],
    ['write', 'tools:read', 'tools:write'],
    ['write', 'tools:writer', 'tools:write'],
    ['write', 'TOOLS:WRITE', 'tools:write'],
    ['write', ['tools:read'], 'tools:write'],
    ['write', { 'tools:write': true }, 'tools:write'],
    ['demo_low', 'demo', 'demo demo:all'],
    ['demo_high', 'demo demo:all', 'tools:admin demo demo:all'],
    ['demo_high', 'tools:admin', 'tools:admin demo demo:all'],
    ['remove', 'tools:write', 'tools:admin'],
    ['remove', 'tools:read tools:write', 'tools:admin'],
  ];
  for (const [name, scope, needed] of closed)
    it(`is refused for ${name} with ${JSON.stringify(scope)}`, async () => {
      expectChallenge(await callOf(await clientWith(scope), name), needed);
    });

  it('is refused through the tool that calls tools, by what that would call', async () => {
    const client = await clientWith('tools:read');
    expectChallenge(await callOf(client, 'toolkit_call_tool', { name: 'remove', arguments: {} }), 'tools:admin');
    const open = await callOf(client, 'toolkit_call_tool', { name: 'look', arguments: {} });
    expect(messagesOf(open)[0]).to.have.nested.property('result.content[0].text', 'look');
  });

  it('is refused inside of another one, as by a policy, and the refusal names the scope', async () => {
    const { result } = await (await clientWith('tools:write')).call('relay', { name: 'remove' });
    expect(result).to.have.nested.property('_meta.toolkit/error.code', 'POLICY_DENIED');
    expect(result).to.have.nested.property('content[0].text').that.includes('"remove" needs tools:admin');
  });

  it('is measured by its own token, not by the one that opened the session', async () => {
    const strong = await clientWith('tools:admin');
    const weak = await issuer.forged(resource, { claims: { scope: 'tools:read' } });
    const headers = { authorization: `Bearer ${weak}`, 'mcp-session-id': strong.sessionId, 'mcp-protocol-version': newest };
    const ask = (params: object): Promise<Answer> =>
      send(server.port, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }) });
    expectChallenge(await ask({ name: 'remove', arguments: {} }), 'tools:admin');
    const relayed = messagesOf(await ask({ name: 'relay', arguments: { name: 'remove' } }))[0];
    expect(relayed).to.have.nested.property('result._meta.toolkit/error.code', 'POLICY_DENIED');
    expect((await strong.call('relay', { name: 'remove' })).result).to.have.nested.property('content[0].text', 'remove');
  });

  it('is refused in the kernel where nothing was said of the scopes of a caller of an issuer', async () => {
    const request = { tool: 'remove', caller: `${issuer.issuer}:ada` };
    const refused = await server.kernel.call(request).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'POLICY_DENIED' });
    expect((await server.kernel.call({ tool: 'remove', caller: 'host' })).output).to.equal('remove');
  });

  it('needs its scope in a batch as well, of which nothing runs then', async () => {
    const client = await clientWith('tools:read');
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'remove', arguments: {} } };
    const { status, body } = await send(server.port, {
      headers: client.headers,
      body: JSON.stringify([{ ...call, id: 8, method: 'ping' }, call]),
    });
    const answers = JSON.parse(body) as readonly { id: unknown; error: { message: string } }[];
    expect([status, answers.map(({ id }) => id)]).to.deep.equal([403, [8, 7]]);
    for (const { error } of answers) expect(error.message).to.include('lacks a scope');
  });

  it('needs no scope with a plain token', async () => {
    const client = await WireClient.open(server.port, plainToken);
    expect((await client.call('remove')).result).to.have.nested.property('content[0].text', 'remove');
    expect((await client.call('relay', { name: 'remove' })).result).to.have.nested.property('content[0].text', 'remove');
  });

  it('of a tool that is not there is answered as ever', async () => {
    expect(await (await clientWith('')).call('nothing')).to.have.nested.property('error.code', -32602);
  });
});

describe('without scopes in the configuration', () => {
  it('a token without any opens everything', async () => {
    const free = await startServer({ issuers: [{ issuer: issuer.issuer }] }, [tool('remove', 'high')]);
    const client = await WireClient.open(free.port, await issuer.forged(`http://127.0.0.1:${free.port}/mcp`));
    const { result } = await client.call('remove');
    await free.kernel.close();
    expect(result).to.have.nested.property('content[0].text', 'remove');
  });
});
