import { expect } from 'chai';
import { afterEach as afterEachTest, describe, it } from 'mocha';
import sinon from 'sinon';
import type { ErrorCode, ToolkitError } from '../../../../../../kernel/index.ts';
import { type McpOptions, mcp } from '../../../../../../plugins/mcp/index.ts';
import { authorizationSettings } from '../../../../../../plugins/mcp/transports/http/authorization/authorization-settings.ts';
import { createTestKit } from '../../../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { echoTool } from '../../../../../support/test-kernel.ts';
import { quietly, send, wireServer } from '../../../support/wire.ts';

const issuer = 'https://as.example';
const introspection = { clientId: 'us', clientSecret: 'a-secret-of-ours' };

afterEachTest(() => sinon.restore());

/** Returns the error of a start with these options. */
function failure(options: McpOptions, code: ErrorCode): Promise<ToolkitError> {
  const start = async (): Promise<void> => {
    await using kit = await createTestKit({ plugins: [mcp({ transport: 'http', port: 0, ...options })], tools: [echoTool()] });
    await quietly(() => kit.kernel.serve());
  };
  return rejection(start(), code);
}

describe('options of authorization that are refused', () => {
  const bad: Readonly<Record<string, readonly [says: string, options: McpOptions]>> = {
    'an issuer without TLS that is not on this machine': ['expected https://', { issuers: [{ issuer: 'http://as.example' }] }],
    'an issuer that is no URL': ['expected https://', { issuers: [{ issuer: 'as.example' }] }],
    'an issuer with a user': ['expected https://', { issuers: [{ issuer: 'https://user@as.example' }] }],
    'an issuer with a query': ['has a query', { issuers: [{ issuer: `${issuer}?a=1` }] }],
    'an issuer with a fragment': ['expected https://', { issuers: [{ issuer: `${issuer}#a` }] }],
    'keys without TLS': ['"jwksUri"', { issuers: [{ issuer, jwksUri: 'http://as.example/jwks' }] }],
    'introspection without TLS': [
      '"introspection.url"',
      { issuers: [{ issuer, introspection: { ...introspection, url: 'http://as.example/i' } }] },
    ],
    'one issuer twice': ['twice', { issuers: [{ issuer }, { issuer }] }],
    'two issuers with introspection': [
      'shown to no other',
      {
        issuers: [
          { issuer, introspection },
          { issuer: 'https://b.example', introspection },
        ],
      },
    ],
    'a plain token with a name like a caller of an issuer': [
      'could be taken',
      { issuers: [{ issuer }], tokens: [{ name: `${issuer}:ada`, token: 't' }] },
    ],
    'a resource that is no URL': ['"resource"', { issuers: [{ issuer }], resource: 'tools' }],
    'a resource with a query': ['has a query', { issuers: [{ issuer }], resource: 'https://tools.example/mcp?a=1' }],
    'no resource, where the server listens on every address': ['Give "resource"', { issuers: [{ issuer }], host: '0.0.0.0' }],
    'scopes of a provider that is not there': [
      'no tool has that provider',
      { issuers: [{ issuer }], scopes: { provider: { slak: 'slack' } } },
    ],
    'scopes without an issuer': ['"scopes" is for access tokens', { scopes: { risk: { high: 'admin' } } }],
    'a resource without an issuer': ['"resource" is for access tokens', { resource: 'https://tools.example/mcp' }],
    'a secret that nobody has': [
      'NO_SUCH_SECRET',
      { issuers: [{ issuer, introspection: { clientId: 'us', clientSecret: { secret: 'NO_SUCH_SECRET' } } }] },
    ],
  };
  for (const [name, [says, options]] of Object.entries(bad))
    it(name, async () => {
      const { message } = await failure(options, 'CONFIG_INVALID');
      expect(message).to.include(says);
      expect(message).to.not.include(introspection.clientSecret);
    });

  const unknown: Readonly<Record<string, unknown>> = {
    'a symmetric algorithm': { issuers: [{ issuer, algorithms: ['HS256'] }] },
    'the algorithm none': { issuers: [{ issuer, algorithms: ['none'] }] },
    'no algorithm': { issuers: [{ issuer, algorithms: [] }] },
    'an unknown key of an issuer': { issuers: [{ issuer, audiences: ['a'] }] },
    'an unknown risk': { issuers: [{ issuer }], scopes: { risk: { hihg: 'admin' } } },
    'scopes as a list': { issuers: [{ issuer }], scopes: { risk: { high: ['admin'] } } },
    'a scope with a quotation mark': { issuers: [{ issuer }], scopes: { risk: { high: 'ad"min' } } },
    'no issuer at all': { issuers: [] },
  };
  for (const [name, options] of Object.entries(unknown))
    it(name, async () => void (await failure(options as McpOptions, 'PLUGIN_INVALID')));
});

describe('a server with issuers', () => {
  it('makes up no token', async () => {
    const stderr = sinon.stub(process.stderr, 'write').returns(true);
    await using kit = await createTestKit({ plugins: [mcp({ transport: 'http', port: 0, issuers: [{ issuer }] })], tools: [echoTool()] });
    const [running] = await kit.kernel.serve().finally(() => stderr.restore());
    expect(running).to.not.have.property('token');
    expect(stderr.args.flat().join('')).to.include('MCP server: ').and.not.include('Token');
  });

  it('takes its secret from the resolver chain', async () => {
    await using kit = await createTestKit({ tools: [echoTool()], secrets: { CLIENT_SECRET: 'of-the-chain' } });
    const options = { issuers: [{ issuer, introspection: { clientId: 'us', clientSecret: { secret: 'CLIENT_SECRET' } } }], tokens: [] };
    const settings = await authorizationSettings(options, kit.kernel);
    expect(settings?.issuers.map(({ clientSecret }) => clientSecret)).to.deep.equal(['of-the-chain']);
  });

  it('masks its secret', async () => {
    const { kernel } = await wireServer({ issuers: [{ issuer, introspection }] });
    expect(kernel.mask(`it is ${introspection.clientSecret}`)).to.not.include(introspection.clientSecret);
  });

  it('starts while they are away', async () => {
    expect((await wireServer({ issuers: [{ issuer: 'https://nowhere.invalid' }] })).port).to.be.above(0);
  });
});

describe('the metadata of the server', () => {
  const get = (port: number, path: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
    send(port, { method: 'GET', path, headers: { authorization: undefined, ...headers } });

  it('are there for everybody, at the address that its path makes and without it', async () => {
    const scopes = { risk: { low: 'tools:read', high: 'tools:admin tools:write' } };
    const { port } = await wireServer({ issuers: [{ issuer }, { issuer: 'https://b.example/realm' }], scopes });
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const { status, headers, body } = await get(port, path);
      expect([status, headers['content-type']]).to.deep.equal([200, 'application/json']);
      expect(JSON.parse(body)).to.deep.equal({
        resource: `http://127.0.0.1:${port}/mcp`,
        authorization_servers: [issuer, 'https://b.example/realm'],
        scopes_supported: ['tools:read', 'tools:admin', 'tools:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'toolkit',
      });
    }
  });

  it('are there for a page that may call, and for no other', async () => {
    const { port } = await wireServer({ issuers: [{ issuer }], allowedOrigins: ['https://app.example'] });
    const path = '/.well-known/oauth-protected-resource/mcp';
    const { headers } = await get(port, path, { origin: 'https://app.example' });
    expect(headers['access-control-allow-origin']).to.equal('https://app.example');
    expect((await get(port, path, { origin: 'https://evil.example' })).status).to.equal(403);
    expect((await get(port, path, { host: 'evil.example' })).status).to.equal(403);
    expect((await send(port, { path, headers: { authorization: undefined }, body: '{}' })).status).to.equal(401);
  });

  it('name the public address, also where a path goes before it', async () => {
    const { port } = await wireServer({ issuers: [{ issuer }], resource: 'https://example.com/tools/mcp', allowedHosts: ['example.com'] });
    const path = '/.well-known/oauth-protected-resource/tools/mcp';
    const { body } = await get(port, path, { host: 'example.com' });
    expect(JSON.parse(body)).to.have.property('resource', 'https://example.com/tools/mcp');
    const { headers } = await get(port, '/mcp', { host: 'example.com' });
    expect(headers['www-authenticate']).to.equal(`Bearer resource_metadata="https://example.com${path}"`);
  });

  it('are told of with the scope that calls begin with, where there is one', async () => {
    const { port } = await wireServer({ issuers: [{ issuer }], scopes: { risk: { low: 'tools:read', high: 'tools:admin' } } });
    expect((await get(port, '/mcp')).headers['www-authenticate']).to.match(/^Bearer scope="tools:read", resource_metadata="[^"]+"$/);
  });

  it('are not there without issuers', async () => {
    const { port } = await wireServer();
    const { status, headers } = await get(port, '/.well-known/oauth-protected-resource');
    expect([status, headers['www-authenticate']]).to.deep.equal([401, 'Bearer']);
  });
});
