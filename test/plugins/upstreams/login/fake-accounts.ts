import { apiVersion, definePlugin, type Plugin, ToolkitError } from '../../../../kernel/index.ts';
import { type AccountService, accountService } from '../../../../plugins/shared/oauth/account-service.ts';
import type { OAuthSettings } from '../../../../plugins/shared/oauth/types.ts';

interface Owner {
  readonly provider: string;
  readonly tenant?: string;
  readonly caller?: string;
}

export interface FakeGrant {
  readonly token: string;
  readonly scopes?: readonly string[];
  /** The token of the next refresh. */
  readonly next?: string;
  /** The issuer to which it is bound. @default any */
  readonly issuer?: string;
}

export interface FakeAccounts {
  readonly plugin: Plugin;
  login(owner: Owner, grant: FakeGrant): void;
  logout(owner: Owner): void;
  settings(...given: Parameters<AddedSettings>): Promise<OAuthSettings>;
  /** The requests for tokens. */
  readonly asked: Parameters<AccountService['access']>[0][];
}

type AddedSettings = Parameters<AccountService['addProvider']>[1];

/** The plugin that keeps accounts, with grants by hand. */
export function fakeAccounts(): FakeAccounts {
  const grants = new Map<string, FakeGrant & { readonly id: string }>();
  const added = new Map<string, AddedSettings>();
  const asked: FakeAccounts['asked'] = [];
  let logins = 0;
  const keyOf = ({ provider, caller = 'default', tenant = caller }: Owner): string => JSON.stringify([provider, tenant, caller]);
  const required = (message: string, { offersLink, caller }: Parameters<AccountService['access']>[0]): ToolkitError =>
    new ToolkitError('AUTH_REQUIRED', `${message} Type: toolkit auth login`, {
      ...{ provider: 'fake', command: 'toolkit auth login' },
      ...(offersLink === true ? { url: `https://here.test/connect/${caller}` } : {}),
    });
  const service: AccountService = {
    addProvider: (name, settings) => void added.set(name, settings),
    async access(request) {
      asked.push(request);
      const key = keyOf(request);
      const grant = grants.get(key);
      const issuer = grant?.issuer === undefined ? undefined : (await added.get(request.provider)?.())?.issuer;
      if (grant === undefined || grant.issuer !== issuer) throw required('No account is connected.', request);
      const { token, next, scopes = [], id } = grant;
      if (request.scopes?.some((scope) => !scopes.includes(scope)) === true) throw required('The account lacks scopes.', request);
      if (request.refused !== token) return { accessToken: token, account: 'default', grant: id };
      if (next === undefined) throw required('The account needs a new login.', request);
      grants.set(key, { scopes, token: next, id });
      return { accessToken: next, account: 'default', grant: id };
    },
  };
  return {
    plugin: definePlugin({ name: 'fake-accounts', apiVersion, apply: ({ extend }) => extend.fact(accountService, service) })(),
    login: (owner, grant) => void grants.set(keyOf(owner), { ...grant, id: String(++logins) }),
    logout: (owner) => void grants.delete(keyOf(owner)),
    settings: (use) => (added.values().next().value as AddedSettings)(use),
    asked,
  };
}
