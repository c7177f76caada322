import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import type { CallOutput, CallRequest, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { cacheResults } from '../../../plugins/cache-results/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { json, loopback } from '../../support/loopback.ts';
import { type SharedState, sharedState, unreachableState } from '../../support/shared-state.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

interface Counting {
  readonly url: string;
  readonly requests: readonly unknown[];
}

/** A service that counts its requests, and answers with the number and so many characters. */
async function counting(length = 0): Promise<Counting> {
  const { url, requests } = await loopback((_request, response) => json(response, { count: requests.length, text: 'x'.repeat(length) }));
  return { url, requests };
}

interface ProcessOptions {
  readonly definition?: object;
  readonly env?: Record<string, string>;
}

interface Process {
  readonly kernel: Kernel;
  call(more?: Partial<CallRequest>): Promise<CallOutput>;
}

async function start(
  { url }: Counting,
  store: PluginEntry,
  { definition = {}, env = { SHOP_TOKEN: 'one value' } }: ProcessOptions = {},
): Promise<Process> {
  const kernel = await testKernel({
    tools: [
      {
        name: 'get',
        description: 'Gets.',
        parameters: { a: {} },
        cache: { ttl_ms: 3_600_000 },
        execution: { type: 'http', method: 'get', url, headers: { 'x-key': '{SHOP_TOKEN}' } },
        ...definition,
      },
    ],
    // The plugin is applied before it knows of the store.
    plugins: [
      executorHttp(),
      guardOutbound({ allowHosts: ['127.0.0.1'] }),
      secretsEnv({ env }),
      credentialsPlaceholder(),
      cacheResults(),
      store,
    ],
  });
  return { kernel, call: (more = {}) => kernel.call({ tool: 'get', caller: 'ada', ...more }) };
}

/** Resolves to the keys of the store when there are results in it. */
function untilKept(state: SharedState): Promise<readonly string[]> {
  const store = state.open();
  return until(async () => {
    const keys = (await store.list('')).map(({ key }) => key);
    return keys.some((key) => key.includes('/result/')) ? keys : undefined;
  }).finally(() => store.close());
}

afterEach(() => sinon.restore());

describe('cache-results: with a store that processes share', () => {
  it('gives the result of another process for the rest of its time', async () => {
    const clock = sinon.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    const [state, service] = [await sharedState(), await counting()];
    const [one, other] = [await start(service, state.plugin()), await start(service, state.plugin())];
    const { output } = await one.call();
    await untilKept(state);
    clock.tick(5000);
    const again = await other.call();
    expect(again.output).to.deep.equal(output);
    expect(again.meta).to.deep.include({ cached: { ageMs: 5000 } });
    clock.tick(1000);
    expect((await other.call()).meta).to.deep.include({ cached: { ageMs: 6000 } });
    expect(service.requests.length).to.equal(1);
    clock.tick(3_594_001);
    await other.call();
    expect(service.requests.length).to.equal(2);
  });

  it('asks the store once where the same call is made several times at once', async () => {
    const [state, service] = [await sharedState(), await counting()];
    const [one, other] = [await start(service, state.plugin()), await start(service, state.plugin())];
    await one.call();
    await untilKept(state);
    const outputs = await Promise.all([other.call(), other.call(), other.call()]);
    expect(outputs.map(({ meta }) => Object.keys(meta['cached'] as object))).to.deep.equal([['ageMs'], ['ageMs'], ['ageMs']]);
    expect(service.requests.length).to.equal(1);
  });

  const others: readonly { readonly what: string; readonly call?: Partial<CallRequest>; readonly options?: ProcessOptions }[] = [
    { what: 'another caller', call: { caller: 'bob' } },
    { what: 'another origin', call: { origin: 'model' } },
    { what: 'other parameters', call: { parameters: { a: 1 } } },
    { what: 'credentials that come with the call, of the same value too', call: { credentials: { SHOP_TOKEN: 'one value' } } },
    { what: 'another value of a secret', options: { env: { SHOP_TOKEN: 'another value' } } },
    { what: 'another definition', options: { definition: { description: 'Gets it.' } } },
  ];
  for (const { what, call = {}, options = {} } of others) {
    it(`gives it not for ${what}`, async () => {
      const [state, service] = [await sharedState(), await counting()];
      const [one, other] = [await start(service, state.plugin()), await start(service, state.plugin(), options)];
      await one.call();
      await untilKept(state);
      expect((await other.call(call)).meta).to.not.have.property('cached');
      expect(service.requests.length).to.equal(2);
    });
  }

  it('gives it not where the code of the tool is another', async () => {
    const [state, service] = [await sharedState(), await counting()];
    const folder = await temporaryFolder();
    const file = path.join(folder, 'get.mjs');
    const definition = { execution: { type: 'function', code: file }, risk: 'low', parameters: {} };
    await writeFile(file, 'export default () => 1;');
    const [one, same] = [await start(service, state.plugin(), { definition }), await start(service, state.plugin(), { definition })];
    await one.call();
    await untilKept(state);
    expect((await same.call()).meta).to.have.property('cached');
    await writeFile(file, 'export default () => 2;');
    const changed = await start(service, state.plugin(), { definition });
    expect((await changed.call()).meta).to.not.have.property('cached');
  });

  const local: readonly {
    readonly what: string;
    readonly definition?: object;
    readonly length?: number;
    readonly call?: Partial<CallRequest>;
  }[] = [
    {
      what: 'a tool whose code is a function of the host',
      definition: { execution: { type: 'function', handler: () => 1 }, risk: 'low', parameters: {} },
    },
    { what: 'more than the store takes', length: 4 * 1024 * 1024 },
    { what: 'credentials that came with the call', call: { credentials: { SHOP_TOKEN: 'own value' } } },
  ];
  for (const { what, definition, length, call = {} } of local) {
    it(`keeps the result of ${what} to itself`, async () => {
      const [state, service] = [await sharedState(), await counting(length)];
      const one = await start(service, state.plugin(), definition === undefined ? {} : { definition });
      await one.call(call);
      // Only the same handle is the same credential.
      if (call.credentials === undefined) expect((await one.call(call)).meta).to.have.property('cached');
      await one.kernel.close();
      const store = state.open();
      expect(await store.list('cache-results/result/')).to.deep.equal([]);
      await store.close();
    });
  }

  it('shows nobody who reads the keys what was called', async () => {
    const [state, service] = [await sharedState(), await counting()];
    const one = await start(service, state.plugin());
    await one.call({ parameters: { a: 'private' } });
    const keys = await untilKept(state);
    for (const key of keys) expect(key).to.match(/^cache-results\/(secret|result\/[\w-]{43})$/);
    expect(keys).to.have.length(2);
  });

  it('runs the tool where the store cannot be reached, and keeps the result here', async () => {
    const service = await counting();
    const one = await start(service, unreachableState().plugin());
    await one.call();
    expect((await one.call()).meta).to.have.property('cached');
    expect(service.requests.length).to.equal(1);
  });
});
