import { expect } from 'chai';
import { type ApprovalDetails, type Kernel, ToolkitError } from '../../../../kernel/index.ts';
import { approvalEndpoints } from '../../../../plugins/console/endpoints/approvals.ts';
import type { EndpointRequest } from '../../../../plugins/console/endpoints/endpoint.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../support/rejection.ts';
import { bareKernel } from '../../../support/test-kernel.ts';
import { MemoryInbox, record } from '../../approvals/commands/memory-inbox.ts';

const by = { way: 'console', name: 'operator' } as const;
const digest = 'd'.repeat(64);

interface World {
  readonly inbox: MemoryInbox;
  readonly kernel: Kernel;
  /** Asks an endpoint, such as `POST approvals/{id}/decide`. */
  ask(endpoint: string, request?: Partial<EndpointRequest>): Promise<unknown>;
}

async function world(...records: readonly ApprovalDetails[]): Promise<World> {
  const inbox = new MemoryInbox(...records);
  const kernel = await bareKernel({ plugins: [inbox.plugin] });
  const services = { kernel, logger: memoryLogger(), now: () => 0 };
  return {
    inbox,
    kernel,
    ask: async (endpoint, request = {}) => {
      const found = approvalEndpoints.find(({ method, path }) => `${method} ${path}` === endpoint);
      if (found === undefined) throw new Error(`no ${endpoint}`);
      const signal = new AbortController().signal;
      return found.answer({ by, values: {}, query: new URLSearchParams(), body: undefined, signal, ...request }, services);
    },
  };
}

const page = (value: unknown): readonly string[] => (value as { approvals: readonly ApprovalDetails[] }).approvals.map(({ id }) => id);

describe('the approvals of the console', () => {
  const filters: Readonly<Record<string, readonly string[]>> = {
    '': ['a-1', 'a-2', 'a-3'],
    'status=waiting': ['a-1', 'a-3'],
    'tool=shop_pay': ['a-2'],
    'caller=bob&tenant=shop': ['a-3'],
    'limit=1&after=a-1': ['a-2'],
  };
  for (const [query, ids] of Object.entries(filters))
    it(`are listed as the query says: "${query}"`, async () => {
      const { ask } = await world(
        record('a-1'),
        record('a-2', { tool: 'shop_pay', status: 'used' }),
        record('a-3', { caller: 'bob', tenant: 'shop' }),
      );
      expect(page(await ask('GET approvals', { query: new URLSearchParams(query) }))).to.deep.equal(ids);
    });

  const wrongQueries: Readonly<Record<string, string>> = {
    'status=open': '"status"',
    'limit=0': '"limit"',
    'limit=201': '"limit"',
    'limit=1e2': '"limit"',
    'tool=': '"tool"',
    'sort=age': 'sort',
    'tool=a&tool=b': 'expected "tool" once, received it several times',
  };
  for (const [query, why] of Object.entries(wrongQueries))
    it(`are not listed by a wrong query: "${query}"`, async () => {
      const { ask } = await world(record('a-1'));
      const { message } = await rejection(ask('GET approvals', { query: new URLSearchParams(query) }), 'INVALID_PARAMETERS');
      expect(message).to.include('The query of the request is wrong').and.include(why);
    });

  it('are shown one by one with what helps to decide, and unknown ones are not found', async () => {
    const { ask } = await world(record('a-1', { always: 'effect: allow' }));
    expect(await ask('GET approvals/{id}', { values: { id: 'a-1' } })).to.include({ id: 'a-1', always: 'effect: allow' });
    await rejection(ask('GET approvals/{id}', { values: { id: 'a-2' } }), 'NOT_FOUND');
  });

  it('are decided by the person who is signed in, for what was shown', async () => {
    const { ask, inbox } = await world(record('a-1'), record('a-2'));
    const yes = { approve: true, digest };
    expect(await ask('POST approvals/{id}/decide', { values: { id: 'a-1' }, body: yes })).to.include({ id: 'a-1', status: 'approved' });
    const no = { approve: false, digest, reason: 'too much', hold: 'tool' };
    expect(await ask('POST approvals/{id}/decide', { values: { id: 'a-2' }, body: no })).to.include({ id: 'a-2', status: 'refused' });
    expect(inbox.decided).to.deep.equal([
      { id: 'a-1', answer: { ...yes, by } },
      { id: 'a-2', answer: { ...no, by } },
    ]);
  });

  it('are not decided for another digest, nor twice', async () => {
    const { ask } = await world(record('a-1'));
    const decide = (body: unknown): Promise<unknown> => ask('POST approvals/{id}/decide', { values: { id: 'a-1' }, body });
    await rejection(decide({ approve: true, digest: 'e'.repeat(64) }), 'INVALID_PARAMETERS');
    await decide({ approve: true, digest });
    expect((await rejection(decide({ approve: false, digest }), 'INVALID_PARAMETERS')).message).to.include('is decided');
  });

  const one = 'POST approvals/{id}/decide';
  const many = 'POST approvals/decide';
  const change = 'POST approvals/{id}/change';
  const records = [{ id: 'a-1', digest }];
  const wrongBodies: readonly (readonly [string, string, unknown, string])[] = [
    [one, 'no body', undefined, 'object'],
    [one, 'a list', [], 'object'],
    [one, 'no digest', { approve: true }, 'digest'],
    [one, 'a digest that is none', { approve: true, digest: 'D'.repeat(64) }, '"digest"'],
    [one, 'a decision as text', { approve: 'true', digest }, '"approve" expected boolean'],
    [one, 'a decider of its own', { approve: true, digest, by: { way: 'library', name: 'ann' } }, 'by'],
    [one, 'an unknown hold', { approve: false, digest, hold: 'all' }, '"hold"'],
    [one, 'a hold with a yes', { approve: true, digest, hold: 'tool' }, 'expected "hold" with a no only'],
    [one, 'an endless reason', { approve: false, digest, reason: 'x'.repeat(1001) }, '"reason"'],
    [many, 'no records', { approve: true, records: [] }, '"records"'],
    [many, 'too many records', { approve: true, records: Array.from({ length: 201 }, (_, n) => ({ id: `${n}`, digest })) }, '200'],
    [many, 'a record without its digest', { approve: true, records: [{ id: 'a-1' }] }, 'digest'],
    [many, 'a record twice', { approve: true, records: [...records, ...records] }, 'expected "a-1" once'],
    [many, 'a hold', { approve: false, records, hold: 'tool' }, 'hold'],
    [many, 'a filter', { approve: true, tool: 'shop_order' }, 'tool'],
    [change, 'no parameters', {}, 'parameters'],
    [change, 'parameters that are a list', { parameters: [] }, '"parameters" expected object'],
  ];
  for (const [endpoint, what, body, why] of wrongBodies)
    it(`are not changed by a wrong body: ${endpoint} with ${what}`, async () => {
      const { ask, inbox } = await world(record('a-1'));
      const { message } = await rejection(ask(endpoint, { values: { id: 'a-1' }, body }), 'INVALID_PARAMETERS');
      expect(message).to.include('The body of the request is wrong').and.include(why);
      expect(inbox.decided).to.deep.equal([]);
    });

  it('are decided many at once, each for its digest, and each failure is said', async () => {
    const { ask, inbox } = await world(record('a-1'), record('a-2', { digest: 'e'.repeat(64) }), record('a-3'), record('a-4'));
    const wanted = ['a-1', 'a-2', 'a-3', 'a-5'].map((id) => ({ id, digest }));
    const body = { approve: true, reason: 'all of the shop', records: wanted };
    const decided = (await ask('POST approvals/decide', { body })) as { id: string; approval?: { status: string }; failure?: string }[];
    expect(decided.map(({ id, approval, failure }) => [id, approval?.status ?? failure])).to.deep.equal([
      ['a-1', 'approved'],
      ['a-2', 'The approval "a-2" has another digest.'],
      ['a-3', 'approved'],
      ['a-5', 'There is no approval "a-5".'],
    ]);
    expect(inbox.decided.map(({ id, answer }) => [id, answer])).to.deep.equal(
      ['a-1', 'a-3'].map((id) => [id, { approve: true, reason: 'all of the shop', by, digest }]),
    );
  });

  it('are not tried any more, many at once, when their store is away', async () => {
    const { ask, inbox } = await world(record('a-1'), record('a-2'), record('a-3'));
    let tries = 0;
    inbox.beforeDecision = (id) => {
      tries++;
      if (id === 'a-2') throw new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');
    };
    const body = { approve: false, records: ['a-1', 'a-2', 'a-3'].map((id) => ({ id, digest })) };
    const decided = (await ask('POST approvals/decide', { body })) as { id: string; failure?: string }[];
    expect(decided.map(({ failure }) => failure)).to.deep.equal([undefined, 'The store is away.', 'Not tried: The store is away.']);
    expect(tries).to.equal(2);
  });

  it('are asked with other arguments as a new record', async () => {
    const { ask, inbox } = await world(record('a-1'));
    const body = { parameters: { item: 'hammer' } };
    expect(await ask('POST approvals/{id}/change', { values: { id: 'a-1' }, body })).to.deep.include({
      id: 'a-1-next',
      status: 'waiting',
    });
    expect(inbox.records.get('a-1')).to.include({ status: 'refused' });
    expect(inbox.decided[0]?.answer.by).to.deep.equal(by);
  });
});
