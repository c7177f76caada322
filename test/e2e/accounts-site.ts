import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { afterEach } from '../support/after-each.ts';
import { json, loopbackServer } from '../support/loopback.ts';
import { TokenServer } from '../support/oauth/token-server.ts';
import { program, type Started, start, textOf } from './program.ts';
import { project } from './project.ts';

export const limitMs = 600_000;

const patient = { timeout: limitMs };

const eras = { '2025-11-25': { mode: 'legacy' }, '2026-07-28': { mode: { pin: '2026-07-28' } } } as const;

export type Era = keyof typeof eras;
export const eraNames = Object.keys(eras) as readonly Era[];

/** Reads and writes of the two packages, and the groups of permissions that they need. */
export const services = {
  gmail: {
    scopes: 'read,send',
    read: { name: 'gmail_list_messages', arguments: {} },
    write: { name: 'gmail_send_email', arguments: { to: 'bea@example.com', subject: 'Hello', body: 'Hello Bea', _toolkit_approved: true } },
  },
  hubspot: {
    scopes: 'base,read,write',
    read: { name: 'hubspot_list_contacts', arguments: {} },
    write: { name: 'hubspot_create_contact', arguments: { properties: { email: 'bea@example.com' } } },
  },
} as const;

export type Service = keyof typeof services;
export const serviceNames = Object.keys(services) as readonly Service[];

/** Tokens of the `TokenServer`, and the secret of its client. */
const secrets = /[ar]t-[0-9a-f]{32}|toolkit-secret/;

const openClients: Client[] = [];

afterEach(async () => {
  for (const client of openClients.splice(0)) await client.close().catch(() => {});
});

/** Configuration of a person who has Gmail and HubSpot answered by this machine. */
function configuration(tokens: string, api: string): string {
  const oauth2 = {
    issuer: tokens,
    auth_url: `${tokens}/authorize`,
    token_url: `${tokens}/token`,
    revoke_url: `${tokens}/revoke`,
    account_path: 'account',
  };
  const providers = Object.fromEntries(serviceNames.map((name) => [name, { base_url: api, oauth2 }]));
  return `import { auditTrail, defineConfig, standard } from '@toolkit/core';
export default defineConfig({ plugins: [
  standard({ toolPaths: ['services'], includeCore: false, autoDiscover: false, providers: ${JSON.stringify(providers)} }),
  auditTrail({ path: 'trail/' }),
] });
`;
}

/** A person with the packages of Gmail and HubSpot, a state folder, an authorization server and an API that accepts its live tokens alone. */
export class AccountsSite {
  readonly cwd: string;
  readonly server: TokenServer;
  /** Writes that the API has done, by path. */
  readonly writes: readonly string[];
  /** Requests that the API refused. */
  readonly refused: readonly string[];
  readonly #started: Started[] = [];
  readonly #outputs: string[] = [];

  private constructor(cwd: string, server: TokenServer, writes: readonly string[], refused: readonly string[]) {
    this.cwd = cwd;
    this.server = server;
    this.writes = writes;
    this.refused = refused;
  }

  static async begin(): Promise<AccountsSite> {
    const server = await TokenServer.start();
    const writes: string[] = [];
    const refused: string[] = [];
    const api = await loopbackServer((request, _body, response) => {
      const { method = '', url = '', headers } = request;
      const account = server.accountOf((headers.authorization ?? '').replace('Bearer ', ''));
      if (account === undefined) {
        refused.push(url);
        return json(response, { error: { code: 401, message: 'Invalid Credentials' } }, 401);
      }
      if (method === 'POST') writes.push(url);
      json(response, answerOf(url, method), method === 'POST' && url.startsWith('/crm') ? 201 : 200);
    });
    const cwd = await project({ 'toolkit.config.ts': configuration(server.url, api) });
    for (const name of serviceNames) await cp(path.resolve('tools', name), path.join(cwd, 'services', name), { recursive: true });
    return new AccountsSite(cwd, server, writes, refused);
  }

  get env(): Readonly<Record<string, string>> {
    const clients = serviceNames.map((name) => name.toUpperCase());
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.cwd,
      XDG_STATE_HOME: path.join(this.cwd, 'state'),
      ...Object.fromEntries(
        clients.flatMap((name) => [
          [`${name}_CLIENT_ID`, 'toolkit'],
          [`${name}_CLIENT_SECRET`, 'toolkit-secret'],
        ]),
      ),
    };
  }

  /** Starts the program; all that it writes is looked through at the end. */
  start(...args: string[]): Started {
    const started = start(args, { cwd: this.cwd, env: this.env });
    this.#started.push(started);
    return started;
  }

  /** Logs in at the command line, and is the browser. */
  async logIn(service: Service): Promise<void> {
    const login = this.start('auth', 'login', service, '--no-browser', '--scopes', services[service].scopes);
    const [, url = ''] = await login.waitFor(/\n(http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+)\n/);
    await this.expectNoSecretInCommandLines();
    const page = await (await fetch(this.server.authorize(url))).text();
    const { code } = await login.exit;
    expect(code, login.stderr()).to.equal(0);
    expect(page).to.contain('ann@acme.example').and.not.match(secrets);
  }

  /** Serves over HTTP. Returns the address. */
  async serve(...args: string[]): Promise<string> {
    const [, url = ''] = await this.start('mcp', '-t', 'http', '-p', '0', ...args).waitFor(/MCP server: (\S+)\n/);
    return url;
  }

  stdio(): StdioClientTransport {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      cwd: this.cwd,
      env: { ...this.env },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (bytes: Buffer) => void this.#outputs.push(bytes.toString()));
    return transport;
  }

  /** Calls a tool. Fails when the call fails. Returns the account that it used. */
  async call(client: Client, call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }): Promise<unknown> {
    const result = await client.callTool({ name: call.name, arguments: { ...call.arguments } }, patient);
    this.#outputs.push(JSON.stringify(result));
    textOf(result);
    return result._meta?.['toolkit/account'];
  }

  /** Calls a tool whose call fails. Returns its text. */
  async fail(client: Client, call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }): Promise<string> {
    const result = await client.callTool({ name: call.name, arguments: { ...call.arguments } }, patient);
    this.#outputs.push(JSON.stringify(result));
    expect(result.isError).to.equal(true);
    return (result.content as { text?: string }[]).map(({ text = '' }) => text).join('');
  }

  /** Fails when a token or the secret of the client is in an output, in a file of the person, or in a command line. */
  async expectNoSecret(): Promise<void> {
    await this.expectNoSecretInCommandLines();
    const outputs = [...this.#outputs, ...this.#started.flatMap(({ stdout, stderr }) => [stdout(), stderr()])];
    for (const output of outputs) expect(output).to.not.match(secrets);
    const trail = await this.#filesOf('trail');
    expect(trail.join('')).to.contain('ann@acme.example');
    const state = await this.#filesOf('state');
    expect(state).to.not.have.length(0);
    for (const text of [...trail, ...state]) expect(text).to.not.match(secrets);
  }

  async #filesOf(folder: string): Promise<readonly string[]> {
    const entries = await readdir(path.join(this.cwd, folder), { recursive: true, withFileTypes: true });
    return Promise.all(
      entries.filter((file) => file.isFile()).map(({ parentPath, name }) => readFile(path.join(parentPath, name), 'latin1')),
    );
  }

  async expectNoSecretInCommandLines(): Promise<void> {
    if (process.platform !== 'linux') return;
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of processes) expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).to.not.match(secrets);
  }
}

/** Connects an official client of an era. `open`: opens an address as the person's browser does. */
export async function clientOf(
  era: Era,
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  open?: (url: string) => Promise<void>,
): Promise<Client> {
  const capabilities = open === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client({ name: 'e2e', version: '1.0.0' }, { capabilities, versionNegotiation: eras[era] });
  openClients.push(client);
  if (open !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      await open('url' in params ? String(params.url) : '');
      return { action: 'accept' };
    });
  await client.connect(transport, patient);
  return client;
}

/** A connection to a server over HTTP. */
export function httpTransport(url: string, token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

function answerOf(url: string, method: string): unknown {
  if (url.startsWith('/gmail'))
    return method === 'POST' ? { id: '1', threadId: '1', labelIds: ['SENT'] } : { messages: [{ id: '1', threadId: '1' }] };
  const at = '2026-03-31T14:05:12.417Z';
  const record = { id: '51', properties: { email: 'bea@example.com' }, createdAt: at, updatedAt: at, archived: false };
  return method === 'POST' ? record : { results: [record] };
}
