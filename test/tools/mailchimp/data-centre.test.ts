import { expect } from 'chai';
import { guardOutbound, secretsEnv } from '../../../plugins/toolkit/index.ts';
import { forwardProxy } from '../../plugins/guard-outbound/forward-proxy.ts';
import { answerNames } from '../../plugins/guard-outbound/guarded.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { packFolder, packToolkit } from '../packs.ts';
import { apiKey, basic } from './mailchimp-toolkit.ts';

const parameters = { count: 1 };
const keyOfTenant = 'fedcba9876543210fedcba9876543210-us6';

/** The package with its own host name, over a proxy that leads every name to a stand-in. Its base URL says http, so that the proxy sees all. */
async function behindProxy(env: Readonly<Record<string, string>>) {
  answerNames({});
  const { url, requests } = await loopback((_, response) => json(response, { lists: [], total_items: 0 }));
  const proxy = await forwardProxy(Number(new URL(url).port));
  const toolkit = await coreToolkit({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder('mailchimp')],
    providers: { mailchimp: { base_url: 'http://{MAILCHIMP_SERVER_PREFIX}.api.mailchimp.com/3.0' } },
    plugins: [secretsEnv({ env: { ...env } }), guardOutbound({ env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } })],
  });
  const seen = () => proxy.requests.map((request, index) => [request.split('?')[0], requests[index]?.headers.authorization]);
  return { toolkit, proxy, seen };
}

const lists = (prefix: string): string => `GET http://${prefix}.api.mailchimp.com/3.0/lists`;

describe('@toolkit/mailchimp: the data centre', () => {
  it('stands in the host name of the package', async () => {
    const toolkit = await packToolkit('mailchimp');
    const { execution } = toolkit.kernel.registry.get('mailchimp_get_lists');
    expect(execution).to.include({ url: 'https://{MAILCHIMP_SERVER_PREFIX}.api.mailchimp.com/3.0/lists' });
  });

  const cases = [
    { when: 'nothing else says it', env: { MAILCHIMP_API_KEY: apiKey }, prefix: 'us21', key: apiKey },
    {
      when: 'the environment says another one',
      env: { MAILCHIMP_API_KEY: apiKey, MAILCHIMP_SERVER_PREFIX: 'us1' },
      prefix: 'us1',
      key: apiKey,
    },
    {
      when: 'the key is an OAuth token',
      env: { MAILCHIMP_API_KEY: '0f1e2d3c4b5a69788796a5b4c3d2e1f0', MAILCHIMP_SERVER_PREFIX: 'us1' },
      prefix: 'us1',
      key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
    },
  ];
  for (const { when, env, prefix, key } of cases) {
    it(`is ${prefix} when ${when}`, async () => {
      const { toolkit, seen } = await behindProxy(env);
      await toolkit.execute('mailchimp_get_lists', parameters);
      expect(seen()).to.deep.equal([[lists(prefix), basic(key)]]);
    });
  }

  it('is that of the key that comes with the call, whatever the environment says', async () => {
    const { toolkit, seen } = await behindProxy({ MAILCHIMP_API_KEY: apiKey, MAILCHIMP_SERVER_PREFIX: 'us1' });
    await toolkit.execute('mailchimp_get_lists', parameters, { credentials: { MAILCHIMP_API_KEY: keyOfTenant } });
    await toolkit.execute('mailchimp_get_lists', { ...parameters, MAILCHIMP_API_KEY: keyOfTenant });
    await toolkit.execute('mailchimp_get_lists', parameters);
    expect(seen()).to.deep.equal([
      [lists('us6'), basic(keyOfTenant)],
      [lists('us6'), basic(keyOfTenant)],
      [lists('us1'), basic(apiKey)],
    ]);
  });

  it('may come with the call as well', async () => {
    const { toolkit, seen } = await behindProxy({ MAILCHIMP_API_KEY: apiKey });
    await toolkit.execute('mailchimp_get_lists', parameters, {
      credentials: { MAILCHIMP_API_KEY: keyOfTenant, MAILCHIMP_SERVER_PREFIX: 'eu1' },
    });
    expect(seen()).to.deep.equal([[lists('eu1'), basic(keyOfTenant)]]);
  });

  it('is missed where the key does not hold it, and nothing is sent', async () => {
    const { toolkit, proxy } = await behindProxy({ MAILCHIMP_API_KEY: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' });
    const error = await rejection(toolkit.execute('mailchimp_get_lists', parameters), 'MISSING_PARAMETER');
    expect(error.message).to.include('MAILCHIMP_SERVER_PREFIX').and.to.include('MAILCHIMP_API_KEY');
    expect(error.message).to.not.include('0f1e2d3c4b5a');
    expect(proxy.requests).to.deep.equal([]);
  });

  for (const prefix of [
    'evil.example/',
    'evil.example#',
    'evil.example?',
    'us21@evil.example:80/',
    'evil.example:80',
    'us 21',
    'us21\\',
    '',
  ]) {
    it(`that is written ${JSON.stringify(prefix)} is refused, and nothing is sent`, async () => {
      const { toolkit, proxy } = await behindProxy({ MAILCHIMP_API_KEY: apiKey });
      const call = toolkit.execute('mailchimp_get_lists', parameters, { credentials: { MAILCHIMP_SERVER_PREFIX: prefix } });
      const error = await rejection(call, 'INVALID_PARAMETERS');
      expect(error.message).to.include('MAILCHIMP_SERVER_PREFIX');
      expect(proxy.requests).to.deep.equal([]);
    });
  }

  it('of a key that hides a host behind the dash is not taken', async () => {
    const { toolkit, proxy } = await behindProxy({ MAILCHIMP_API_KEY: '0123456789abcdef0123456789abcdef-evil.example/' });
    await rejection(toolkit.execute('mailchimp_get_lists', parameters), 'MISSING_PARAMETER');
    expect(proxy.requests).to.deep.equal([]);
  });
});
