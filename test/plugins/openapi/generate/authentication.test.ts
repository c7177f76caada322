import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { executionOf, generatedFrom, linked, propertiesOf } from './generated-from.ts';

const schemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  app: { type: 'apiKey', in: 'query', name: 'app' },
  apiKey: { type: 'apiKey', in: 'query', name: 'key' },
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
const responses = { 204: { description: 'done' } };

function generatedOf(paths: object, security?: readonly object[]): ReturnType<typeof generatedFrom> {
  const own = security === undefined ? {} : { security };
  return generatedFrom({ openapi: '3.1.0', components: { securitySchemes: schemes }, ...own, paths });
}

function generated(security: unknown, parameters: readonly unknown[] = []): ReturnType<typeof generatedFrom> {
  return generatedOf({ '/things': { get: { security, parameters, responses: {} } } });
}

describe('the authentication of generated tools', () => {
  const cases = [
    { security: [{ key: [] }], auth: { type: 'header', name: 'X-Key', value: '{SHOP_KEY}' } },
    { security: [{ app: [] }], auth: { type: 'query', name: 'app', value: '{SHOP_APP}' } },
    { security: [{ apiKey: [] }], auth: { type: 'query', name: 'key', value: '{SHOP_API_KEY}' } },
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
    const parameters = ['app', 'q'].map((name) => ({ name, in: 'query', required: true, schema: { type: 'string' } }));
    const { tools } = await generated([{ app: [] }], parameters);
    expect(tools.flatMap((tool) => Object.keys(propertiesOf(tool)))).to.deep.equal(['q']);
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

  it('is that of the provider, except where an operation has its own', async () => {
    const paths = { '/a': { get: { responses }, post: { responses } }, '/b': { get: { responses, security: [] } } };
    const { tools, provider } = await generatedOf(paths, [{ login: [] }]);
    expect(provider['auth']).to.deep.equal({ type: 'bearer', token: '{SHOP_LOGIN}' });
    expect(tools.map((tool) => executionOf(tool)['auth'])).to.deep.equal([undefined, undefined, { type: 'none' }]);
  });

  it('has a note where no operation needs a scheme', async () => {
    const { notes } = await generatedOf({ '/things': { get: { responses } } });
    expect(notes.join()).to.include('security schemes, and no operation needs one');
  });

  it('is sent, and no caller can give it', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const paths = { '/things': { get: { operationId: 'list', responses, security: [{ login: [] }] } } };
    const document = { components: { securitySchemes: schemes }, paths };
    const { kernel } = await linked(await generatedFrom(document, { source: { server: url } }));
    await kernel.call({ tool: 'shop_list', parameters: {} });
    expect(requests[0]?.headers.authorization).to.equal('Bearer shop_login');
  });
});
