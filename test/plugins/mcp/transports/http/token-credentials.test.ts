import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import { createMCPServer, type MCPServer, type MCPServerOptions } from '../../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../../plugins/toolkit/testing.ts';
import { httpClient, textOf } from '../../../../e2e/program.ts';
import { afterEach } from '../../../../support/after-each.ts';
import { loopback } from '../../../../support/loopback.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { quietly } from '../../support/wire.ts';

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface Served {
  readonly server: MCPServer;
  readonly tokens: string[];
  readonly logger: ReturnType<typeof memoryLogger>;
  client(token: string): Promise<Client>;
}

/** A server with one tool, whose service notes each token that it is sent. The operator has one in the environment. */
async function serving(options: MCPServerOptions): Promise<Served> {
  const tokens: string[] = [];
  const { url } = await loopback((request, response) => {
    tokens.push(String(request.headers['x-token']));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"paid":true}');
  });
  const cwd = await temporaryFolder({
    'tools/shop_pay.yaml': `name: shop_pay\ndescription: Pays.\nexecution: { type: http, method: get, url: "${url}/pay", headers: { X-Token: "{SHOP_TOKEN}" } }\nrisk: low\n`,
  });
  const logger = memoryLogger();
  const secretResolver = { resolvers: [{ type: 'env', env: { SHOP_TOKEN: 'of-the-operator' } }] } as never;
  const server = await quietly(() =>
    createMCPServer({ transport: 'http', port: 0, cwd, toolPaths: ['tools'], autoDiscover: false, logger, secretResolver, ...options }),
  );
  opened.push(() => server.close());
  const client = async (token: string): Promise<Client> => {
    const connected = await httpClient(server.url ?? '', token);
    opened.push(() => connected.close());
    return connected;
  };
  return { server, tokens, logger, client };
}

const acme = { name: 'acme', token: 'key-of-acme', credentials: { SHOP_TOKEN: 'of-acme' } };
const globex = { name: 'globex', token: 'key-of-globex', credentials: { SHOP_TOKEN: 'of-globex' } };

describe('tokens with credentials of their own', () => {
  it('have calls made with them, directly and through another tool, and the operator has the chain', async () => {
    const { tokens, client } = await serving({ mcpToken: 'key-of-operator', tokens: [acme, globex], expose: 'search' });
    for (const key of ['key-of-acme', 'key-of-globex', 'key-of-operator']) {
      const connected = await client(key);
      await connected.callTool({ name: 'shop_pay', arguments: {} });
      await connected.callTool({ name: 'toolkit_call_tool', arguments: { name: 'shop_pay', arguments: {} } });
    }
    const each = ['of-acme', 'of-globex', 'of-the-operator'];
    expect(tokens).to.deep.equal(each.flatMap((token) => [token, token]));
  });

  it('of a caller who has none let nothing be sent, and search says what it lacks', async () => {
    const { tokens, client } = await serving({ tokens: [acme, { ...globex, credentials: {} }] });
    const connected = await client('key-of-globex');
    const refused = await connected.callTool({ name: 'shop_pay', arguments: {} });
    expect(JSON.stringify(refused.content)).to.include('MISSING_PARAMETER').and.include('The caller \\"globex\\"');
    const needs = async (who: Client): Promise<unknown> =>
      JSON.parse(textOf(await who.callTool({ name: 'toolkit_search_tools', arguments: { query: 'shop pay', limit: 1 } }))).tools[0].needs;
    expect(await needs(connected)).to.deep.equal(['SHOP_TOKEN']);
    expect(await needs(await client('key-of-acme'))).to.equal(undefined);
    expect(tokens).to.deep.equal([]);
  });

  it('may take those of the chain by name', async () => {
    const { tokens, client } = await serving({ tokens: [acme, { ...globex, credentials: 'chain' }] });
    await (await client('key-of-globex')).callTool({ name: 'shop_pay', arguments: {} });
    expect(tokens).to.deep.equal(['of-the-operator']);
  });

  it('are named in the log where no tool needs one', async () => {
    const { logger } = await serving({ tokens: [{ ...acme, credentials: { SHOP_TOKN: 'of-acme' } }] });
    const warnings = logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).to.include('no tool needs the credential SHOP_TOKN of the caller "acme". Did you mean "SHOP_TOKEN"?');
    expect(JSON.stringify(logger.records)).to.not.include('of-acme');
  });

  const refused = {
    'beside a token that does not say': {
      tokens: [acme, { name: 'globex', token: 'key-of-globex' }],
      told: 'The token of the caller "globex" has no "credentials"',
    },
    'beside a list by what the chain has': { tokens: [acme], onlyAvailable: true, told: '"onlyAvailable"' },
  };
  for (const [what, { told, ...options }] of Object.entries(refused))
    it(`are refused ${what}`, async () => {
      const error = await rejection(serving(options), 'CONFIG_INVALID');
      expect(error.message).to.include(told);
    });
});
