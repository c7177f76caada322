import { strict as assert } from 'node:assert';
import type { CallEngine } from '../../../../kernel/index.ts';
import { type Check, expectRefusal, many, nameOf, request } from './engine-check.ts';

/** Checks of submitted calls: one an id, apart by caller, listed. */
export const submissionChecks: Readonly<Record<string, Check>> = {
  'makes what another process has submitted, and gives its result to whoever asks': async (open) => {
    const { one, other, host } = await open(({ parameters }) => ({ said: parameters?.['text'] as string }));
    const submitted = await one.submit(request('a', { tenant: 'office', accountTenant: 'acme', origin: 'model' }));
    assert.deepEqual([submitted.id, submitted.caller, submitted.status, submitted.attempts], ['a', 'ada', 'waiting', 0]);
    await other.work({ concurrency: 1 });
    const ended = await one.ended(nameOf('a'));
    assert.deepEqual([ended.status, ended.attempts, ended.tool], ['completed', 1, 'mail_send']);
    assert.ok(submitted.createdAt <= (ended.startedAt ?? 0) && (ended.startedAt ?? 0) <= (ended.endedAt ?? 0));
    assert.deepEqual((await one.resultOf(nameOf('a')))?.output, { said: 'hello' });
    const [made] = host.requests;
    assert.deepEqual([made?.tool, made?.caller, made?.tenant, made?.origin], ['mail_send', 'ada', 'office', 'model']);
    assert.equal(made?.accountTenant, 'acme');
    assert.deepEqual(made?.parameters, { text: 'hello' });
  },
  'makes a call in the trace of who submitted it first, and each other one in none': async (open) => {
    const { one, other, host } = await open(() => 'done');
    const trace = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01`, tracestate: 'vendor=1' };
    await one.submit(request('a', { trace }));
    await one.submit(request('a', { trace: { traceparent: `00-${'5'.repeat(32)}-${'8'.repeat(16)}-01` } }));
    await one.submit(request('b'));
    await other.work({ concurrency: 1 });
    for (const id of ['a', 'b']) await one.ended(nameOf(id));
    assert.deepEqual(
      new Map(host.requests.map((made) => [made.once, made.trace])),
      new Map<unknown, unknown>([
        ['a', trace],
        ['b', { traceparent: '' }],
      ]),
    );
    assert.ok(!JSON.stringify(await one.list({})).includes('4444'));
  },
  'takes the same id twice as one call, also at the same time': async (open) => {
    const { one, other, host } = await open(() => 'done');
    await Promise.all(many.map((index) => (index % 2 === 0 ? one : other).submit(request('a'))));
    await other.work({ concurrency: 4 });
    await one.ended(nameOf('a'));
    assert.equal((await one.submit(request('a'))).status, 'completed');
    await one.submit(request('b'));
    await one.ended(nameOf('b'));
    assert.equal(host.requests.length, 2);
  },
  'refuses an id that another call has': async (open) => {
    const { one, other } = await open(() => 'done');
    await one.submit(request('a', { parameters: { text: 'hello', to: 'bob' } }));
    await other.submit(request('a', { parameters: { to: 'bob', text: 'hello' } }));
    await expectRefusal(other.submit(request('a', { parameters: { text: 'hello' } })), 'INVALID_PARAMETERS');
    await expectRefusal(other.submit(request('a', { tool: 'mail_read' })), 'INVALID_PARAMETERS');
    const same = { parameters: { text: 'hello', to: 'bob' } };
    await other.submit(request('a', { ...same, tenant: 'ada' }));
    await expectRefusal(other.submit(request('a', { ...same, tenant: 'office' })), 'INVALID_PARAMETERS');
    await expectRefusal(other.submit(request('a', { ...same, accountTenant: 'acme' })), 'INVALID_PARAMETERS');
  },
  'keeps the calls of callers apart': async (open) => {
    const { one, other, host } = await open(({ caller }) => caller ?? '');
    await one.submit(request('a'));
    await expectRefusal(one.get(nameOf('a', 'bob')), 'NOT_FOUND');
    await expectRefusal(one.cancel(nameOf('a', 'bob')), 'NOT_FOUND');
    await expectRefusal(one.retry(nameOf('a', 'bob'), {}), 'NOT_FOUND');
    await expectRefusal(one.answer(nameOf('a', 'bob'), { approve: true, by: 'eve', digest: '' }), 'NOT_FOUND');
    await other.submit(request('a', { caller: 'bob', parameters: { text: 'another' } }));
    await other.work({ concurrency: 1 });
    await Promise.all(['ada', 'bob'].map((caller) => one.ended(nameOf('a', caller))));
    for (const caller of ['ada', 'bob']) assert.equal((await one.resultOf(nameOf('a', caller)))?.output, caller);
    assert.equal(host.requests.length, 2);
  },
  'lists the newest first, what is asked for, page by page': async (open) => {
    const { one, other } = await open(() => 'done');
    for (const n of many.slice(0, 6))
      await one.submit(request(`${n}`, { caller: n % 2 === 0 ? 'ada' : 'bob', tool: n < 3 ? 'mail_send' : 'sum' }));
    await other.cancel(nameOf('4'));
    const idsOf = async (filter: Parameters<CallEngine['list']>[0]): Promise<string[]> => {
      const ids: string[] = [];
      for (let after: string | undefined; ; ) {
        const { calls, next } = await other.list({ ...filter, ...(after === undefined ? {} : { after }) });
        ids.push(...calls.map(({ id }) => id));
        if (next === undefined) return ids;
        after = next;
      }
    };
    const times = (await other.list({})).calls.map(({ createdAt }) => createdAt);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => b - a),
    );
    const all = ['0', '1', '2', '3', '4', '5'];
    for (const limit of [1, 2, 6, 50]) assert.deepEqual((await idsOf({ limit })).sort(), all);
    assert.deepEqual((await idsOf({ caller: 'ada', limit: 1 })).sort(), ['0', '2', '4']);
    assert.deepEqual((await idsOf({ tool: 'sum', status: 'waiting' })).sort(), ['3', '5']);
    assert.deepEqual(await idsOf({ status: 'cancelled' }), ['4']);
  },
};
