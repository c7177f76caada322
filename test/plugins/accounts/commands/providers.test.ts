import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { authProvidersCommand } from '../../../../plugins/accounts/commands/providers.ts';
import { addPresets } from '../../../../plugins/accounts/presets/presets.ts';
import { providerSettings } from '../../../../plugins/provider-settings/index.ts';
import { invocation } from '../../../support/invocation.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const presetPlugin = definePlugin({
  name: 'presets',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('presets', addPresets),
});

const acme = {
  provider: { name: 'acme', description: 'Acme, which sells anvils.' },
  oauth2: {
    auth_url: 'https://{ACME_HOST}/authorize',
    token_url: 'https://{ACME_HOST}/token',
    scopes: { read: ['items.read'], write: ['items.write'] },
    client_id: '$' + '{ACME_CLIENT_ID}',
    client_secret: '$' + '{ACME_CLIENT_SECRET}',
    provides: { ACME_TOKEN: 'access_token' },
  },
  parameter_mapping: [{ parameter: 'ACME_HOST', env_pattern: 'ACME_HOST', secret: false }],
};

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly missing: readonly string[];
}

async function output(
  flags: Readonly<Record<string, unknown>>,
  secrets: Readonly<Record<string, string>>,
  providers: readonly unknown[] = [acme],
): Promise<string> {
  let written = '';
  await authProvidersCommand.run(
    invocation({
      flags,
      createKernel: () => testKernel({ plugins: [presetPlugin()], providers, secrets }),
      write: (text) => {
        written += text;
      },
    }),
  );
  return written;
}

const listed = async (...given: Parameters<typeof output>): Promise<readonly Listed[]> =>
  // No number: names and descriptions.
  JSON.parse(await output(...given)) as readonly Listed[];

describe('toolkit auth providers', () => {
  it('lists the providers of the project among those that come with the program, by name', async () => {
    const names = (await listed({ json: true }, {})).map(({ name }) => name);
    expect(names).to.include.members(['acme', 'google', 'microsoft']);
    expect(names).to.deep.equal([...names].sort());
  });

  it('says what a login needs and what it supplies', async () => {
    const all = await listed({ json: true }, { ACME_CLIENT_ID: 'client-1' });
    expect(all.find(({ name }) => name === 'acme')).to.deep.equal({
      name: 'acme',
      description: 'Acme, which sells anvils.',
      grant: 'code',
      has_device: false,
      scopes: acme.oauth2.scopes,
      provides: ['ACME_TOKEN'],
      has_client_id: true,
      missing: ['ACME_HOST', 'ACME_CLIENT_SECRET'],
      unverified: false,
      is_preset: false,
    });
    expect(all.find(({ name }) => name === 'gitlab')).to.deep.include({
      missing: ['GITLAB_CLIENT_ID', 'GITLAB_CLIENT_SECRET'],
      has_client_id: false,
      unverified: true,
      is_preset: true,
    });
  });

  it('shows a line for each name that is not set, and no value of one that is', async () => {
    const text = await output({}, { ACME_CLIENT_ID: 'client-1', ACME_CLIENT_SECRET: 'the-secret-of-acme' });
    expect(text).to.match(/^acme +set ACME_HOST +read, write$/m);
    expect(text).to.match(/^figma +set FIGMA_CLIENT_ID +unverified +read, comments\n +set FIGMA_CLIENT_SECRET$/m);
    expect(text).to.not.include('the-secret-of-acme').and.not.include('client-1');
  });

  it('says that a provider is ready, or that its login would be of no use', async () => {
    const { provides: _provides, ...useless } = acme.oauth2;
    const secrets = { ACME_CLIENT_ID: 'i', ACME_CLIENT_SECRET: 'the-secret-of-acme', ACME_HOST: 'acme.example' };
    expect(await output({}, secrets)).to.match(/^acme +ready/m);
    expect(await output({}, secrets, [{ ...acme, oauth2: useless }])).to.match(/^acme +gives tools nothing: its oauth2 has no "provides"/m);
  });
});

describe('a provider that comes with the program', () => {
  it('gives way to any other of its name, without a problem', async () => {
    const own = { ...acme, provider: { name: 'google', description: 'Our own.' }, oauth2: { ...acme.oauth2, provides: {} } };
    const all = await listed({ json: true }, {}, [own]);
    expect(all.filter(({ name }) => name === 'google').map(({ description }) => description)).to.deep.equal(['Our own.']);
    const { registry } = await testKernel({ plugins: [presetPlugin()], providers: [own] });
    expect(registry.problems).to.deep.equal([]);
    expect(registry.provider('google')?.definition.provider.description).to.equal('Our own.');
  });

  it('is none of the providers with tools, and is found by name', async () => {
    const { registry } = await testKernel({ plugins: [presetPlugin()] });
    expect([...registry.providers.keys()]).to.deep.equal([]);
    expect(registry.problems).to.deep.equal([]);
    expect(registry.provider('linear')?.origin).to.include({ isPreset: true, trust: 'package' });
  });

  it('takes the settings of the operator', async () => {
    const oauth2 = { scopes: { mine: ['openid'] } };
    const { registry } = await testKernel({ plugins: [presetPlugin(), providerSettings({ providers: { google: { oauth2 } } })] });
    expect(registry.problems).to.deep.equal([]);
    expect(registry.provider('google')?.definition.oauth2).to.deep.include({ ...oauth2, issuer: 'https://accounts.google.com' });
    expect([...registry.providers.keys()]).to.deep.equal([]);
  });
});
