import { expect } from 'chai';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { credentialStates } from '../../../../plugins/shared/secrets/credential-states.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const region = { parameter: 'REGION', env_pattern: 'SHOP_REGION', secret: false, default: 'eu', enum: ['eu', 'us'] };
const host = { parameter: 'HOST', env_pattern: 'SHOP_HOST', secret: false };

async function shop(mapping: readonly object[], env: Readonly<Record<string, string>>, url: string, parameters: object = {}) {
  const tool = { name: 'shop_list', description: 'Lists.', provider: 'shop', parameters, execution: { type: 'http', method: 'get', url } };
  const kernel = await testKernel({
    providers: [{ provider: { name: 'shop' }, parameter_mapping: mapping }],
    tools: [tool],
    plugins: [
      secretsEnv({ env: { ...env } }),
      credentialsPlaceholder(),
      guardOutbound({ allowHosts: ['127.0.0.1'], env: {} }),
      executorHttp(),
    ],
  });
  return { kernel, problems: kernel.registry.problems.map(({ severity, path, message }) => `${severity} ${path} ${message}`) };
}

describe('a value of parameter_mapping', () => {
  for (const { what, env, sent } of [
    { what: 'its default where nobody has one', env: {}, sent: '/eu/list' },
    { what: 'what the service has', env: { SHOP_REGION: 'us' }, sent: '/us/list' },
  ]) {
    it(`is ${what}`, async () => {
      const { url, requests } = await loopback((_, response) => json(response, {}));
      const { kernel } = await shop([region], env, `${url}/{REGION}/list`);
      await kernel.execute('shop_list');
      expect(requests.map((request) => request.url)).to.deep.equal([sent]);
      expect(credentialStates(kernel.registry.get('shop_list'), kernel).filter(({ isMissing }) => isMissing)).to.deep.equal([]);
    });
  }

  it('is what comes with the call, before its default', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const { kernel } = await shop([region], {}, `${url}/{REGION}/list`);
    await kernel.call({ tool: 'shop_list', credentials: { REGION: 'us' } });
    expect(requests.map((request) => request.url)).to.deep.equal(['/us/list']);
  });

  it('is one of its enum, whoever gives it', async () => {
    const { kernel } = await shop([region], { SHOP_REGION: 'mars' }, 'http://127.0.0.1:1/{REGION}');
    const { message } = await rejection(kernel.execute('shop_list'), 'CONFIG_INVALID');
    expect(message).to.include('SHOP_REGION').and.to.include('expected one of eu, us, received "mars"');
    await rejection(kernel.call({ tool: 'shop_list', credentials: { REGION: 'moon' } }), 'INVALID_PARAMETERS');
  });

  const wrong: readonly (readonly [what: string, entry: object, says: string])[] = [
    ['a default that is secret', { parameter: 'REGION', env_pattern: 'SHOP_REGION', default: 'eu' }, 'needs "secret: false"'],
    ['an enum of what is secret', { parameter: 'REGION', env_pattern: 'SHOP_REGION', enum: ['eu'] }, 'needs "secret: false"'],
    ['a default of a key', { parameter: 'API_KEY', env_pattern: 'SHOP_API_KEY', secret: false, default: 'k' }, 'needs "secret: false"'],
    ['a default outside of its enum', { ...region, default: 'mars' }, 'expected one of eu, us'],
    ['an empty enum', { ...region, enum: [] }, 'parameter_mapping[0].enum'],
  ];
  for (const [what, entry, says] of wrong)
    it(`is refused with ${what}`, async () => {
      const { problems } = await shop([entry], {}, 'http://127.0.0.1:1/list');
      expect(problems.join('\n')).to.include('error').and.to.include(says);
    });

  it('may be a host with its port, where it is the whole authority', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const { kernel } = await shop([host], { SHOP_HOST: new URL(url).host }, 'http://{HOST}/list?a=1');
    await kernel.execute('shop_list');
    expect(requests.map((request) => request.url)).to.deep.equal(['/list?a=1']);
  });

  for (const value of ['user@127.0.0.1:1', '127.0.0.1:1/x', '127.0.0.1:1?x', 'a b', '127.0.0.1:123456', '[::1', '127.0.0.1:'])
    it(`is no authority as ${value}`, async () => {
      const { kernel } = await shop([host], { SHOP_HOST: value }, 'http://{HOST}/list');
      await rejection(kernel.execute('shop_list'), 'INVALID_PARAMETERS');
    });

  it('has no port where it is a part of the host, or comes from the caller', async () => {
    const part = await shop([host], { SHOP_HOST: 'shop:81' }, 'http://{HOST}.example/list');
    await rejection(part.kernel.execute('shop_list'), 'INVALID_PARAMETERS');
    const given = await shop([], {}, 'http://{server}/list', { server: { type: 'string' } });
    await rejection(given.kernel.execute('shop_list', { server: '127.0.0.1:1' }), 'INVALID_PARAMETERS');
  });
});
