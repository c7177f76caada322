import { expect } from 'chai';
import { credentialStates } from '../../../../plugins/shared/secrets/credential-states.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { type AuthToolOptions, authTool } from '../auth-tool.ts';

const bearer = { type: 'bearer', token: '{SHOP_TOKEN}' };
const basic = { type: 'basic', username: '{USER}', password: '{SHOP_PASSWORD}' };
const key = { type: 'header', name: 'X-Api-Key', value: '{SHOP_KEY}' };
const anyOf = [bearer, [basic, key]];

/** Nothing of what there is, but for these. */
const only = (given: Readonly<Record<string, string>>): NonNullable<AuthToolOptions['env']> => ({
  SHOP_USER: undefined,
  SHOP_PASSWORD: undefined,
  SHOP_TOKEN: undefined,
  SHOP_KEY: undefined,
  ...given,
});

const token = { SHOP_TOKEN: 'token-0123456789' };
const pair = { SHOP_USER: 'alice', SHOP_PASSWORD: 'pass-0123456789' };
const shopKey = { SHOP_KEY: 'key-0123456789' };
const basicHeader = `Basic ${Buffer.from('alice:pass-0123456789').toString('base64')}`;

async function shop(options: Partial<AuthToolOptions>) {
  const { url, requests } = await loopback((_, response) => json(response, { message: 'no' }, 200));
  const tool = await authTool({ ...options, execution: { url: `${url}/list`, ...options.execution } });
  const sent = () => requests.map(({ headers: { authorization, 'x-api-key': apiKey } }) => [authorization, apiKey]);
  return { ...tool, sent };
}

interface Row {
  readonly what: string;
  readonly env: Readonly<Record<string, string>>;
  readonly any_of?: unknown;
  readonly sent: readonly (string | undefined)[];
}

const rows: readonly Row[] = [
  { what: 'the first, where all are there', env: { ...token, ...pair, ...shopKey }, sent: ['Bearer token-0123456789', undefined] },
  { what: 'the first, where it alone is there', env: token, sent: ['Bearer token-0123456789', undefined] },
  { what: 'the first, beside a part of the second', env: { ...token, ...shopKey }, sent: ['Bearer token-0123456789', undefined] },
  { what: 'the second, of which all is sent', env: { ...pair, ...shopKey }, sent: [basicHeader, 'key-0123456789'] },
  {
    what: 'the order, not the number',
    env: { ...token, ...pair, ...shopKey },
    any_of: [[basic, key], bearer],
    sent: [basicHeader, 'key-0123456789'],
  },
  { what: 'nothing, where that is one of them', env: pair, any_of: [bearer, { type: 'none' }], sent: [undefined, undefined] },
  { what: 'the one that there is', env: token, any_of: [bearer], sent: ['Bearer token-0123456789', undefined] },
];

describe('auth: any_of', () => {
  for (const where of ['the tool', 'the provider'] as const)
    for (const { what, env, any_of = anyOf, sent } of rows) {
      it(`of ${where} sends ${what}`, async () => {
        const auth = { any_of };
        const tool = await shop({ env: only(env), ...(where === 'the tool' ? { execution: { auth } } : { provider: auth }) });
        expect(tool.problems.filter(({ severity }) => severity === 'error')).to.deep.equal([]);
        await tool.call();
        expect(tool.sent()).to.deep.equal([sent]);
      });
    }

  for (const [what, env] of [
    ['nothing', {}],
    ['a part of the second', pair],
  ] as const) {
    it(`fails before anything is sent and names every alternative, where ${what} is there`, async () => {
      const { call, sent, kernel } = await shop({ env: only(env), provider: { any_of: anyOf } });
      const { message } = await rejection(call(), 'MISSING_PARAMETER');
      expect(message).to.include('SHOP_TOKEN or SHOP_USER with SHOP_PASSWORD with SHOP_KEY');
      expect(sent()).to.deep.equal([]);
      const missing = credentialStates(kernel.registry.get('shop_list'), kernel).filter(({ isMissing }) => isMissing);
      expect(missing.map(({ secret }) => secret)).to.have.members([
        'SHOP_TOKEN',
        'SHOP_KEY',
        ...(what === 'nothing' ? Object.keys(pair) : []),
      ]);
    });
  }

  it('takes what comes with the call for what is there', async () => {
    const { call, sent } = await shop({ env: only({}), provider: { any_of: anyOf } });
    await call({ credentials: { USER: 'alice', SHOP_PASSWORD: 'pass-0123456789', SHOP_KEY: 'key-0123456789' } });
    expect(sent()).to.deep.equal([[basicHeader, 'key-0123456789']]);
  });

  it('needs of the secrets only those of the way that is taken', async () => {
    const { call, kernel } = await shop({ env: only({ ...pair, ...shopKey }), provider: { any_of: anyOf } });
    await call();
    const states = credentialStates(kernel.registry.get('shop_list'), kernel);
    expect(states.filter(({ isNeeded }) => isNeeded).map(({ secret }) => secret)).to.have.members([
      'SHOP_USER',
      'SHOP_PASSWORD',
      'SHOP_KEY',
    ]);
    expect(await kernel.execute('shop_list')).to.deep.equal({ message: 'no' });
  });

  it('requires what stands elsewhere in the request as well', async () => {
    const { url } = await loopback((_, response) => json(response, {}));
    const { call } = await authTool({
      env: only(token),
      execution: { url: `${url}/{USER}/list`, auth: { any_of: anyOf } },
    });
    const { message } = await rejection(call(), 'MISSING_PARAMETER');
    expect(message).to.include('Missing required parameter: USER').and.to.not.include('SHOP_TOKEN');
  });

  it('names every alternative where the service refuses', async () => {
    const { url } = await loopback((_, response) => json(response, {}, 401));
    const { call } = await authTool({ env: only(token), execution: { url, auth: { any_of: anyOf } } });
    const { message } = await rejection(call(), 'AUTH_FAILED');
    expect(message).to.include('Renew SHOP_TOKEN or SHOP_USER with SHOP_PASSWORD with SHOP_KEY');
  });

  const wrong: readonly (readonly [what: string, auth: unknown])[] = [
    ['an empty list', { any_of: [] }],
    ['a way that is none', { any_of: [[]] }],
    ['one inside another', { any_of: [{ any_of: [bearer] }] }],
    ['another key', { any_of: [bearer], all_of: [basic] }],
  ];
  for (const [what, auth] of wrong) {
    it(`is refused with ${what}`, async () => {
      const { problems } = await shop({ execution: { auth } });
      expect(problems.filter(({ severity }) => severity === 'error').map(({ path = '' }) => path.startsWith('execution.auth'))).to.include(
        true,
      );
    });
  }

  it('is refused where one of them cannot be sent with the method', async () => {
    const { problems } = await shop({ execution: { auth: { any_of: [bearer, { type: 'form', name: 'key', value: '{SHOP_KEY}' }] } } });
    expect(problems.map(({ message }) => message).join()).to.include('type "form" adds a field');
  });
});
