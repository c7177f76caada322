import path from 'node:path';
import { apiVersion, definePlugin, revealSecret } from '../../kernel/index.ts';
import { accountList } from '../shared/oauth/account-list.ts';
import { accountService } from '../shared/oauth/account-service.ts';
import { stateFolder } from '../shared/project/account-folders.ts';
import { accountsOfKernel } from './accounts-fact.ts';
import { accountChecks } from './checks.ts';
import { accountCommands } from './commands/commands.ts';
import { addPages } from './connect/connect-routes.ts';
import { addGauges } from './gauges.ts';
import type { OpenedAccounts } from './open-accounts.ts';
import { AccountsOptionsSchema } from './options.ts';
import { addPresets } from './presets/presets.ts';
import type { AddedProviders } from './providers/account-providers.ts';
import { ProvidedNames } from './providers/provided-names.ts';

export type { AccountsOptions } from './options.ts';

/**
 * Keeps accounts at providers: a person logs in once (`toolkit auth login`), and the calls of that caller use the account. Tokens are refreshed
 * before use. Loads the rest of its code, and opens its store, for the first call that needs a secret of such a provider.
 */
export const accounts = definePlugin({
  name: 'accounts',
  apiVersion,
  optionsSchema: AccountsOptionsSchema,
  commands: accountCommands,
  checks: accountChecks,
  apply(api, options) {
    const names = new ProvidedNames(() => api.kernel.registry);
    const folder = path.join(stateFolder(), 'accounts');
    // The sockets by which processes know each other are beside it.
    const own = [folder, `${folder}-processes`];
    api.extend.controlFiles(() => own, { what: 'the accounts of callers', read: false });
    const added: AddedProviders = new Map();
    const counted = addGauges(api);
    const pages = addPages(api, async (request) => (await open()).connect.handle(request));
    let opened: Promise<OpenedAccounts> | undefined;
    const open = (): Promise<OpenedAccounts> => {
      opened ??= import('./open-accounts.ts').then(({ openAccounts }) =>
        openAccounts(api, { options, names, added, folder, pages, counted, reveal: revealSecret }),
      );
      return opened;
    };
    api.extend.callerCredentials({
      provides: (name) => names.has(name),
      find: async (request) => (await open()).credentials.find(request),
      ask: async (request) => (await open()).credentials.ask(request),
      known: async (owner, secrets) => (await open()).credentials.known(owner, secrets),
    });
    api.hooks.discover.tap('accounts', addPresets);
    api.extend.fact(accountService, {
      addProvider: (name, settings) => void added.set(name, settings),
      connected: async (owner, secrets) => {
        const provided = secrets.filter((name) => names.has(name));
        return provided.length === 0 ? new Set() : (await open()).credentials.connected(owner, provided);
      },
      access: async (query) => {
        const { accounts, connect } = await open();
        return (await import('./account-access.ts')).accountAccess(accounts, connect, query);
      },
    });
    api.extend.fact(accountList, {
      how: 'To connect one, type `toolkit auth login <provider>` where the server runs; `toolkit auth providers` lists the providers.',
      list: async () => (await import('./list-accounts.ts')).listAccounts((await open()).accounts.grants, Date.now()),
    });
    api.extend.fact(accountsOfKernel, { open: async () => (await open()).accounts, connect: async () => (await open()).connect });
    api.hooks.dispose.tapPromise('accounts', async () => {
      const parts = await opened?.catch(() => undefined);
      await parts?.close();
    });
  },
});
