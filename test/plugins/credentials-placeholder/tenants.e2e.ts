import { expect } from 'chai';
import { type CallEnd, type CallOutput, definePlugin, type Kernel } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { type Resolver, resolver } from '../../kernel/secrets/chain-kernel.ts';
import { loopback, type SeenRequest } from '../../support/loopback.ts';
import { readings } from '../../support/readings.ts';
import { testKernel } from '../../support/test-kernel.ts';

const count = 400;

/** Whose call it is, and what it is made with. */
interface Tenant {
  readonly name: string;
  readonly token: string;
  readonly password: string;
  readonly account: string;
}

function tenantOf(name: string): Tenant {
  return { name, token: `token-of-${name}-Zq7`, password: `päss of ${name}/+`, account: `account-of-${name}` };
}

const store = tenantOf('store');

interface Service {
  readonly kernel: Kernel;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly LogRecord[];
  readonly ends: readonly CallEnd[];
  readonly resolver: Resolver;
}

/** A service that shows every credential again, to whom it has it from. Every fifth call fails, and half of them are answered last. */
async function service(): Promise<Service> {
  const held: (() => void)[] = [];
  const { url, requests } = await loopback((request, response) => {
    const { n = '' } = request.headers as Record<string, string>;
    const authorization = request.headers.authorization ?? '';
    const answer = (): void => {
      const body = {
        n,
        authorization,
        pair: Buffer.from(authorization.slice(6), 'base64').toString(),
        message: `seen: ${request.url} ${request.body}`,
      };
      response.writeHead(Number(n) % 5 === 0 ? 403 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    // Answers come in another order than calls: the first half when the last request is there.
    if (Number(n) < count / 2) held.push(answer);
    else answer();
    if (requests.length === count) for (const late of held.splice(0).reverse()) late();
  });
  const logger = memoryLogger();
  const ends: CallEnd[] = [];
  const trail = definePlugin({
    name: 'trail',
    apiVersion: 1,
    apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
  });
  const secrets = resolver({
    SHOP_TOKEN: store.token,
    SHOP_PASSWORD: store.password,
    SHOP_ACCOUNT: store.account,
    account: 'wrong',
    tenant: 'wrong',
    n: 'wrong',
    OTHER_TOKEN: 'wrong',
  });
  const tool = {
    name: 'shop_list',
    description: 'Lists.',
    provider: 'shop',
    parameters: { tenant: { type: 'string' }, n: { type: 'integer' } },
    execution: {
      type: 'http',
      // All calls are answered at the end, however long that takes.
      timeout_ms: 600_000,
      method: 'post',
      url: `${url}/{account}/{tenant}`,
      auth: { type: 'basic', username: '{account}', password: '{SHOP_PASSWORD}' },
      headers: { 'X-Token': '{SHOP_TOKEN}', 'X-Tenant': '{tenant}', n: '{n}' },
      body: { token: '{SHOP_TOKEN}', tenant: '{tenant}' },
    },
  };
  const kernel = await testKernel({
    logger,
    providers: [{ provider: { name: 'shop' }, parameter_mapping: [{ parameter: 'account', env_pattern: 'SHOP_ACCOUNT' }] }],
    tools: [tool],
    plugins: [secrets.plugin, credentialsPlaceholder(), executorHttp(), trail()],
  });
  return { kernel, requests, records: logger.records, ends, resolver: secrets };
}

/** Calls in the name of several tenants, all at the same time; those of the tenant `store` take what the store has. */
function callAll(kernel: Kernel, tenants: readonly Tenant[]): Promise<(CallOutput | Error)[]> {
  const calls = Array.from({ length: count }, (_, n) => {
    const { name, token, password, account } = tenants[n % tenants.length] ?? store;
    const credentials = name === store.name ? {} : { SHOP_TOKEN: token, SHOP_PASSWORD: password, account };
    return kernel.call({ tool: 'shop_list', parameters: { tenant: name, n }, credentials, caller: name }).catch((error: Error) => error);
  });
  return Promise.all(calls);
}

/** Parts of every credential of every tenant. */
const parts = ['token-of', '-Zq7', 'päss of', 'account-of'];

function expectNoCredential(value: unknown): void {
  const text = readings(typeof value === 'string' ? value : JSON.stringify(value));
  for (const part of parts) expect(text.includes(part), part).to.equal(false);
}

describe('1,000 calls of several tenants at the same time', () => {
  const tenants = [tenantOf('ann'), tenantOf('bea'), store];
  let seen: Service;
  let results: (CallOutput | Error)[];

  // Once for all tests: what they look at stays when server and kernel are closed.
  before(async () => {
    seen = await service();
    // So that what the store has is there to be mixed up with what comes with a call.
    await seen.kernel.resolveSecrets();
    results = await callAll(seen.kernel, tenants);
  });

  it('send each tenant its own token, password and account, all the time', () => {
    expect(seen.requests).to.have.lengthOf(count);
    const calls = new Set<string>();
    for (const { headers, url, body } of seen.requests) {
      const { name, token, password, account } = tenantOf(String(headers['x-tenant']));
      const pair = Buffer.from(`${account}:${password}`).toString('base64');
      expect({ authorization: headers.authorization, token: headers['x-token'], url, body: JSON.parse(body) }).to.deep.equal({
        authorization: `Basic ${pair}`,
        token,
        url: `/${account}/${name}`,
        body: { token, tenant: name },
      });
      expect(tenants[Number(headers['n']) % tenants.length]?.name).to.equal(name);
      calls.add(String(headers['n']));
    }
    expect(calls.size).to.equal(count);
  });

  it('give each call its own answer, with no credential in it, and no failure shows one', () => {
    expect(results.filter((result) => result instanceof Error)).to.have.lengthOf(count / 5);
    for (const [n, result] of results.entries()) {
      const isFailure = result instanceof Error;
      const text = JSON.stringify(isFailure ? [result, result.message, result.stack, String(result.cause)] : result);
      expect(text)
        .to.include('[secret ')
        .and.to.include(`/${tenants[n % tenants.length]?.name}`);
      expectNoCredential(text);
      if (!isFailure) expect(result.output).to.include({ n: String(n) });
    }
  });

  it('leave no credential in the log and the trail, and no tenant in the name of another', () => {
    expectNoCredential(seen.records);
    expectNoCredential(seen.ends.map(({ tool: _tool, ...end }) => end));
    expect(seen.ends).to.have.lengthOf(count);
    for (const { caller, parameters, outcome } of seen.ends) {
      expect(parameters['tenant']).to.equal(caller);
      const text = outcome.type === 'completed' ? JSON.stringify(outcome.result) : outcome.error.message;
      expect(text).to.include(`/${caller}`);
    }
  });

  it('ask the store once, for what the definition names, and leave nothing of a call behind', () => {
    expect(seen.resolver.asked).to.deep.equal([{ names: ['SHOP_ACCOUNT', 'SHOP_PASSWORD', 'SHOP_TOKEN'], isFresh: false }]);
    expect(['OTHER_TOKEN', 'account', 'tenant', 'n'].map((name) => seen.kernel.secret(name))).to.deep.equal(Array(4).fill(undefined));
    // What came with a call is forgotten with it, also by the masking.
    expect(seen.kernel.mask(tenantOf('ann').token)).to.equal(tenantOf('ann').token);
    expect(seen.kernel.mask(store.token)).to.equal('[secret SHOP_TOKEN]');
  });
});
