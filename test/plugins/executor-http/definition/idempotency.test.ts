import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { resolver } from '../../../kernel/secrets/chain-kernel.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { authTool } from '../auth-tool.ts';
import { httpTool } from '../http-tool.ts';

const idempotency = { header: 'Idempotency-Key' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function keysOf(requests: readonly SeenRequest[]): unknown[] {
  return requests.map(({ headers }) => headers['idempotency-key']);
}

describe('executor-http: idempotency', () => {
  for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
    it(`gives each call with ${method} a UUID of its own in the header of the definition`, async () => {
      const { url, requests } = await loopback((_, response) => json(response, {}));
      const call = await httpTool({ execution: { method, url }, definition: { idempotency } });
      await Promise.all([call(), call(), call()]);
      const keys = keysOf(requests);
      for (const key of keys) expect(key).to.match(uuid);
      expect(new Set(keys).size).to.equal(3);
    });
  }

  it('is the same whenever the call is sent again', async () => {
    const statuses = [503, 0, 429, 200];
    const { url, requests } = await loopback((_, response) => {
      const status = statuses[requests.length - 1] ?? 200;
      if (status === 0) response.destroy();
      else json(response, {}, status, { 'retry-after': '0' });
    });
    const retry = { attempts: 4, backoff: { initial_ms: 0 } };
    const call = await httpTool({ execution: { method: 'post', url }, definition: { idempotency, retry } });
    await call();
    await call();
    const [first, ...others] = keysOf(requests);
    expect(others).to.have.lengthOf(4);
    expect(others.slice(0, 3)).to.deep.equal([first, first, first]);
    expect(others[3]).to.match(uuid).and.not.equal(first);
  });

  it('is the same when the call is sent again with other credentials', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}, requests.length === 2 ? 401 : 200));
    const values = { SHOP_TOKEN: 'old-token' };
    const { call } = await authTool({
      execution: { method: 'post', url, auth: { type: 'bearer', token: '{SHOP_TOKEN}' } },
      definition: { idempotency, retry: { attempts: 1, on: [401] } },
      plugins: [resolver(values).plugin, credentialsPlaceholder(), executorHttp()],
    });
    await call();
    values.SHOP_TOKEN = 'new-token';
    await call();
    const [, second, third] = keysOf(requests);
    expect(requests.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer old-token',
      'Bearer old-token',
      'Bearer new-token',
    ]);
    expect(third).to.match(uuid).and.to.equal(second);
  });

  it('is not sent where the definition does not ask for it', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    await (await httpTool({ execution: { method: 'post', url } }))();
    expect(keysOf(requests)).to.deep.equal([undefined]);
  });
});

describe('executor-http: a definition', () => {
  const twice = { attempts: 2 };
  const refused: readonly { title: string; execution: object; definition: object; problem: string }[] = [
    ...['post', 'patch'].map((method) => ({
      title: `retries ${method}, which may do the same thing twice`,
      execution: { method },
      definition: { retry: twice },
      problem: `retry: would send "${method}" again, which may do the same thing twice`,
    })),
    { title: 'says nothing in idempotency', execution: {}, definition: { idempotency: {} }, problem: 'idempotency.header: is required' },
    {
      title: 'names no header',
      execution: {},
      definition: { idempotency: { header: 'a b' } },
      problem: 'idempotency.header: expected to match pattern',
    },
    { title: 'misspells the key', execution: {}, definition: { idempotency: { headers: 'Key' } }, problem: 'Did you mean "header"?' },
    {
      title: 'names a header that it sets itself',
      execution: { headers: { 'X-Request': 'a' } },
      definition: { idempotency: { header: 'x-request' } },
      problem: 'idempotency.header: "x-request" is a header that carries something else',
    },
    {
      title: 'names the header of its credential',
      execution: { auth: { type: 'header', name: 'X-Key', value: '{SHOP_TOKEN}' } },
      definition: { idempotency: { header: 'X-KEY' } },
      problem: 'idempotency.header: "X-KEY" is a header that carries something else',
    },
    ...['Authorization', 'cookie', 'Content-Type', 'Host', 'Content-Length'].map((header) => ({
      title: `names the header ${header}`,
      execution: {},
      definition: { idempotency: { header } },
      problem: `idempotency.header: "${header}" is a header that carries something else`,
    })),
  ];
  for (const { title, execution, definition, problem } of refused) {
    it(`is refused that ${title}`, async () => {
      const { registry } = await testKernel({
        tools: [
          {
            name: 'it',
            description: 'It.',
            execution: { type: 'http', method: 'post', url: 'https://shop.example/', ...execution },
            ...definition,
          },
        ],
        plugins: [executorHttp()],
      });
      expect(registry.problems.map(formatProblem).join()).to.include(problem);
      expect(registry.tools.size).to.equal(0);
    });
  }

  const taken: readonly { title: string; method: string; definition: object }[] = [
    ...['get', 'head', 'put', 'delete', 'options'].map((method) => ({ title: `retries ${method}`, method, definition: { retry: twice } })),
    { title: 'retries post with a header for it', method: 'post', definition: { retry: twice, idempotency } },
    {
      title: 'retries post and says that twice is like once',
      method: 'post',
      definition: { retry: twice, annotations: { idempotentHint: true } },
    },
    {
      title: 'retries post and says that it only reads',
      method: 'post',
      definition: { retry: twice, annotations: { readOnlyHint: true } },
    },
    { title: 'sends post once, and again after a 401', method: 'post', definition: { retry: { attempts: 1, on: [401] } } },
  ];
  for (const { title, method, definition } of taken) {
    it(`is taken that ${title}`, async () => {
      const { registry } = await testKernel({
        tools: [{ name: 'it', description: 'It.', execution: { type: 'http', method, url: 'https://shop.example/' }, ...definition }],
        plugins: [executorHttp()],
      });
      expect(registry.problems).to.deep.equal([]);
    });
  }

  it('is refused that promises idempotency for an execution type without it', async () => {
    const { registry } = await testKernel({ tools: [echoTool({ idempotency })], plugins: [executorHttp()] });
    expect(registry.problems.map(formatProblem).join()).to.include(
      'idempotency: is declared, but no plugin of this configuration enforces it',
    );
  });
});
