import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { program, start } from '../../../e2e/program.ts';
import { project } from '../../../e2e/project.ts';
import { afterEach } from '../../../support/after-each.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { acmeProvider, acmeTool } from '../../../support/oauth/acme-tool.ts';
import { type ProviderServer, providerServer } from '../../../support/oauth/provider-server.ts';
import { Browser, codeIn } from './browser.ts';

/** Limit of each request, only for what hangs. */
const patient = { timeout: 120_000 };

const openClients: Client[] = [];

afterEach(async () => {
  for (const client of openClients.splice(0)) await client.close();
});

/** The registration of the server: any port on loopback (RFC 8252, 7.3), and the path of its redirect. */
const oauthClient = {
  client_id: 'toolkit',
  client_secret: 'toolkit-secret',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/accounts/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
};

interface Site {
  readonly url: string;
  readonly origin: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly provider: ProviderServer;
  /** Bearer tokens of the messages that were sent. */
  readonly sent: readonly (string | undefined)[];
  /** All that the server has written, which must hold no secret. */
  logged(): string;
}

/** `toolkit mcp -t http` with a tool that writes, before an authorization server and an API on loopback. `callers`: names of tokens. @default one token, which is the caller `default` */
async function site(callers: readonly string[] = []): Promise<Site> {
  const authorization = await providerServer({ configuration: { clients: [oauthClient] } });
  const sent: (string | undefined)[] = [];
  const api = await loopback(({ headers }, response) => {
    sent.push(headers.authorization);
    json(response, { sent: true });
  });
  const tokens = callers.map((name) => `- { name: ${name}, token: the-token-of-${name} }\n`).join('');
  const cwd = await project({
    'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { toolPaths: [acme-tools], includeCore: false, allowHosts: [127.0.0.1] }]\n',
    'acme-tools/acme/definition.yaml': acmeProvider(
      authorization.issuer,
      api.url,
      '{ identity: [openid, email, offline_access], send: [write] }',
    ),
    'acme-tools/acme/acme_send_message.yaml': acmeTool,
    'tokens.yaml': tokens,
  });
  const env = { ACME_CLIENT_SECRET: 'toolkit-secret', XDG_STATE_HOME: `${cwd}/.state`, TOOLKIT_LOG_LEVEL: 'debug' };
  const accepted = callers.length === 0 ? ['--token', 'the-token-of-all'] : ['--tokens-file', 'tokens.yaml'];
  const server = start(['mcp', '-t', 'http', '-p', '0', ...accepted], { cwd, env });
  const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
  return { url, origin: new URL(url).origin, cwd, env, provider: authorization, sent, logged: () => server.stderr() };
}

/** Opens a link as a browser does, and logs in. Returns the code of the last page, if it shows one. */
type Person = (link: string) => Promise<string>;

const personOf =
  ({ origin, provider: authorization }: Site): Person =>
  async (link) => {
    const browser = new Browser({ url: origin });
    const redirect = await authorization.authorize(await browser.goOn(link));
    const page = await browser.open(redirect.href);
    expect(page.status, page.text).to.equal(200);
    return codeIn(page.text);
  };

type Era = 'legacy' | 'auto';

interface ClientOptions {
  readonly era: Era;
  /** @default 'all', of the only token */
  readonly caller?: string;
  /** The person's part when the client is asked to open an address. @default the client cannot */
  readonly opens?: (url: string) => Promise<unknown>;
  /** The code that the person types into a form. @default the client has no forms */
  readonly types?: () => string | Promise<string>;
}

async function clientOf({ url }: Site, { caller = 'all', era, opens, types }: ClientOptions): Promise<Client> {
  const elicitation = { ...(opens === undefined ? {} : { url: {} }), ...(types === undefined ? {} : { form: {} }) };
  const client = new Client(
    { name: 'e2e', version: '1.0.0' },
    { capabilities: Object.keys(elicitation).length === 0 ? {} : { elicitation }, versionNegotiation: { mode: era } },
  );
  if (opens !== undefined || types !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if ('url' in params && typeof params.url === 'string') {
        // The person has agreed; the login goes on in the browser.
        void opens?.(params.url);
        return { action: 'accept' as const };
      }
      return { action: 'accept' as const, content: { code: (await types?.()) ?? '' } };
    });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer the-token-of-${caller}` } } }),
    patient,
  );
  openClients.push(client);
  return client;
}

async function send(client: Client): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { isError, content } = (await client.callTool({ name: 'acme_send_message', arguments: { text: 'Hello' } }, patient)) as {
    isError?: boolean;
    content: { text?: string }[];
  };
  return { isError: isError === true, text: content.map(({ text = '' }) => text).join('') };
}

function expectQuiet({ logged, sent }: Site): void {
  for (const token of sent) expect(logged()).to.not.contain(token?.replace('Bearer ', '') ?? 'none');
  expect(logged()).to.not.contain('toolkit-secret');
}

describe('a login by link', () => {
  for (const era of ['legacy', 'auto'] as const) {
    it(`lets a call of one token go on after the person has logged in, ${era}`, async () => {
      const served = await site();
      const client = await clientOf(served, { era, opens: personOf(served) });
      const { isError, text } = await send(client);
      expect(isError, text + served.logged()).to.equal(false);
      expect(served.sent, 'one write').to.have.length(1);
      expect((await send(client)).isError).to.equal(false);
      expect(served.provider.tokenRequests.map(({ grant }) => grant)).to.deep.equal(['authorization_code']);
      expectQuiet(served);
    });

    it(`names the link in the text for a client that opens no addresses, and the next call goes on, ${era}`, async () => {
      const served = await site();
      const client = await clientOf(served, { era });
      const { isError, text } = await send(client);
      expect([isError, served.sent.length], text).to.deep.equal([true, 0]);
      const [link = ''] = /http:\/\/127\S+\/accounts\/connect\/[\w-]{22}/.exec(text) ?? [];
      expect(text).to.contain('toolkit auth login acme');
      expect(served.logged()).to.not.contain(link.slice(-22));
      await personOf(served)(link);
      expect((await send(client)).isError).to.equal(false);
      expect(served.sent).to.have.length(1);
      expectQuiet(served);
    });

    it(`asks the caller of one of two tokens for the code of the page, ${era}`, async () => {
      const served = await site(['ada', 'bob']);
      let code: string | Promise<string> = '';
      const opens = (url: string): Promise<string> => {
        const login = personOf(served)(url);
        code = login;
        return login;
      };
      const client = await clientOf(served, { caller: 'ada', era, opens, types: () => code });
      const { isError, text } = await send(client);
      expect(isError, text + served.logged()).to.equal(false);
      expect(served.sent).to.have.length(1);
      const bob = await send(await clientOf(served, { era, caller: 'bob' }));
      expect([bob.isError, served.sent.length], 'the other caller').to.deep.equal([true, 1]);
      expect(served.logged()).to.not.contain(await code);
      expectQuiet(served);
    });
  }

  it('asks no code of the only caller in a file of tokens', async () => {
    const served = await site(['ada']);
    const client = await clientOf(served, { caller: 'ada', era: 'legacy', opens: personOf(served) });
    const { isError, text } = await send(client);
    expect(isError, text + served.logged()).to.equal(false);
    expect(served.sent, 'one write').to.have.length(1);
    expectQuiet(served);
  });

  it('is finished on the command line by the code, for its caller alone', async () => {
    const served = await site(['ada', 'bob']);
    const client = await clientOf(served, { caller: 'ada', era: 'legacy' });
    const [link = ''] = /http:\/\/127\S+\/accounts\/connect\/[\w-]{22}/.exec((await send(client)).text) ?? [];
    const code = await personOf(served)(link);
    expect((await send(client)).text)
      .to.contain('waits for the code')
      .and.contain('toolkit auth login --confirm');
    const confirm = (caller: string) =>
      promisify(execFile)(process.execPath, ['--', program, 'auth', 'login', '--confirm', code, '--as', caller], {
        cwd: served.cwd,
        env: { PATH: process.env['PATH'] ?? '', HOME: served.cwd, ...served.env },
      });
    const refused = await confirm('bob').catch((error: { stderr: string }) => error);
    expect(refused.stderr).to.contain('No login of the caller "bob" waits for a code');
    expect((await confirm('ada')).stdout).to.contain('The account ann@acme.example at acme is connected for the caller "ada"');
    expect((await send(client)).isError).to.equal(false);
    expect(served.sent).to.have.length(1);
    expectQuiet(served);
  });
});
