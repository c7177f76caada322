import path from 'node:path';
import type { Kernel } from '../../../kernel/index.ts';
import { accountsOfKernel } from '../../../plugins/accounts/accounts-fact.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { json, loopbackServer } from '../../support/loopback.ts';
import type { TokenGrantsOptions } from '../../support/oauth/token-grants.ts';
import { TokenServer } from '../../support/oauth/token-server.ts';
import { sharedState } from '../../support/shared-state.ts';
import { testKernel } from '../../support/test-kernel.ts';

export const services = ['gmail', 'hubspot'] as const;
export type Service = (typeof services)[number];

const scopes = {
  gmail: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
  hubspot: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
} as const satisfies Record<Service, readonly string[]>;

/** The two services on loopback: an API that accepts the tokens which the token server knows as live, and notes each write by its text. */
export class Services {
  readonly tokens: TokenServer;
  readonly writes: string[] = [];
  refusals = 0;
  readonly #kernel: Kernel;

  private constructor(tokens: TokenServer, kernel: Kernel) {
    this.tokens = tokens;
    this.#kernel = kernel;
  }

  /** Opens both, with a kernel whose caller is logged in to both. */
  static async open(options: TokenGrantsOptions): Promise<Services> {
    const tokens = await TokenServer.start(options);
    let site: Services | undefined;
    const api = await loopbackServer(({ method = '', url = '', headers }, body, response) => {
      const token = (headers.authorization ?? '').replace('Bearer ', '');
      if (site === undefined || tokens.accountOf(token) === undefined) {
        if (site !== undefined) site.refusals++;
        return json(response, { error: { code: 401, message: 'Invalid Credentials' } }, 401);
      }
      if (method === 'POST') site.writes.push(textOf(url, body));
      json(response, answerOf(url, method), method === 'POST' && url.startsWith('/crm') ? 201 : 200);
    });
    const addresses = { issuer: tokens.url, auth_url: `${tokens.url}/authorize`, token_url: `${tokens.url}/token` };
    const oauth2 = { ...addresses, revoke_url: `${tokens.url}/revoke`, account_path: 'account' };
    const named = services.map((name) => [name.toUpperCase(), name] as const);
    const kernel = await testKernel({
      secrets: Object.fromEntries(
        named.flatMap(([name]) => [
          [`${name}_CLIENT_ID`, 'toolkit'],
          [`${name}_CLIENT_SECRET`, 'toolkit-secret'],
        ]),
      ),
      plugins: [
        (await sharedState()).plugin(),
        ...standard({
          toolPaths: services.map((name) => path.resolve('tools', name)),
          includeCore: false,
          autoDiscover: false,
          providers: Object.fromEntries(services.map((name) => [name, { base_url: api, oauth2 }])),
        }),
      ],
    });
    site = new Services(tokens, kernel);
    for (const name of services) await site.#login(name);
    return site;
  }

  async #login(provider: Service): Promise<void> {
    const accounts = await this.#kernel.facts(accountsOfKernel)[0]?.value.open();
    const client = await accounts?.client(provider);
    const request = await client?.begin({ redirectUri: 'http://127.0.0.1/callback', scopes: scopes[provider] });
    if (accounts === undefined || client === undefined || request === undefined) throw new Error('the kernel keeps no accounts');
    const tokens = await client.finish(request, this.tokens.authorize(request.url).searchParams);
    await accounts.save(await accounts.ownerOf({ tenant: 'default', caller: 'default', provider }), tokens, scopes[provider]);
  }

  async read(service: Service): Promise<void> {
    await this.#kernel.call({ tool: service === 'gmail' ? 'gmail_list_messages' : 'hubspot_list_contacts', parameters: {} });
  }

  /** `name`: no other write has it. */
  async write(service: Service, name: string): Promise<void> {
    const mail = { to: 'bea@example.com', subject: name, body: 'Hello Bea' };
    const call =
      service === 'gmail'
        ? { tool: 'gmail_send_email', parameters: mail }
        : { tool: 'hubspot_create_contact', parameters: { properties: { email: name } } };
    await this.#kernel.call({ ...call, approved: true });
  }
}

/** Returns the name of a write, which is the subject of a mail or the address of a contact. */
function textOf(url: string, body: Buffer): string {
  const sent = JSON.parse(body.toString()) as { readonly raw?: string; readonly properties?: { readonly email: string } };
  if (!url.startsWith('/gmail')) return sent.properties?.email ?? '';
  const [, subject = ''] =
    /^Subject: (.*)$/m.exec(
      Buffer.from(sent.raw ?? '', 'base64url')
        .toString()
        .replaceAll('\r', ''),
    ) ?? [];
  return subject;
}

function answerOf(url: string, method: string): unknown {
  if (url.startsWith('/gmail'))
    return method === 'POST' ? { id: '1', threadId: '1', labelIds: ['SENT'] } : { messages: [{ id: '1', threadId: '1' }] };
  const at = '2026-03-31T14:05:12.417Z';
  const record = { id: '51', properties: { email: 'bea@example.com' }, createdAt: at, updatedAt: at, archived: false };
  return method === 'POST' ? record : { results: [record] };
}
