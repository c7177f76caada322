import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { createOAuthClient } from '../../../../../plugins/shared/oauth/client.ts';
import { type Started, start } from '../../../../e2e/program.ts';
import { afterEach } from '../../../../support/after-each.ts';
import { json, loopback } from '../../../../support/loopback.ts';
import { acmeProvider, acmeTool } from '../../../../support/oauth/acme-tool.ts';
import { type ProviderServer, providerServer } from '../../../../support/oauth/provider-server.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { Browser, codeIn, type Visit } from '../browser.ts';
import { ada, eve, signInClients } from './sign-in-site.ts';

/** Limit of each request, only for what hangs. */
const patient = { timeout: 120_000 };

/** The server as its access tokens name it, wherever it listens. */
const audience = 'https://tools.example/mcp';

const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Site {
  readonly url: string;
  /** The issuer of the server's access tokens. */
  readonly issuer: ProviderServer;
  readonly acme: ProviderServer;
  readonly sent: readonly (string | undefined)[];
  readonly server: Started;
}

/** `toolkit mcp -t http` whose callers an issuer names. */
async function site(): Promise<Site> {
  const program = {
    client_id: 'program',
    client_secret: 'program-secret',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/callback'],
  };
  const callback = { ...program, client_id: 'toolkit', client_secret: 'toolkit-secret' };
  const issuer = await providerServer({ accessTokenFormat: 'jwt', configuration: { clients: [program, ...signInClients] } });
  const acme = await providerServer({
    configuration: { clients: [{ ...callback, redirect_uris: ['http://127.0.0.1/accounts/callback'] }] },
  });
  const sent: (string | undefined)[] = [];
  const api = await loopback(({ headers }, response) => {
    sent.push(headers.authorization);
    json(response, { sent: true });
  });
  const signIn = { clientId: 'toolkit-server', clientSecret: { secret: 'SIGN_IN_SECRET' } };
  const cwd = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({
      plugins: [
        ['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }],
        ['toolkit/plugins/accounts', { signIn }],
        ['toolkit/plugins/mcp', { issuers: [{ issuer: issuer.issuer, audience }] }],
      ],
    }),
    'tools/acme/definition.yaml': acmeProvider(acme.issuer, api.url),
    'tools/acme/acme_send_message.yaml': acmeTool,
  });
  const secrets = { ACME_CLIENT_SECRET: 'toolkit-secret', SIGN_IN_SECRET: 'toolkit-server-secret' };
  const server = start(['mcp', '-t', 'http', '-p', '0'], {
    cwd,
    env: { ...secrets, XDG_STATE_HOME: `${cwd}/.state`, TOOLKIT_LOG_LEVEL: 'debug' },
  });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return { url, issuer, acme, sent, server };
}

/** Returns an access token that the issuer gives to a person's program. */
async function tokenOf({ issuer }: Site, person: string): Promise<string> {
  issuer.person = person;
  const settings = issuer.settings({ clientId: 'program', clientSecret: 'program-secret', resource: audience });
  const client = createOAuthClient(settings, { fetch: (url, init) => fetch(url, init), now: () => Date.now() });
  const request = await client.begin({ redirectUri: 'http://127.0.0.1:9/callback', scopes: ['read'] });
  return (await client.finish(request, (await issuer.authorize(request.url)).searchParams)).accessToken;
}

/** Calls the tool as a person's program, which opens addresses. */
async function send(served: Site, person: string, opens: (url: string) => Promise<void>): Promise<{ isError: boolean; text: string }> {
  const opened: Promise<void>[] = [];
  const client = new Client(
    { name: 'e2e', version: '1.0.0' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if ('url' in params && typeof params.url === 'string') opened.push(opens(params.url));
    return { action: 'accept' as const };
  });
  const headers = { authorization: `Bearer ${await tokenOf(served, person)}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } }), patient);
  open.push(client);
  const { isError, content } = (await client.callTool({ name: 'acme_send_message', arguments: { text: 'Hello' } }, patient)) as {
    isError?: boolean;
    content: { text?: string }[];
  };
  // The last page may come after the answer.
  await Promise.all(opened);
  return { isError: isError === true, text: content.map(({ text = '' }) => text).join('') };
}

/** Opens a link as a person, and signs in. */
async function signIn({ url, issuer }: Site, link: string, person: string): Promise<{ readonly browser: Browser; readonly page: Visit }> {
  const browser = new Browser({ url: new URL(url).origin });
  issuer.person = person;
  return { browser, page: await browser.open((await issuer.authorize(await browser.goOn(link))).href) };
}

describe('a login by link at a server whose callers an issuer names', () => {
  it('lets the call of a person go on who signs in as its caller, and needs no code', async () => {
    const served = await site();
    const pages: string[] = [];
    const { isError, text } = await send(served, ada, async (link) => {
      const { browser, page } = await signIn(served, link, ada);
      pages.push(page.text);
      const redirect = await served.acme.authorize(await browser.goOn(page.location));
      pages.push((await browser.open(redirect.href)).text);
    });
    expect(isError, text + pages.join() + served.server.stderr()).to.equal(false);
    expect([served.sent.length, codeIn(pages[1] ?? '')]).to.deep.equal([1, '']);
    expect(pages[1]).to.contain(`${served.issuer.issuer}:ada@shop.example`);
  });

  it('ends the call when another person signs in, and connects nothing to either', async () => {
    const served = await site();
    const pages: Visit[] = [];
    const { isError, text } = await send(served, eve, async (link) => {
      pages.push((await signIn(served, link, ada)).page);
    });
    expect([isError, served.sent.length], text).to.deep.equal([true, 0]);
    expect(text).to.contain('You signed in as another person');
    expect(pages.map(({ status }) => status)).to.deep.equal([403]);
    expect(served.server.stderr()).to.contain('another person has signed in');
    expect(served.acme.tokenRequests).to.deep.equal([]);
    for (const secret of ['toolkit-server-secret', 'toolkit-secret']) expect(served.server.stderr()).to.not.contain(secret);
  });
});
