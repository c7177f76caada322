import { expect } from 'chai';
import { formatProblem, type Kernel } from '../../../../kernel/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const oauth2 = {
  auth_url: 'https://acme.example/authorize',
  token_url: 'https://acme.example/token',
  scopes: { read: ['items.read'] },
  client_id: '$' + '{ACME_CLIENT_ID}',
};

const mapping = [
  { parameter: 'ACME_TOKEN', env_pattern: 'ACME_TOKEN' },
  { parameter: 'TENANT', env_pattern: 'ACME_TENANT', secret: false, default: 'main' },
];

async function kernelWith(change: Readonly<Record<string, unknown>>): Promise<Kernel> {
  const { auth_url, ...rest } = oauth2;
  const base = 'auth_url' in change ? rest : { auth_url, ...rest };
  const definition = { provider: { name: 'acme' }, parameter_mapping: mapping, oauth2: { ...base, ...change } };
  const text = JSON.parse(JSON.stringify(definition)) as unknown;
  return testKernel({ providers: [text] });
}

const refused = [
  {
    title: 'the grant "code" without auth_url',
    change: { auth_url: undefined },
    message: 'oauth2.auth_url: is required with the grant "code". Add the address, or another "grant"',
  },
  {
    title: 'the grant "device" without device_url',
    change: { grant: 'device' },
    message: 'oauth2.device_url: is required with the grant "device"',
  },
  {
    title: 'a placeholder that the mapping does not have',
    change: { token_url: 'https://{TENANT}.acme.example/{TENENT}' },
    message: 'oauth2.token_url: has the placeholder {TENENT}, which parameter_mapping does not have. Did you mean "TENANT"?',
  },
  {
    title: 'a secret in an address',
    change: { auth_url: 'https://acme.example/{ACME_TOKEN}' },
    message: 'oauth2.auth_url: has the placeholder {ACME_TOKEN}, a secret; expected values with "secret: false"',
  },
  {
    title: 'a secret beside a reference',
    change: { redirect_uri: '$' + '{ACME_HOST}/{ACME_TOKEN}' },
    message: 'oauth2.redirect_uri: has the placeholder {ACME_TOKEN}, a secret',
  },
  {
    title: 'a value for tools that belongs to nobody it knows',
    change: { provides: { GITHUB_TOKEN: 'access_token' } },
    message:
      'oauth2.provides.GITHUB_TOKEN: expected an env_pattern of parameter_mapping, or a name that begins with ACME_, received "GITHUB_TOKEN"',
  },
  {
    title: 'the bare prefix of the provider as a name',
    change: { provides: { ACME_: 'access_token' } },
    message: 'oauth2.provides.ACME_: expected an env_pattern',
  },
  {
    title: 'a refresh token for tools',
    change: { provides: { ACME_TOKEN: 'authed_user.refresh_token' } },
    message: 'oauth2.provides.ACME_TOKEN: expected a value for tools, received the refresh token, which no tool gets. Remove it',
  },
  {
    title: 'a path with an empty member',
    change: { provides: { ACME_TOKEN: 'authed_user..access_token' } },
    message: 'oauth2.provides.ACME_TOKEN',
  },
  {
    title: 'a parameter of the authorization URL that each login sets',
    change: { authorization_params: { state: 'fixed' } },
    message: 'oauth2.authorization_params.state: is set by each login itself. Remove it',
  },
  {
    title: 'a parameter of token requests that each login sets',
    change: { token_params: { client_secret: 'x' } },
    message: 'oauth2.token_params.client_secret: is set by each login itself',
  },
  { title: 'a negative margin', change: { refresh_margin_ms: -1 }, message: 'oauth2.refresh_margin_ms' },
  { title: 'a grant of another kind', change: { grant: 'password' }, message: 'oauth2.grant' },
  { title: 'another way to revoke', change: { revoke_method: 'put' }, message: 'oauth2.revoke_method' },
  { title: 'one included scope without a list', change: { scope_includes: { admin: 'read' } }, message: 'oauth2.scope_includes.admin' },
  { title: 'an address that is none', change: { issuer: 'acme' }, message: 'oauth2.issuer' },
];

describe('the check of oauth2', () => {
  for (const { title, change, message } of refused)
    it(`refuses ${title}`, async () => {
      const { registry } = await kernelWith(change);
      const problems = registry.problems.filter(({ severity }) => severity === 'error').map(formatProblem);
      expect(problems).to.have.lengthOf(1);
      expect(problems[0]).to.include(message);
      expect(registry.providers.has('acme')).to.equal(false);
    });

  const accepted = [
    {
      title: 'the grant "device" without auth_url',
      change: { auth_url: undefined, grant: 'device', device_url: 'https://acme.example/d' },
    },
    { title: 'client credentials with token_url alone', change: { auth_url: undefined, grant: 'client_credentials', scopes: {} } },
    {
      title: 'every key',
      change: {
        ...{ grant: 'code', device_url: 'https://acme.example/{TENANT}/device', refresh_url: 'https://acme.example/refresh' },
        ...{ issuer: 'https://acme.example/{TENANT}', authorization_params: { prompt: 'consent' }, token_params: { audience: 'api' } },
        ...{ client_auth: 'basic', token_body: 'json', pkce: false, refresh_margin_ms: 0, unverified: true },
        provides: { ACME_TOKEN: 'access_token', ACME_TENANT: 'redirect.tenant', ACME_INSTANCE_URL: 'instance_url' },
        account_path: 'id_token.email',
        ...{ revoke_url: 'https://acme.example/apps/{client_id}/grant', revoke_method: 'delete' },
        ...{ scope_includes: { admin: ['items.read'] }, check_scopes: true },
      },
    },
  ];
  for (const { title, change } of accepted)
    it(`accepts ${title}`, async () => {
      const { registry } = await kernelWith(change);
      expect(registry.problems.map(formatProblem)).to.deep.equal([]);
      expect(registry.providers.has('acme')).to.equal(true);
    });
});
