import { expect } from 'chai';
import { shopOf } from './generated-tools.ts';

const schemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  app: { type: 'apiKey', in: 'query', name: 'app' },
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  custom: { type: 'http', scheme: 'token' },
  login: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://shop.example/auth',
        tokenUrl: 'https://shop.example/token',
        scopes: { read: 'Read', write: 'Write' },
      },
    },
  },
  tls: { type: 'mutualTLS' },
};

async function generated(security: unknown, parameters: readonly unknown[] = []) {
  return shopOf({
    openapi: '3.1.0',
    components: { securitySchemes: schemes },
    paths: { '/things': { get: { security, parameters, responses: {} } } },
  });
}

describe('the authentication of generated tools', () => {
  const cases = [
    { security: [{ key: [] }], auth: { type: 'header', name: 'X-Key', value: '{SHOP_KEY}' } },
    { security: [{ app: [] }], auth: { type: 'query', name: 'app', value: '{SHOP_APP}' } },
    { security: [{ session: [] }], auth: { type: 'cookie', name: 'sid', value: '{SHOP_SESSION}' } },
    { security: [{ basic: [] }], auth: { type: 'basic', username: '{SHOP_BASIC_USERNAME}', password: '{SHOP_BASIC_PASSWORD}' } },
    { security: [{ bearer: [] }], auth: { type: 'bearer', token: '{SHOP_BEARER}' } },
    { security: [{ custom: [] }], auth: { type: 'header', name: 'Authorization', value: 'token {SHOP_CUSTOM}' } },
    { security: [{ login: ['read'] }], auth: { type: 'bearer', token: '{SHOP_LOGIN}' } },
    {
      security: [{ key: [], bearer: [] }],
      auth: [
        { type: 'header', name: 'X-Key', value: '{SHOP_KEY}' },
        { type: 'bearer', token: '{SHOP_BEARER}' },
      ],
    },
    {
      security: [{ key: [] }, { bearer: [] }],
      auth: {
        any_of: [
          { type: 'header', name: 'X-Key', value: '{SHOP_KEY}' },
          { type: 'bearer', token: '{SHOP_BEARER}' },
        ],
      },
    },
    {
      security: [{}, { key: [] }],
      auth: { any_of: [{ type: 'header', name: 'X-Key', value: '{SHOP_KEY}' }, { type: 'none' }] },
    },
    { security: [{ tls: [] }, { bearer: [] }], auth: { type: 'bearer', token: '{SHOP_BEARER}' } },
    { security: [], auth: { type: 'none' } },
  ];
  for (const { security, auth } of cases)
    it(`is written for ${JSON.stringify(security)}`, async () => {
      const { provider } = await generated(security);
      expect(provider['auth']).to.deep.equal(auth);
    });

  it('supplies each credential under the name of the source and the scheme', async () => {
    const { provider, needs } = await generated([{ login: ['read'] }]);
    expect(provider['parameter_mapping']).to.deep.equal([
      { parameter: 'SHOP_LOGIN', env_pattern: 'SHOP_LOGIN', description: 'An OAuth 2.0 access token' },
    ]);
    expect(needs).to.deep.equal([{ name: 'SHOP_LOGIN', isSecret: true, isRequired: true, description: 'An OAuth 2.0 access token' }]);
    expect(provider['oauth2']).to.deep.equal({
      auth_url: 'https://shop.example/auth',
      token_url: 'https://shop.example/token',
      scopes: { default: ['read'] },
    });
  });

  it('is not a parameter of callers, even where the document lists it as one', async () => {
    const { tools } = await generated([{ app: [] }], [{ name: 'app', in: 'query', required: true, schema: { type: 'string' } }]);
    expect(tools[0]?.definition['input_schema']).to.deep.include({ properties: {} });
  });

  it('has all keys that are required parameters too, where the document lists them as alternatives', async () => {
    const parameters = ['app', 'X-Key'].map((name) => ({
      name,
      in: name === 'app' ? 'query' : 'header',
      required: true,
      schema: { type: 'string' },
    }));
    const { provider } = await generated([{ app: [] }, { key: [] }], parameters);
    expect(provider['auth']).to.deep.equal([
      { type: 'query', name: 'app', value: '{SHOP_APP}' },
      { type: 'header', name: 'X-Key', value: '{SHOP_KEY}' },
    ]);
  });

  it('leaves out an operation that needs a TLS certificate alone', async () => {
    const { tools, skipped } = await generated([{ tls: [] }]);
    expect(tools).to.deep.equal([]);
    expect(skipped.map(({ reason }) => reason)).to.deep.equal(['mutual TLS only']);
  });
});
