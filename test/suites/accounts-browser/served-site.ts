import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Agent, fetch as fetchBy } from 'undici';
import { afterEach } from '../../support/after-each.ts';
import { type ProviderSite, providerSite } from './provider-site.ts';

/** Limit of each request, only for what hangs. */
const patient = { timeout: 300_000 };

/** The person's part where the client is asked. */
export interface Asked {
  /** Opens an address in a browser. @default the client cannot */
  readonly opens?: (url: string) => Promise<unknown>;
  /** The code that is typed into a form. @default the client has no forms */
  readonly types?: () => string | Promise<string>;
  /** @default 'auto', the newest */
  readonly era?: 'auto' | 'legacy';
}

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly account: unknown;
}

/** A `ProviderSite` whose program serves MCP over HTTP. */
export interface ServedSite extends ProviderSite {
  readonly origin: string;
  /** Calls the tool, as the client of a caller. */
  call(caller: string, asked?: Asked): Promise<Answer>;
}

const openClients: Client[] = [];

afterEach(async () => {
  for (const client of openClients.splice(0)) await client.close();
});

/** Takes any certificate. */
const trusting = new Agent({ connect: { rejectUnauthorized: false } });
const trustingFetch = ((url: string, init: object) => fetchBy(url, { ...init, dispatcher: trusting })) as unknown as typeof fetch;

/** `callers`: names of bearer tokens. @default one token, which is the caller `default`. `isSecure`: on https */
export async function servedSite(callers: readonly string[] = [], { isSecure = false } = {}): Promise<ServedSite> {
  const tokens = callers.map((name) => `- { name: ${name}, token: the-token-of-${name} }\n`).join('');
  const port = isSecure ? await freePort() : 0;
  const redirectUri = isSecure ? { redirectUri: `https://127.0.0.1:${port}/accounts/callback` } : {};
  const site = await providerSite({ files: { 'tokens.yaml': tokens }, ...redirectUri });
  const accepted = callers.length === 0 ? ['--token', 'the-token-of-default'] : ['--tokens-file', 'tokens.yaml'];
  const secure = isSecure ? ['--https', '--self-signed'] : [];
  const server = site.start('mcp', '-t', 'http', '-p', String(port), ...secure, ...accepted);
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return {
    ...site,
    origin: new URL(url).origin,
    async call(caller, asked = {}) {
      const client = clientOf(asked);
      openClients.push(client);
      const requestInit = { headers: { authorization: `Bearer the-token-of-${caller}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: trustingFetch }), patient);
      const { isError, content, _meta } = await client.callTool({ name: 'acme_read_messages', arguments: {} }, patient);
      const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('');
      return { isError: isError === true, text, account: _meta?.['toolkit/account'] };
    },
  };
}

/** Returns a port for a server whose redirect is registered before it starts: on https the registration holds the port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function clientOf({ opens, types, era = 'auto' }: Asked): Client {
  const elicitation = { ...(opens === undefined ? {} : { url: {} }), ...(types === undefined ? {} : { form: {} }) };
  const canBeAsked = opens !== undefined || types !== undefined;
  const client = new Client(
    { name: 'suite', version: '1.0.0' },
    { capabilities: canBeAsked ? { elicitation } : {}, versionNegotiation: { mode: era } },
  );
  if (canBeAsked)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (!('url' in params)) return { action: 'accept' as const, content: { code: (await types?.()) ?? '' } };
      // The person has agreed; the login goes on in the browser.
      void opens?.(String(params.url));
      return { action: 'accept' as const };
    });
  return client;
}
