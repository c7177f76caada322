import path from 'node:path';
import { expect } from 'chai';
import sinon, { type SinonFakeTimers } from 'sinon';
import type { Kernel } from '../../../kernel/index.ts';
import { accountsOfKernel } from '../../../plugins/accounts/accounts-fact.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { afterEach } from '../../support/after-each.ts';
import { json, loopbackServer } from '../../support/loopback.ts';
import { TokenServer } from '../../support/oauth/token-server.ts';
import { Random } from '../../support/random.ts';
import { sharedState } from '../../support/shared-state.ts';
import { testKernel } from '../../support/test-kernel.ts';

const lifeMs = 1_800_000;
/** Lives of a token that pass in one test. */
const lives = 20;
const callsPerLife = 5;
const stepMs = lifeMs / callsPerLife;
const hourMs = 3_600_000;

const services = ['gmail', 'hubspot'] as const;
type Service = (typeof services)[number];

/** Tokens that end in one test, and its calls: a read and a write of each service in each step. */
const expiries = lives * services.length;
const calls = expiries * callsPerLife * 2;

const scopes = {
  gmail: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
  hubspot: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
} as const satisfies Record<Service, readonly string[]>;

let date: SinonFakeTimers | undefined;

afterEach(() => {
  date?.restore();
  date = undefined;
});

/** The clock of the token server and the API, and that of this process. */
class Clocks {
  server = 1_700_000_000_000;
  readonly #client: SinonFakeTimers;

  constructor(apartMs: number) {
    this.#client = sinon.useFakeTimers({ toFake: ['Date'], now: this.server + apartMs });
    date = this.#client;
  }

  /** Lets time pass. `clientMs`: as the client measures it; negative when its clock is set back. */
  pass(ms: number, clientMs = ms): void {
    this.server += ms;
    this.#client.setSystemTime(Date.now() + clientMs);
  }
}

/** The two services on loopback: an API that accepts the tokens which the token server knows as live, and notes each write by its text. */
class Services {
  readonly tokens: TokenServer;
  readonly writes: string[] = [];
  refusals = 0;
  readonly #kernel: Kernel;

  private constructor(tokens: TokenServer, kernel: Kernel) {
    this.tokens = tokens;
    this.#kernel = kernel;
  }

  static async open(clocks: Clocks): Promise<Services> {
    const tokens = await TokenServer.start({ lifeMs, now: () => clocks.server });
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
    return site;
  }

  async login(provider: Service): Promise<void> {
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

interface ClockCase {
  readonly title: string;
  /** Time of the client's clock when the server's is 0. */
  readonly apartMs: number;
  /** Time that passes on the client's clock in a step. @default that of the server's */
  readonly clientStepMs?: number;
  /** Change of the client's clock at the beginning of each life. @default none */
  readonly jumpMs?: (random: Random) => number;
  /** 401s that the API may give: a read and a write may meet the same dead token. */
  readonly maxRefusals: number;
}

const cases: readonly ClockCase[] = [
  { title: 'is that of the server', apartMs: 0, maxRefusals: 0 },
  { title: 'is two hours behind', apartMs: -2 * hourMs, maxRefusals: 0 },
  { title: 'is two hours ahead', apartMs: 2 * hourMs, maxRefusals: 0 },
  { title: 'loses a tenth of the time', apartMs: 0, clientStepMs: stepMs * 0.9, maxRefusals: 2 * expiries },
  {
    title: 'jumps by up to an hour',
    apartMs: 0,
    jumpMs: (random) => random.between(-hourMs, hourMs),
    maxRefusals: 2 * expiries,
  },
];

describe(`${cases.length * calls} calls of Gmail and HubSpot, half of them writes, over ${cases.length * expiries} expiries`, function () {
  this.timeout(600_000);

  for (const { title, apartMs, clientStepMs = stepMs, jumpMs = () => 0, maxRefusals } of cases)
    it(`do not fail, and write once each, with a clock that ${title}`, async () => {
      const random = new Random(50);
      const clocks = new Clocks(apartMs);
      const site = await Services.open(clocks);
      for (const service of services) await site.login(service);
      const written: string[] = [];
      const failures: unknown[] = [];
      for (let life = 0; life < lives; life++) {
        clocks.pass(0, jumpMs(random));
        for (let step = 0; step < callsPerLife; step++) {
          clocks.pass(stepMs, clientStepMs);
          const begun = services.flatMap((service) => {
            const name = `${service}-${life}-${step}@example.com`;
            written.push(name);
            return [site.read(service), site.write(service, name)];
          });
          for (const end of await Promise.allSettled(begun)) if (end.status === 'rejected') failures.push(end.reason);
        }
      }
      expect(failures.map(String)).to.deep.equal([]);
      expect([...site.writes].sort()).to.deep.equal(written.sort());
      expect(site.refusals).to.be.at.most(maxRefusals);
      const refreshes = site.tokens.count('refresh_token');
      if (apartMs === 0 && maxRefusals > 0) expect(refreshes).to.be.at.least(expiries);
      else expect(refreshes).to.equal(expiries);
      expect(site.tokens.reuses, 'refresh tokens that were sent twice').to.equal(0);
    });
});

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
