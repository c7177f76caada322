import { expect } from 'chai';
import { apiVersion, definePlugin, formatProblem, type Kernel, parseUrl, placeholdersIn } from '../../../kernel/index.ts';
import { knownProviders } from '../../../plugins/accounts/known-providers.ts';
import { addPresets, presets } from '../../../plugins/accounts/presets/presets.ts';
import { clientValues } from '../../../plugins/shared/oauth/client-values.ts';
import { settingsOf } from '../../../plugins/shared/oauth/provider-settings.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const withTools = ['github', 'gmail', 'hubspot', 'mailchimp', 'notion', 'slack'];

const presetPlugin = definePlugin({
  name: 'test-presets',
  apiVersion,
  apply: ({ hooks }) => hooks.discover.tap('test-presets', addPresets),
});

const kernelOf = (): Promise<Kernel> =>
  bareKernel({
    plugins: [
      standard({ includeCore: false, autoDiscover: false, toolPaths: withTools.map((name) => `./tools/${name}/definition.yaml`) }),
      presetPlugin(),
    ] as never,
  });

/** Names and paths that a login at each provider supplies. */
const supplied: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  github: { GITHUB_TOKEN: 'access_token' },
  gmail: { GMAIL_ACCESS_TOKEN: 'access_token' },
  hubspot: { HUBSPOT_ACCESS_TOKEN: 'access_token' },
  mailchimp: { MAILCHIMP_API_KEY: 'access_token' },
  notion: { NOTION_API_KEY: 'access_token' },
  slack: { SLACK_BOT_TOKEN: 'access_token', SLACK_USER_TOKEN: 'authed_user.access_token' },
  salesforce: { SALESFORCE_ACCESS_TOKEN: 'access_token', SALESFORCE_INSTANCE_URL: 'instance_url' },
};

describe('the providers that come with the program', () => {
  it('are all accepted, and six of them have tools', async () => {
    const { registry } = await kernelOf();
    expect(registry.problems.map(formatProblem)).to.deep.equal([]);
    const names = [...withTools, ...presets.map(({ provider }) => provider.name)].sort();
    expect(names).to.have.lengthOf(16);
    expect(knownProviders(registry).map(({ name }) => name)).to.deep.equal(names);
  });

  for (const name of [...withTools, ...presets.map(({ provider }) => provider.name)])
    it(`say all that a login needs: ${name}`, async () => {
      const kernel = await kernelOf();
      const provider = kernel.registry.provider(name);
      const { oauth2, parameter_mapping: mapping = [] } = provider?.definition ?? {};
      if (provider === undefined || oauth2 === undefined) throw new Error(`${name} has no oauth2`);
      expect(oauth2.provides).to.deep.equal(supplied[name] ?? { [`${name.toUpperCase()}_ACCESS_TOKEN`]: 'access_token' });
      const values = await clientValues(kernel, provider);
      expect(values.map((value) => value.name)).to.deep.equal([`${name.toUpperCase()}_CLIENT_ID`, `${name.toUpperCase()}_CLIENT_SECRET`]);
      const urls = [oauth2.auth_url, oauth2.device_url, oauth2.token_url, oauth2.refresh_url, oauth2.revoke_url, oauth2.issuer];
      for (const url of urls.filter((text) => text !== undefined)) {
        const filled = placeholdersIn(url).reduce(
          (text, key) => text.replaceAll(`{${key}}`, mapping.find(({ parameter }) => parameter === key)?.default ?? ''),
          url,
        );
        expect(parseUrl(filled)?.protocol).to.equal('https:');
      }
    });

  it('take a token at GitHub back as its API has it', async () => {
    const { registry } = await kernelOf();
    const github = registry.provider('github');
    if (github === undefined) throw new Error('github is not there');
    const settings = await settingsOf(github, () => 'app-1');
    expect(settings).to.include({ revokeUrl: 'https://api.github.com/applications/app-1/token', revokeMethod: 'delete' });
  });

  it('say of presets where their facts are from, and that nobody has tried them', () => {
    for (const { oauth2 } of presets) {
      expect(oauth2).to.have.property('unverified', true);
      expect(oauth2)
        .to.have.property('x-source')
        .that.matches(/^(arctic|grant) \d+\.\d+\.\d+/);
    }
  });
});
