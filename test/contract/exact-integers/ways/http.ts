import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../../plugins/validate-output/index.ts';
import { type EchoService, startEcho } from '../echo-service.ts';
import type { Way } from '../way.ts';

type Run = (parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;

interface HttpWay {
  readonly name: string;
  /** The definition of the tool beside name, description and risk. */
  define(service: EchoService): Readonly<Record<string, unknown>>;
  carry(digits: string, service: EchoService, run: Run): Promise<unknown>;
}

const text = { type: 'string' };
const integer = { type: 'integer' };

/** The number in the JSON of a body, as it is written there. */
function numberIn(body: string | undefined): string {
  return /[:[](-?\d+)[\]},]/.exec(body ?? '')?.[1] ?? `nothing in ${body}`;
}

function post(service: EchoService, more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'http', method: 'post', url: service.url, ...more };
}

/** Sends one parameter and reads the number in the body. */
async function sent(service: EchoService, run: Run, id: unknown): Promise<string> {
  await run({ id });
  return numberIn(service.requests()[0]?.body);
}

const httpWays: readonly HttpWay[] = [
  {
    name: 'in the answer to an http tool',
    define: ({ url }) => ({
      execution: { type: 'http', method: 'get', url },
      output_schema: { type: 'object', properties: { a: { type: 'array', items: { anyOf: [integer, { type: 'null' }] } } } },
    }),
    async carry(digits, service, run) {
      service.answer(`{"a":[null,${digits}],"b":{"c":${digits}}}`);
      const { a, b } = (await run({})) as { readonly a: readonly unknown[]; readonly b: { readonly c: unknown } };
      return a[1] === b.c ? a[1] : `${a[1]} and ${b.c}`;
    },
  },
  {
    name: 'as a member of a list in the body of a request',
    define: (service) => ({ parameters: { id: { type: 'array', items: integer } }, execution: post(service, { body: { ids: '{id}' } }) }),
    carry: (digits, service, run) => sent(service, run, [BigInt(digits)]),
  },
  {
    name: 'in a parameter that is the body of a request',
    define: (service) => ({
      parameters: { id: { type: 'object', properties: { deep: { type: 'object', additionalProperties: integer } } } },
      execution: post(service, { body: '{id}' }),
    }),
    carry: (digits, service, run) => sent(service, run, { deep: { n: BigInt(digits) } }),
  },
  {
    name: 'in a body that is a text of JSON',
    define: (service) => ({ parameters: { id: integer }, execution: post(service, { body: '{"id": {id}, "text": "{id}"}' }) }),
    async carry(digits, service, run) {
      await run({ id: BigInt(digits) });
      const [, id, shown] = /^\{"id": (-?\d+), "text": "(-?\d+)"\}$/.exec(service.requests()[0]?.body ?? '') ?? [];
      return id === shown ? id : `${id} and ${shown}`;
    },
  },
  {
    name: 'in a form',
    define: (service) => ({ parameters: { id: integer }, execution: post(service, { form: { id: '{id}' } }) }),
    async carry(digits, service, run) {
      await run({ id: BigInt(digits) });
      return service.requests()[0]?.body.replace('id=', '');
    },
  },
  {
    name: 'in a list with a style',
    define: (service) => ({
      parameters: { id: { type: 'array', items: integer } },
      execution: { type: 'http', method: 'get', url: service.url, query_params: { id: { value: '{id}', style: 'form', explode: false } } },
    }),
    async carry(digits, service, run) {
      await run({ id: [BigInt(digits)] });
      return service.requests()[0]?.url.searchParams.get('id');
    },
  },
  {
    name: 'in a form that the call chooses',
    define: (service) => ({
      parameters: { id: integer, kind: text },
      execution: post(service, {
        body_types: { parameter: 'kind', types: { 'application/x-www-form-urlencoded': { form: { id: '{id}' } } } },
      }),
    }),
    async carry(digits, service, run) {
      await run({ id: BigInt(digits) });
      return service.requests()[0]?.body.replace('id=', '');
    },
  },
  {
    name: 'in JSON that is a part of the query',
    define: (service) => ({
      parameters: { id: { type: 'object', properties: { n: integer } } },
      execution: { type: 'http', method: 'get', url: service.url, query_params: { filter: '{id}' } },
    }),
    async carry(digits, service, run) {
      await run({ id: { n: BigInt(digits) } });
      return numberIn(service.requests()[0]?.url.searchParams.get('filter') ?? '');
    },
  },
  {
    name: 'in JSON that an encoding makes',
    define: (service) => ({
      parameters: { id: { type: 'object', properties: { n: integer } } },
      execution: post(service, {
        form: { data: '{data}' },
        parameter_encoding: [{ source: ['id'], target: 'data', encoding: 'json_compact' }],
      }),
    }),
    async carry(digits, service, run) {
      await run({ id: { n: BigInt(digits) } });
      return numberIn(new URLSearchParams(service.requests()[0]?.body).get('data') ?? '');
    },
  },
  {
    name: 'as the cursor of a list',
    define: ({ url }) => ({
      parameters: { cursor: text, limit: integer },
      execution: { type: 'http', method: 'get', url, query_params: { cursor: '{cursor}' } },
      paginate: { items: 'items', limit: 'limit', next: { cursor: { path: 'next', parameter: 'cursor' } } },
    }),
    async carry(digits, service, run) {
      service.answer(({ url }) => (url.searchParams.has('cursor') ? '{"items":[2],"next":null}' : `{"items":[1],"next":${digits}}`));
      await run({ limit: 2 });
      return service.requests()[1]?.url.searchParams.get('cursor');
    },
  },
  {
    name: 'as the cursor of a list, sent in a body',
    define: (service) => ({
      parameters: { cursor: integer, limit: integer },
      execution: post(service, { body: { cursor: '{cursor}' } }),
      paginate: { items: 'items', limit: 'limit', next: { cursor: { path: 'next', parameter: 'cursor' } } },
    }),
    async carry(digits, service, run) {
      service.answer(({ body }) => (body.includes('cursor') ? '{"items":[2],"next":null}' : `{"items":[1],"next":${digits}}`));
      await run({ limit: 2 });
      return numberIn(service.requests()[1]?.body);
    },
  },
  {
    name: 'in the URL of the next page',
    define: ({ url }) => ({
      parameters: { since: integer, limit: integer },
      execution: { type: 'http', method: 'get', url, query_params: { since: '{since}' } },
      paginate: { items: 'items', limit: 'limit', next: { url: { path: 'next', parameters: { since: 'since' } } } },
    }),
    async carry(digits, service, run) {
      service.answer(({ url }) => (url.searchParams.has('since') ? '{"items":[2]}' : `{"items":[1],"next":"/?since=${digits}"}`));
      await run({ limit: 2 });
      return service.requests()[1]?.url.searchParams.get('since');
    },
  },
  {
    name: 'as the code of an error',
    define: ({ url }) => ({ execution: { type: 'http', method: 'get', url }, error_when: { path: 'e', exists: true, code_path: 'e' } }),
    async carry(digits, service, run) {
      service.answer(`{"e":${digits}}`);
      const error = await run({}).catch((thrown: unknown) => thrown);
      return (error as { readonly details: { readonly providerCode?: string } }).details.providerCode;
    },
  },
];

export const ways: readonly Way[] = httpWays.map(({ name, define, carry }) => ({
  name,
  async start() {
    const service = await startEcho();
    const tool = { name: 'thing', description: 'A thing.', risk: 'low', ...define(service) };
    const { kernel } = await createTestKit({ plugins: [executorHttp(), validateOutput()], tools: [tool] });
    const run: Run = (parameters) => kernel.execute('thing', parameters);
    return {
      carry: async (digits) => String(await carry(digits, service, run)),
      async stop() {
        await kernel.close();
        await service.stop();
      },
    };
  },
}));
