import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { apiVersion, ask, definePlugin, type Kernel, type PluginEntry, type SecretLife } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { json, loopback, type SeenRequest } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

/** How long a token of the bank lives, in milliseconds of the test's clock. */
const lifeMs = 60_000;

interface Bank {
  readonly kernel: Kernel;
  /** True for each request whose token was valid on arrival. */
  readonly good: readonly boolean[];
  /** Tokens that were issued. */
  issued(): number;
  advance(ms: number): void;
  /** From now on no token is issued. */
  close(): void;
}

interface BankOptions {
  readonly tool: Readonly<Record<string, unknown>>;
  readonly life?: number | SecretLife;
  /** In place of `{}`, to a request with a good token. */
  readonly answer?: (request: SeenRequest, response: ServerResponse, bank: Bank) => void;
  /** Runs while a person is asked about the call. */
  readonly whileAsked?: (bank: Bank) => void;
}

/** A service whose tokens live for a minute, a store that issues them, and the tool `bank_pay`. */
async function bank({ tool, life = { staleAfterMs: lifeMs / 2, deadAfterMs: lifeMs }, answer, whileAsked }: BankOptions): Promise<Bank> {
  let now = 1_000_000;
  let isOpen = true;
  const endsAt = new Map<string, number>();
  const good: boolean[] = [];
  const { url } = await loopback((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    good.push((endsAt.get(token) ?? 0) > now);
    if (good.at(-1) !== true) json(response, {}, 401);
    else if (answer === undefined) json(response, {});
    else answer(request, response, self);
  });
  const store = definePlugin({
    name: 'store',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.resolveSecrets.tap('store', (sink) => {
        if (!isOpen || !sink.missing.includes('BANK_TOKEN')) return;
        const token = `bank-token-${endsAt.size}`;
        endsAt.set(token, now + lifeMs);
        sink.provide('BANK_TOKEN', token, life);
      }),
  });
  const asking = definePlugin({
    name: 'asking',
    apiVersion,
    apply({ hooks }) {
      if (whileAsked === undefined) return;
      hooks.beforeExecute.tap('asking', (draft) => ask(draft, { kind: 'person', message: 'Pay?' }));
      hooks.approve.tap('asking', () => {
        whileAsked(self);
        return { approved: true, by: 'ann' };
      });
    },
  });
  const definition = { name: 'bank_pay', description: 'Pays.', provider: 'bank', ...tool };
  const plugins: PluginEntry[] = [
    store(),
    asking(),
    credentialsPlaceholder(),
    guardOutbound({ allowHosts: ['127.0.0.1'], env: {} }),
    executorHttp(),
  ];
  const kernel = await testKernel({
    now: () => now,
    plugins,
    providers: [{ provider: { name: 'bank' }, base_url: url, auth: { type: 'bearer', token: '{BANK_TOKEN}' } }],
    tools: [definition],
  });
  const self: Bank = {
    kernel,
    good,
    issued: () => endsAt.size,
    advance: (ms) => {
      now += ms;
    },
    close: () => {
      isOpen = false;
    },
  };
  return self;
}

const write = { execution: { type: 'http', method: 'post', url: '/pay', body: { amount: 1 } } };

const paged = {
  parameters: { cursor: { type: 'string' }, limit: { type: 'integer' } },
  execution: { type: 'http', method: 'get', url: '/list', query_params: { cursor: '{cursor}' } },
  paginate: { limit: 'limit', items: 'items', next: { cursor: { path: 'next', parameter: 'cursor' } } },
};

interface Row {
  readonly what: string;
  readonly options: BankOptions;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Requests of one round. */
  readonly requests: number;
}

const repeated = new WeakMap<Bank, number>();

const rows: readonly Row[] = [
  { what: 'are idle and write', options: { tool: write }, requests: 1 },
  {
    what: 'write when a person has thought for longer than a token lives',
    options: { tool: write, whileAsked: (self) => self.advance(lifeMs + 1) },
    requests: 1,
  },
  {
    what: 'repeat a write that came when the service was busy',
    options: {
      tool: { ...write, retry: { attempts: 2, backoff: { initial_ms: 0 } }, idempotency: { header: 'Idempotency-Key' } },
      answer: (_, response, self) => {
        const count = (repeated.get(self) ?? 0) + 1;
        repeated.set(self, count);
        if (count % 2 === 1) self.advance(lifeMs + 1);
        json(response, {}, count % 2 === 1 ? 503 : 200);
      },
    },
    requests: 2,
  },
  {
    what: 'read pages, of which each takes longer than a token lives',
    options: {
      tool: paged,
      answer: ({ url }, response, self) => {
        self.advance(lifeMs + 1);
        json(response, url.includes('cursor=b') ? { items: [2] } : { items: [1], next: 'b' });
      },
    },
    parameters: { limit: 10 },
    requests: 2,
  },
  {
    what: 'run a function that sends its secret itself',
    options: {
      tool: {
        secrets: ['BANK_TOKEN'],
        parameters: { url: { type: 'string' } },
        execution: {
          type: 'function',
          handler: async ({ url }: { url: string }, { secrets, fetch }: FunctionContext) =>
            (await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${secrets['BANK_TOKEN']}` } })).status,
        },
      },
      whileAsked: (self) => self.advance(lifeMs + 1),
    },
    requests: 1,
  },
];

describe('a token that dies', () => {
  for (const { what, options, parameters = {}, requests } of rows) {
    it(`is not sent by ten calls that ${what}`, async () => {
      const self = await bank(options);
      const { base_url: url = '' } = self.kernel.registry.get('bank_pay').provider?.definition ?? {};
      const given = 'url' in ((options.tool['parameters'] ?? {}) as object) ? { url: `${url}/pay` } : parameters;
      for (let round = 0; round < 10; round++) {
        await self.kernel.execute('bank_pay', given);
        self.advance(lifeMs + 1);
      }
      expect(self.good).to.deep.equal(Array(10 * requests).fill(true));
      expect(self.issued()).to.be.at.least(10);
    });
  }

  it('is asked for beside the calls while it is stale, which is no longer sent once it is dead', async () => {
    const self = await bank({ tool: write });
    await self.kernel.execute('bank_pay');
    self.advance(lifeMs / 2);
    await self.kernel.execute('bank_pay');
    self.advance(lifeMs / 2);
    await self.kernel.execute('bank_pay');
    expect(self.good).to.deep.equal([true, true, true]);
    // The second is stale by now.
    expect(self.issued()).to.equal(3);
  });

  it('fails the call before anything is sent, where the store has no other', async () => {
    const whileAsked = (self: Bank): void => {
      self.close();
      self.advance(lifeMs + 1);
    };
    const self = await bank({ tool: write, whileAsked });
    const { message } = await rejection(self.kernel.execute('bank_pay'), 'MISSING_PARAMETER');
    expect(message).to.include('BANK_TOKEN').and.to.include('has expired');
    expect(self.good).to.deep.equal([]);
  });

  it('counts as not found where it is dead when it is given', async () => {
    const self = await bank({ tool: write, life: { deadAfterMs: 0 } });
    await rejection(self.kernel.execute('bank_pay'), 'MISSING_PARAMETER');
    expect(self.good).to.deep.equal([]);
  });
});
