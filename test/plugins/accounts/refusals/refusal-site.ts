import { apiVersion, definePlugin, type Kernel, type Plugin, ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import type { AccountName } from '../../../../plugins/accounts/account-name.ts';
import type { Accounts } from '../../../../plugins/accounts/accounts.ts';
import { accountsOfKernel } from '../../../../plugins/accounts/accounts-fact.ts';
import type { Connect } from '../../../../plugins/accounts/connect/connect.ts';
import { accounts } from '../../../../plugins/accounts/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { accountService } from '../../../../plugins/shared/oauth/account-service.ts';
import { createTestKit, type LogRecord } from '../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../support/after-each.ts';
import { TokenServer } from '../../../support/oauth/token-server.ts';
import { acme, client, holder } from '../account-site.ts';
import { serveRoutes } from '../connect/serve-routes.ts';
import { SeenBrowser } from './seen-browser.ts';

export interface RefusalSiteOptions {
  /** More members of the provider's `oauth2`. */
  readonly oauth2?: Readonly<Record<string, unknown>>;
  readonly hasSeveralCallers?: boolean;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly plugins?: readonly Plugin[];
  /** False: no file of the operator defines the provider. @default true */
  readonly isDefined?: boolean;
  /** The site whose authorization server and store this one shares: a later start with other settings. */
  readonly of?: RefusalSite;
}

/** A server with accounts at an authorization server on loopback, and all that people saw of it. */
export interface RefusalSite {
  readonly server: TokenServer;
  readonly kernel: Kernel;
  readonly accounts: Accounts;
  readonly connect: Connect;
  readonly url: string;
  readonly log: readonly LogRecord[];
  readonly store: ClockedStore;
  /** Pages, headers and errors that people saw. */
  readonly answers: string[];
  /** Texts besides those of the authorization server that must stay secret. */
  readonly secrets: string[];
  browser(): SeenBrowser;
  /** Makes a link of a caller, which is secret. */
  link(name?: Partial<AccountName>, scopes?: readonly string[]): Promise<string>;
  /** Takes the refusal of some work as an answer. */
  refused(work: Promise<unknown>): Promise<ToolkitError>;
}

export const ada = { tenant: 'shop', caller: 'ada', provider: 'acme' };
export const mallory = { ...ada, caller: 'mallory' };

const opened: Kernel[] = [];

afterEach(async () => {
  for (const kernel of opened.splice(0).reverse()) await kernel.close();
});

/** A store whose clock a test moves, and which two kernels may share. */
export class ClockedStore extends MemoryStore {
  readonly clock: { now: number };

  constructor(clock = { now: 0 }) {
    super(() => clock.now);
    this.clock = clock;
    Object.assign(this, { isShared: true });
  }

  plugin(): Plugin {
    return definePlugin({ name: 'clocked-store', apiVersion, apply: ({ extend }) => extend.stateStore(this) })();
  }

  /** Stays open: a start that fails closes its store, and another site may share this one. */
  override async close(): Promise<void> {}

  /** All keys and values, as they are stored. */
  async text(): Promise<string> {
    return JSON.stringify(await this.list(''));
  }
}

export async function refusalSite(options: RefusalSiteOptions = {}): Promise<RefusalSite> {
  const { of, oauth2, secrets = client, isDefined = true, hasSeveralCallers = false, plugins = [] } = options;
  const server = of?.server ?? (await TokenServer.start());
  const store = of?.store ?? new ClockedStore();
  const definition = acme(server.url, { ...ofTokenServer(server), ...oauth2 });
  const { kernel, log } = await createTestKit({
    plugins: [store.plugin(), guardOutbound(), accounts(), ...plugins],
    providers: isDefined ? [definition] : [],
    secrets,
  });
  opened.push(kernel);
  const [opens] = kernel.facts(accountsOfKernel);
  const [service] = kernel.facts(accountService);
  if (opens === undefined || service === undefined) throw new Error('the kernel keeps no accounts');
  // A server whose metadata announces `iss`; no definition can say so.
  service.value.addProvider('announcing', async () => server.settings({ provider: 'announcing', requiresIss: true }));
  const url = await serveRoutes(() => kernel.httpRoutes.routes);
  kernel.httpRoutes.serve({ baseUrl: url, hasSeveralCallers });
  const [keeper, connect] = [await opens.value.open(), await opens.value.connect()];
  const answers: string[] = of?.answers ?? [];
  const hidden: string[] = of?.secrets ?? ['toolkit-secret'];
  return {
    server,
    kernel,
    accounts: keeper,
    connect,
    url,
    log,
    store,
    answers,
    secrets: hidden,
    browser: () => new SeenBrowser({ url }, answers),
    async link(name = {}, scopes = ['read']) {
      const link = String(await connect.link({ ...ada, ...name }, scopes));
      hidden.push(link.slice(-22));
      return link;
    },
    async refused(work) {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!ToolkitError.is(error)) throw new Error(`expected a refusal, received ${String(error)}`);
      answers.push(JSON.stringify([error.message, error.details, String(error.cause)]));
      return error;
    },
  };
}

function ofTokenServer({ url }: TokenServer): Readonly<Record<string, unknown>> {
  return {
    auth_url: `${url}/authorize`,
    device_url: `${url}/device`,
    revoke_url: `${url}/revoke`,
    client_auth: 'post',
    account_path: 'account',
  };
}

export { holder };
