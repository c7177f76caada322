import path from 'node:path';
import { type PluginApi, ToolkitError } from '../../../kernel/index.ts';
import { HostKeys } from '../../shared/keys/host-keys.ts';
import { type AccountService, accountService } from '../../shared/oauth/account-service.ts';
import { stateFolder } from '../../shared/project/account-folders.ts';
import type { ServerSettings } from '../settings.ts';
import type { Upstream } from '../upstream.ts';
import { providerOf } from './account-owner.ts';
import { ClientRecords } from './client-records.ts';
import { describeLogin } from './describe-login.ts';
import { isForgotten } from './forgotten-client.ts';
import { registerClient } from './register-client.ts';
import { ServerLogin } from './server-login.ts';
import { ServerProvider } from './server-provider.ts';

/** The logins of servers with `auth: oauth` in one kernel. */
export interface ServerLogins {
  /** Returns the login of a server; undefined for one without. */
  of(settings: ServerSettings, upstream: () => Upstream): ServerLogin | undefined;
}

/** Opens the logins of servers. Each of them is a provider of the plugin that keeps accounts, from the time at which all plugins are applied. */
export function openLogins(api: PluginApi): ServerLogins {
  const providers: ServerProvider[] = [];
  const service = (): AccountService => {
    const [fact] = api.kernel.facts(accountService);
    if (fact !== undefined) return fact.value;
    throw new ToolkitError('CONFIG_INVALID', 'A server has "auth: oauth", which needs the plugin "accounts". Add accounts() to "plugins".');
  };
  const maskAlso: PluginApi['maskAlso'] = (name, value) => api.maskAlso(name, value);
  const folder = path.join(stateFolder(), 'upstream-clients');
  let records: ClientRecords | undefined;
  api.extend.ready(() => {
    for (const provider of providers) service().addProvider(providerOf(provider.server.name), (use) => provider.settings(use));
  });
  return {
    of(settings, upstream) {
      const { name, url, isOfCallers } = settings;
      if (settings.auth !== 'oauth' || url === undefined) return undefined;
      if (records === undefined) {
        api.extend.controlFiles(folder, { what: 'the clients that were registered for MCP servers', read: false });
        const keys = new HostKeys({ logger: api.logger, maskAlso });
        records = new ClientRecords({ state: api.state, cipher: keys.cipher('upstream clients'), folder });
      }
      const fetch: Upstream['fetch'] = (...given) => upstream().fetch(...given);
      const provider = new ServerProvider(settings, {
        ...{ records, now: Date.now, maskAlso },
        secret: async (secret) => (await upstream().values.ofOperator([secret])).get(secret),
        describe: (challenge) => describeLogin(settings, challenge, fetch),
        register: (login, redirectUris) => registerClient(settings, login, redirectUris, fetch),
        isForgotten: (given) => isForgotten(given, fetch),
        warn: (message) => api.logger.warn(message),
      });
      providers.push(provider);
      return new ServerLogin({
        ...{ server: name, url, isOfCallers, service, hasOwnClient: settings.oauth?.clientId !== undefined },
        onRefused: (challenge) => provider.onRefused(challenge),
        scopes: () => provider.scopes,
        maskAlso,
      });
    },
  };
}
