import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { program } from '../../../e2e/program.ts';
import { afterEach } from '../../../support/after-each.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { acmeProvider, acmeTool } from '../../../support/oauth/acme-tool.ts';
import { type ProviderServer, providerServer } from '../../../support/oauth/provider-server.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

/** Limit of each request, only for what hangs. */
const patient = { timeout: 120_000 };

const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Site {
  readonly cwd: string;
  readonly provider: ProviderServer;
  /** Bearer tokens of the messages that were sent. */
  readonly sent: readonly (string | undefined)[];
}

async function site(): Promise<Site> {
  const authorization = await providerServer();
  const sent: (string | undefined)[] = [];
  const api = await loopback(({ headers }, response) => {
    sent.push(headers.authorization);
    json(response, { sent: true });
  });
  const preset = ['toolkit/standard', { toolPaths: ['tools'], includeCore: false, autoDiscover: false, allowHosts: ['127.0.0.1'] }];
  const cwd = await temporaryFolder({
    'package.json': '{ "name": "mine", "type": "module" }',
    'toolkit.config.json': JSON.stringify({ plugins: [preset] }),
    'tools/acme/definition.yaml': acmeProvider(authorization.issuer, api.url),
    'tools/acme/acme_send_message.yaml': acmeTool,
  });
  return { cwd, provider: authorization, sent };
}

interface Connected {
  readonly client: Client;
  readonly log: () => string;
}

/** `toolkit mcp` on standard input and output. `opens`: the person's part, which the client does not wait for. */
async function clientOf({ cwd }: Site, mode: 'legacy' | 'auto', opens?: (url: string) => unknown): Promise<Connected> {
  const client = new Client(
    { name: 'e2e', version: '1.0.0' },
    { capabilities: opens === undefined ? {} : { elicitation: { url: {} } }, versionNegotiation: { mode } },
  );
  if (opens !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if ('url' in params && typeof params.url === 'string') opens(params.url);
      return { action: 'accept' as const };
    });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      XDG_STATE_HOME: `${cwd}/.state`,
      ACME_CLIENT_SECRET: 'toolkit-secret',
      TOOLKIT_LOG_LEVEL: 'debug',
    },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  await client.connect(transport, patient);
  open.push(client);
  return { client, log: () => log };
}

async function send({ client }: Connected): Promise<{ readonly isError: boolean; readonly text: string }> {
  const { isError, content } = (await client.callTool({ name: 'acme_send_message', arguments: { text: 'Hello' } }, patient)) as {
    isError?: boolean;
    content: { text?: string }[];
  };
  return { isError: isError === true, text: content.map(({ text = '' }) => text).join('') };
}

/** Fails unless nothing listens at the redirect address of a login. */
async function expectClosed(loginUrl: string): Promise<void> {
  const { port } = new URL(new URL(loginUrl).searchParams.get('redirect_uri') ?? '');
  const [error] = (await once(connect(Number(port), '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).to.equal('ECONNREFUSED');
}

describe('a login over stdio', () => {
  for (const mode of ['legacy', 'auto'] as const) {
    it(`lets the call go on after the person has logged in, ${mode}`, async () => {
      const served = await site();
      const urls: string[] = [];
      const connected = await clientOf(served, mode, async (url) => {
        urls.push(url);
        await (await fetch(await served.provider.authorize(url))).text();
      });
      const { isError, text } = await send(connected);
      expect(isError, text + connected.log()).to.equal(false);
      expect([served.sent.length, urls.length], 'one write, one question').to.deep.equal([1, 1]);
      expect(urls[0]).to.contain(`${served.provider.issuer}/auth?`);
      await expectClosed(urls[0] ?? '');
      expect((await send(connected)).isError).to.equal(false);
      expect(served.provider.tokenRequests.map(({ grant }) => grant)).to.deep.equal(['authorization_code']);
      const secrets = [...served.sent.map((token) => token?.replace('Bearer ', '') ?? 'none'), 'toolkit-secret'];
      for (const secret of secrets) expect(connected.log()).to.not.contain(secret);
    });

    it(`names the command for a client that opens no addresses, ${mode}`, async () => {
      const served = await site();
      const { isError, text } = await send(await clientOf(served, mode));
      expect([isError, served.sent.length], text).to.deep.equal([true, 0]);
      expect(text).to.contain('toolkit auth login acme').and.not.contain('http://');
    });
  }

  it('ends with the reason when the person denies it at the provider', async () => {
    const served = await site();
    const urls: string[] = [];
    const connected = await clientOf(served, 'legacy', async (url) => {
      urls.push(url);
      await (await fetch(await served.provider.authorize(url, { denies: true }))).text();
    });
    const { isError, text } = await send(connected);
    expect([isError, served.sent.length], text).to.deep.equal([true, 0]);
    expect(text).to.contain('access_denied');
    await expectClosed(urls[0] ?? '');
  });
});
