import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { secretsEnv } from '../../../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../../../support/core-toolkit.ts';
import { json, loopback } from '../../../../support/loopback.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const folder = 'fixtures/definitions/earlier';
const tool = (more: string): string => `name: shop-x\nversion: '1'\ndescription: Gets x.\n${more}`;

describe('definitions of an earlier system', () => {
  it('load unchanged, without a problem', async () => {
    const { kernel } = await coreToolkit({ toolPaths: [folder], includeCore: false });
    expect(kernel.registry.problems).to.deep.equal([]);
    expect([...kernel.registry.tools.keys()]).to.have.members(['shop-create-order', 'shop-get-order', 'shop-report']);
    const { provider, oauth2 } = kernel.registry.providers.get('shop')?.definition ?? {};
    expect(provider?.documentation_url).to.equal('https://shop.example/docs');
    expect(oauth2?.scopes).to.deep.equal({ default: ['orders:read'] });
    expect(kernel.registry.tools.get('shop-create-order')?.definition.status).to.equal('draft');
  });

  it('send the credentials that they name, and the request again where that is safe', async () => {
    const { url, requests } = await loopback((_request, response) =>
      requests.length === 1 ? json(response, {}, 503, { 'retry-after': '0' }) : json(response, { state: 'sent' }),
    );
    const text = await readFile(`${folder}/shop/orders-get/definition.yaml`, 'utf8');
    const own = await temporaryFolder({
      'get.yaml': text.replace('https://shop.example', url).replace('initial_delay_ms: 500', 'initial_delay_ms: 1'),
    });
    const toolkit = await coreToolkit({
      toolPaths: [own],
      includeCore: false,
      plugins: [secretsEnv({ env: { SHOP_ACCOUNT: 'ann', SHOP_AUTH_TOKEN: 'planted-token' } })],
    });
    const { inputSchema } = toolkit.listTools()[0] ?? {};
    expect(Object.keys((inputSchema as { properties: object }).properties)).to.deep.equal(['order']);
    expect(await toolkit.execute('shop-get-order', { order: 1042 })).to.deep.equal({ state: 'sent' });
    expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal(Array(2).fill(`Basic ${btoa('ann:planted-token')}`));
  });

  const credentials = ['token_env: SHOP_TOKEN', 'api_key: x', 'username_env: SHOP_SID', 'client_secret: s', 'credentials: c'];
  for (const key of credentials)
    it(`are refused where nothing would send what "${key}" names`, async () => {
      const own = await temporaryFolder({
        'x.yaml': tool(`execution: { type: http, method: GET, url: https://shop.example }\nauthentication:\n  ${key}\n`),
      });
      const { kernel } = await coreToolkit({ toolPaths: [own], includeCore: false });
      const [problem] = kernel.registry.problems;
      expect(problem).to.include({ severity: 'error', path: `authentication.${key.split(':')[0]}` });
      expect(problem?.position?.line).to.equal(6);
      expect(problem?.message).to.include('Nothing would send it: say how a request proves who calls in "execution.auth"');
    });
});
