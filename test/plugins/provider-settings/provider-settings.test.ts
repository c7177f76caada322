import { expect } from 'chai';
import { apiVersion, definePlugin, formatProblem, isOperatorsMember, type Kernel, type Provider } from '../../../kernel/index.ts';
import { providerSettings } from '../../../plugins/provider-settings/index.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const acme = {
  provider: { name: 'acme' },
  base_url: 'https://api.acme.example',
  oauth2: {
    auth_url: 'https://acme.example/authorize',
    token_url: 'https://acme.example/token',
    scopes: { read: ['items.read'] },
    client_id: '$' + '{ACME_CLIENT_ID}',
    provides: { ACME_TOKEN: 'access_token' },
  },
};

type Settings = NonNullable<NonNullable<Parameters<typeof providerSettings>[0]>['providers']>[string];

/** A kernel with the provider of a package, or with one of the operator, and settings for it. */
async function kernelWith(settings: Settings, definition: unknown = acme, trust: 'package' | 'operator' = 'package'): Promise<Kernel> {
  const source = definePlugin({
    name: 'acme-package',
    apiVersion,
    apply: ({ hooks }) => hooks.discover.tap('acme-package', (sink) => sink.addProvider(definition, { trust })),
  });
  return testKernel({ plugins: [source(), providerSettings({ providers: { acme: settings } })] });
}

const problemsOf = ({ registry }: Kernel): readonly string[] => registry.problems.map(formatProblem);
const acmeOf = ({ registry }: Kernel): Provider => registry.provider('acme') as Provider;

describe('provider-settings', () => {
  it('replaces members of oauth2 and keeps the others', async () => {
    const kernel = await kernelWith({ oauth2: { token_url: 'http://127.0.0.1:7/token', scopes: { mine: ['x'] } } });
    expect(problemsOf(kernel)).to.deep.equal([]);
    const { scopes: _scopes, ...kept } = acme.oauth2;
    expect(acmeOf(kernel).definition.oauth2).to.deep.equal({ ...kept, token_url: 'http://127.0.0.1:7/token', scopes: { mine: ['x'] } });
  });

  it('gives an oauth2 to a provider without one, when it is complete', async () => {
    const { oauth2, ...bare } = acme;
    const kernel = await kernelWith({ oauth2 }, bare);
    expect(problemsOf(kernel)).to.deep.equal([]);
    expect(acmeOf(kernel).definition.oauth2).to.deep.equal(oauth2);
  });

  const refused: readonly {
    readonly title: string;
    readonly oauth2: Settings['oauth2'];
    readonly message: string;
    readonly on?: unknown;
  }[] = [
    { title: 'a grant whose address is missing', oauth2: { grant: 'device' }, message: 'acme: is required with the grant "device"' },
    {
      title: 'a placeholder that the provider does not have',
      oauth2: { token_url: 'https://{TENANT}.acme.example/token' },
      message: 'acme: has the placeholder {TENANT}, which parameter_mapping does not have',
    },
    {
      title: 'a part of an oauth2 for a provider without one',
      oauth2: { client_id: 'x' },
      on: { provider: acme.provider },
      message: 'oauth2.token_url',
    },
  ];
  for (const { title, oauth2, message, on } of refused)
    it(`refuses ${title} as a problem of the configuration, and leaves the provider as it is`, async () => {
      const kernel = await kernelWith({ ...(oauth2 === undefined ? {} : { oauth2 }) }, on);
      const [problem] = kernel.registry.problems;
      expect(problem).to.include({ code: 'CONFIG_INVALID', plugin: 'provider-settings', severity: 'error' });
      expect(problemsOf(kernel).join('\n')).to.include(message);
      expect(acmeOf(kernel).definition.oauth2).to.deep.equal(on === undefined ? acme.oauth2 : undefined);
    });

  it('refuses a member that oauth2 does not have', async () => {
    const settings = { oauth2: { tokenUrl: 'https://acme.example' } } as unknown as Settings;
    const error = await rejection(kernelWith(settings), 'PLUGIN_INVALID');
    expect(error.message).to.include('tokenUrl');
  });

  const trusted = [
    { title: 'only the written addresses', settings: { oauth2: { token_url: 'http://127.0.0.1:7/t' } }, members: ['oauth2.token_url'] },
    { title: 'nothing for headers alone', settings: { headers: { a: 'b' } }, members: [] },
    {
      title: 'the base URL and no address of oauth2',
      settings: { base_url: 'http://10.0.0.1' },
      members: ['base_url'],
    },
    {
      title: 'every address of a definition of the operator',
      settings: { oauth2: { auth_url: 'https://other.example' } },
      trust: 'operator' as const,
      members: ['base_url', 'oauth2.auth_url', 'oauth2.token_url'],
    },
  ];
  for (const { title, settings, trust, members } of trusted)
    it(`makes the operator's own: ${title}`, async () => {
      const provider = acmeOf(await kernelWith(settings, acme, trust));
      const all = ['base_url', 'oauth2.auth_url', 'oauth2.token_url'];
      expect(all.filter((member) => isOperatorsMember(provider, member))).to.deep.equal(members);
    });
});
