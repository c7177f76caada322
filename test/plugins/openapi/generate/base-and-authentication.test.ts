import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { executionOf, type GenerateOptions, generatedFrom, linked, propertiesOf } from './generated-from.ts';

const schemes = {
  apiKey: { type: 'apiKey', in: 'query', name: 'key' },
  token: { type: 'apiKey', in: 'query', name: 'token' },
  login: { type: 'http', scheme: 'basic' },
  oauth: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://api.test/auth',
        tokenUrl: 'https://api.test/token',
        scopes: { read: 'Reads', write: 'Writes' },
      },
    },
  },
  certificate: { type: 'mutualTLS' },
};
const responses = { 204: { description: 'done' } };

const document = (paths: object, security?: object[]): object => ({
  components: { securitySchemes: schemes },
  ...(security === undefined ? {} : { security }),
  paths,
});

async function authOf(security: object[], operation: object = {}, options: GenerateOptions = {}): Promise<unknown> {
  const { provider } = await generatedFrom(document({ '/items': { get: { responses, security, ...operation } } }), options);
  return provider['auth'];
}

describe('authentication of generated tools', () => {
  for (const [title, security, expected] of [
    ['an API key', [{ apiKey: [] }], { type: 'query', name: 'key', value: '{SHOP_API_KEY}' }],
    ['basic', [{ login: [] }], { type: 'basic', username: '{SHOP_LOGIN_USERNAME}', password: '{SHOP_LOGIN_PASSWORD}' }],
    ['OAuth 2.0', [{ oauth: ['read'] }], { type: 'bearer', token: '{SHOP_OAUTH}' }],
    [
      'two schemes together',
      [{ apiKey: [], oauth: [] }],
      [
        { type: 'query', name: 'key', value: '{SHOP_API_KEY}' },
        { type: 'bearer', token: '{SHOP_OAUTH}' },
      ],
    ],
    [
      'one of two schemes',
      [{ oauth: [] }, { apiKey: [] }],
      {
        any_of: [
          { type: 'bearer', token: '{SHOP_OAUTH}' },
          { type: 'query', name: 'key', value: '{SHOP_API_KEY}' },
        ],
      },
    ],
    ['an optional scheme', [{ oauth: [] }, {}], { any_of: [{ type: 'bearer', token: '{SHOP_OAUTH}' }, { type: 'none' }] }],
    ['no scheme', [], { type: 'none' }],
  ] as const)
    it(`is written for ${title}`, async () => {
      expect(await authOf([...security])).to.deep.equal(expected);
    });

  it('leaves out operations that need a client certificate alone', async () => {
    const { tools, skipped } = await generatedFrom(document({ '/items': { get: { responses, security: [{ certificate: [] }] } } }));
    expect(tools).to.deep.equal([]);
    expect(skipped.map(({ reason }) => reason)).to.deep.equal(['mutual TLS only']);
  });

  it('is that of the provider, except where an operation has its own', async () => {
    const paths = {
      '/a': { get: { responses }, post: { responses } },
      '/b': { get: { responses, security: [] } },
    };
    const { tools, provider } = await generatedFrom(document(paths, [{ oauth: [] }]));
    expect(provider['auth']).to.deep.equal({ type: 'bearer', token: '{SHOP_OAUTH}' });
    expect(tools.map((tool) => executionOf(tool)['auth'])).to.deep.equal([undefined, undefined, { type: 'none' }]);
  });

  it('takes a parameter of a scheme from callers, and joins alternatives that are all required parameters', async () => {
    const parameters = ['key', 'token', 'q'].map((name) => ({ name, in: 'query', required: true, schema: { type: 'string' } }));
    const get = { responses, parameters, security: [{ apiKey: [] }, { token: [] }] };
    const { tools, provider } = await generatedFrom(document({ '/items': { get } }));
    expect(tools.flatMap((tool) => Object.keys(propertiesOf(tool)))).to.deep.equal(['q']);
    expect(provider['auth']).to.deep.equal([
      { type: 'query', name: 'key', value: '{SHOP_API_KEY}' },
      { type: 'query', name: 'token', value: '{SHOP_TOKEN}' },
    ]);
  });

  it('names the values to set, and scopes that operations need', async () => {
    const { needs, provider } = await generatedFrom(document({ '/items': { get: { responses, security: [{ oauth: ['read'] }] } } }));
    expect(needs.map(({ name, isSecret, isRequired }) => [name, isSecret, isRequired])).to.deep.equal([['SHOP_OAUTH', true, true]]);
    expect(provider['oauth2']).to.deep.equal({
      auth_url: 'https://api.test/auth',
      token_url: 'https://api.test/token',
      scopes: { default: ['read'] },
    });
  });

  it('notes schemes that no operation needs', async () => {
    const { notes } = await generatedFrom(document({ '/items': { get: { responses } } }));
    expect(notes.join()).to.include('security schemes, and no operation needs one');
  });

  it('is sent, and no caller can give it', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const get = { operationId: 'list', responses, security: [{ oauth: [] }] };
    const { kernel } = await linked(await generatedFrom(document({ '/items': { get } }), { source: { server: url } }));
    await kernel.call({ tool: 'shop_list', parameters: {} });
    expect(requests[0]?.headers.authorization).to.equal('Bearer shop_oauth');
  });
});
