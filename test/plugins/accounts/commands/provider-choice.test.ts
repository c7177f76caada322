import { expect } from 'chai';
import { type Origin, type Problem, type Provider, type ProviderDefinition, ToolkitError } from '../../../../kernel/index.ts';
import { defaultScopes, scopesOf } from '../../../../plugins/accounts/commands/requested-scopes.ts';
import { AccountProviders } from '../../../../plugins/accounts/providers/account-providers.ts';
import { ProvidedNames } from '../../../../plugins/accounts/providers/provided-names.ts';
import type { OAuthSettings } from '../../../../plugins/shared/oauth/types.ts';

const operator: Origin = { plugin: 'tool-files', trust: 'operator' };
const packaged = (name: string): Origin => ({ plugin: 'tool-packages', trust: 'package', package: { name, secrets: [] } });

function provider(name: string, secret: string | undefined, origin = operator): Provider {
  const oauth2 = {
    auth_url: 'https://login.example/auth',
    token_url: 'https://login.example/token',
    scopes: { read: ['a.read'], write: ['a.read', 'a.write'] },
    provides: secret === undefined ? {} : { [secret]: 'access_token' },
  };
  const definition: ProviderDefinition = { provider: { name }, ...(secret === undefined ? {} : { oauth2 }) };
  return { name, definition, origin };
}

function registry(...providers: readonly Provider[]): {
  readonly providers: Map<string, Provider>;
  readonly presets: Map<string, Provider>;
  readonly problems: readonly Problem[];
} {
  const problems = [{ severity: 'error', code: 'TOOL_INVALID', message: 'expected spaces', file: 'tools/acme/definition.yaml' } as const];
  return { providers: new Map(providers.map((one) => [one.name, one])), presets: new Map(), problems };
}

const settings = { provider: 'x' } as OAuthSettings;

function known(added: readonly string[], ...providers: readonly Provider[]): AccountProviders {
  return new AccountProviders(() => registry(...providers), new Map(added.map((name) => [name, async () => settings])), {
    read: async () => settings,
    hasClient: async () => true,
    redirectUri: async () => undefined,
  });
}

describe('the providers of accounts', () => {
  const gmail = provider('gmail', 'GMAIL_ACCESS_TOKEN');

  it('are the definitions with "oauth2" and those that plugins add', () => {
    const names = known(['tracker'], gmail, provider('twilio', undefined)).list();
    expect(names.map(({ name }) => name)).to.deep.equal(['gmail', 'tracker']);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an unknown name', 'gmial', /no provider "gmial".*Did you mean "gmail"/],
    ['a provider with another kind of credential', 'twilio', /"twilio" has no "oauth2"/],
    ['one whose definition did not load', 'acme', /definition of "acme" is not used: tools\/acme\/definition.yaml expected spaces/],
    ['a name that two have', 'tracker', /Two providers have the name "tracker"/],
  ];
  for (const [what, name, message] of refused)
    it(`refuse ${what}`, () => {
      const all = known(['tracker'], gmail, provider('twilio', undefined), provider('tracker', 'TRACKER_TOKEN'));
      expect(() => all.get(name)).to.throw(ToolkitError, message);
    });

  it('say in a list of names which secrets a login gives', () => {
    const names = new ProvidedNames(() => registry(gmail));
    expect([names.has('GMAIL_ACCESS_TOKEN'), names.has('GMAIL_CLIENT_ID')]).to.deep.equal([true, false]);
  });

  it('give a secret to the tools of their own package, to the operator, and to no other package', () => {
    const owned = provider('mail', 'MAIL_TOKEN', packaged('mail-tools'));
    const names = new ProvidedNames(() => registry(owned));
    const for_ = (origin: Origin, of?: Provider): string | undefined =>
      names.providerOf('MAIL_TOKEN', { origin, ...(of === undefined ? {} : { provider: of }) });
    expect(for_(packaged('mail-tools'), owned)).to.equal('mail');
    expect(for_(operator)).to.equal('mail');
    expect(for_(packaged('other-tools'))).to.equal(undefined);
  });

  it('are read again after a reload', () => {
    let current = registry();
    const names = new ProvidedNames(() => current);
    expect(names.has('GMAIL_ACCESS_TOKEN')).to.equal(false);
    current = registry(gmail);
    expect(names.has('GMAIL_ACCESS_TOKEN')).to.equal(true);
  });

  it('take groups of permissions and single scopes, and know the nearest ones', () => {
    const mail = known([], gmail).get('gmail');
    expect(scopesOf(mail, ['write'])).to.deep.equal(['a.read', 'a.write']);
    expect(scopesOf(mail, ['read', 'a.write'])).to.deep.equal(['a.read', 'a.write']);
    expect(() => scopesOf(mail, ['raed'])).to.throw(ToolkitError, /"raed" of "gmail".*Did you mean "read"/);
  });

  it('ask for what their tools require, else for their only group', () => {
    const mail = known([], gmail).get('gmail');
    const tools = new Map([['x', { provider: gmail, definition: { authentication: { required_scopes: ['a.write'] } } }]]);
    expect(defaultScopes(mail, { tools } as never)).to.deep.equal(['a.write']);
    expect(defaultScopes(mail, { tools: new Map() })).to.equal(undefined);
    expect(defaultScopes({ ...mail, scopeGroups: { all: ['a'] } }, { tools: new Map() })).to.deep.equal(['a']);
  });
});
