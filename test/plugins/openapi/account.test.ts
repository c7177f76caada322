import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { openapi } from '../../../plugins/openapi/index.ts';
import type { DocumentSource } from '../../../plugins/openapi/options.ts';
import { json, loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** A calendar whose operations take a token of an account, and one that takes a key. */
const document = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Calendar', version: '1' },
  servers: [{ url: 'https://calendar.example' }],
  components: {
    securitySchemes: {
      login: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://{tenant}.calendar.example/authorize',
            tokenUrl: 'https://calendar.example/token',
            scopes: { 'events.read': 'Events' },
          },
        },
      },
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
  paths: {
    '/events': {
      get: { operationId: 'listEvents', security: [{ login: ['events.read'] }], responses: { 200: { description: 'Events' } } },
    },
    '/rooms': { get: { operationId: 'listRooms', security: [{ bearer: [] }], responses: { 200: { description: 'Rooms' } } } },
    '/status': { get: { operationId: 'getStatus', security: [{ key: [] }], responses: { 200: { description: 'Status' } } } },
  },
});

const acme = {
  provider: { name: 'acme' },
  oauth2: {
    auth_url: 'https://acme.example/authorize',
    token_url: 'https://acme.example/token',
    scopes: {},
    provides: { ACME_INSTANCE: 'instance_url', ACME_ACCESS_TOKEN: 'access_token' },
  },
};
const bare = { provider: { name: 'bare' }, base_url: 'https://bare.example' };

async function kernelWith(source: Partial<DocumentSource>, secrets: Readonly<Record<string, string>> = {}): Promise<Kernel> {
  const cwd = await temporaryFolder({ 'calendar.json': document });
  const sources = { cal: { document: './calendar.json', ...source } };
  return testKernel({ cwd, plugins: [executorHttp(), openapi({ sources })], providers: [acme, bare], secrets });
}

const secretsOf = ({ registry }: Kernel, tool: string): readonly string[] | undefined =>
  registry.tools.get(tool)?.credentials.map(({ secret }) => secret);

describe('a source with an account', () => {
  it("sends the token of the account's provider where a scheme takes one, and its own key elsewhere", async () => {
    const { url, requests } = await loopback((_request, response) => json(response, []));
    const secrets = { ACME_ACCESS_TOKEN: 'token-of-the-account', CAL_LOGIN: 'own-token', CAL_KEY: 'own-key' };
    const kernel = await kernelWith({ account: 'acme', server: url }, secrets);
    expect(kernel.registry.problems).to.deep.equal([]);
    for (const tool of ['cal_list_events', 'cal_list_rooms', 'cal_get_status']) await kernel.execute(tool);
    expect(requests.map(({ headers }) => [headers.authorization, headers['x-key']])).to.deep.equal([
      ['Bearer token-of-the-account', undefined],
      ['Bearer token-of-the-account', undefined],
      [undefined, 'own-key'],
    ]);
  });

  it('names the secret of the provider, and has no login of its own', async () => {
    const kernel = await kernelWith({ account: 'acme' });
    expect(secretsOf(kernel, 'cal_list_events')).to.deep.equal(['ACME_ACCESS_TOKEN']);
    expect(secretsOf(kernel, 'cal_get_status')).to.deep.equal(['CAL_KEY']);
    expect(kernel.registry.provider('cal')?.definition).to.not.have.property('oauth2');
  });

  it('is the same after it is listed again', async () => {
    const kernel = await kernelWith({ account: 'acme' });
    await kernel.sources.relist('cal');
    await kernel.reload();
    expect(secretsOf(kernel, 'cal_list_rooms')).to.deep.equal(['ACME_ACCESS_TOKEN']);
    expect(kernel.registry.problems).to.deep.equal([]);
  });

  const refused = [
    {
      account: 'acne',
      message: 'The source "cal" has the account "acne", which is no provider. Did you mean "acme"? Expected one of acme.',
    },
    { account: 'bare', message: 'which is a provider whose definition has no "provides" in "oauth2"' },
  ];
  for (const { account, message } of refused)
    it(`is refused at the start when its account is "${account}"`, async () => {
      expect((await rejection(kernelWith({ account }), 'CONFIG_INVALID')).message).to.include(message);
    });
});

describe('a source without an account', () => {
  it('has tokens of its own, and no login at an address that holds a placeholder', async () => {
    const kernel = await kernelWith({});
    expect(kernel.registry.problems).to.deep.equal([]);
    expect(secretsOf(kernel, 'cal_list_events')).to.deep.equal(['CAL_LOGIN']);
    expect(kernel.registry.provider('cal')?.definition).to.not.have.property('oauth2');
  });
});
