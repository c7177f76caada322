import { expect } from 'chai';
import sinon from 'sinon';
import { callsLong } from '../../../../../plugins/calls-long/index.ts';
import type { FunctionContext } from '../../../../../plugins/executor-function/index.ts';
import { executorFunction } from '../../../../../plugins/executor-function/index.ts';
import { afterEach } from '../../../../support/after-each.ts';
import { bareKernel } from '../../../../support/test-kernel.ts';
import { until } from '../../../../support/until.ts';
import { gate, handlerTool, source } from '../../support/client.ts';
import { ModernClient, type ModernOptions } from '../../support/modern-client.ts';

const extension = { 'io.modelcontextprotocol/tasks': {} };

const takesTasks = { extensions: extension, elicitation: {} };

const form = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };

afterEach(() => sinon.restore());

/** Two clients of one server, and what they can let happen. */
async function served(options: ModernOptions = {}) {
  const finish = gate<string>();
  const signals: AbortSignal[] = [];
  const runs: unknown[] = [];
  const tools = {
    work: async (_: never, { signal, progress }: FunctionContext) => {
      signals.push(signal);
      progress({ message: 'half of it is done' });
      return Promise.race([
        finish.opened,
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      ]);
    },
    fail: () => {
      throw new Error('It broke.');
    },
    ask: async (_: never, { client }: FunctionContext) => {
      const asked = ['a', 'b'].map((name) => client.elicit?.({ name, message: `Sure of ${name}?`, schema: form }));
      const answers = await Promise.all(asked);
      runs.push(answers);
      return answers.map((answer) => answer?.content?.['sure']).join(' and ');
    },
  };
  const kernel = await bareKernel({
    plugins: [
      executorFunction(),
      callsLong(),
      source((sink) => {
        for (const [name, handler] of Object.entries(tools)) sink.addTool(handlerTool(handler as never, { name, long: true, risk: 'low' }));
        sink.addTool(handlerTool(() => 'at once', { name: 'quick', risk: 'low' }));
      }),
    ],
  });
  const client = await ModernClient.connect(kernel, { capabilities: takesTasks as never, ...options });
  return { client, kernel, finish, signals, runs };
}

type Result = Readonly<Record<string, unknown>>;

/** The task of a call. */
async function begin(client: ModernClient, name: string): Promise<string> {
  const created = await client.call(name);
  expect(created['resultType'], JSON.stringify(created)).to.equal('task');
  return String(created['taskId']);
}

function taskUntil(client: ModernClient, taskId: string, status: string): Promise<Result> {
  return until(async () => {
    const task = await client.result('tasks/get', { taskId });
    return task['status'] === status ? task : undefined;
  });
}

describe('a call whose client takes the result later', () => {
  it('is answered with a task, whose result is that of the call', async () => {
    const { client, finish } = await served();
    const created = await client.call('work', {}, { _meta: { progressToken: 'p' } });
    const { taskId, createdAt, lastUpdatedAt, _meta, ...rest } = created;
    expect(rest).to.deep.equal({ resultType: 'task', status: 'working', ttlMs: 3_600_000, pollIntervalMs: 1000 });
    expect(taskId).to.match(/^[0-9a-f-]{36}$/);
    for (const time of [createdAt, lastUpdatedAt]) expect(new Date(String(time)).toISOString()).to.equal(time);
    const working = await client.result('tasks/get', { taskId });
    expect(working).to.include({ resultType: 'complete', taskId, status: 'working', statusMessage: 'half of it is done' });
    expect(working).to.not.have.any.keys('result', 'error', 'inputRequests');
    finish.open('finished');
    const { result } = await taskUntil(client, String(taskId), 'completed');
    expect(result).to.deep.include({ resultType: 'complete', content: [{ type: 'text', text: 'finished' }] });
    expect(client.notifications('notifications/progress')).to.deep.equal([]);
  });

  it('has completed when the tool failed, with the failure as its result', async () => {
    const { client } = await served();
    const { result, error } = await taskUntil(client, await begin(client, 'fail'), 'completed');
    expect(result).to.deep.include({ isError: true });
    expect(error).to.equal(undefined);
  });

  it('asks its client when that asks how it is, and goes on when all is answered', async () => {
    const { client, runs } = await served();
    const taskId = await begin(client, 'ask');
    const { inputRequests } = await taskUntil(client, taskId, 'input_required');
    expect(Object.keys(inputRequests as object)).to.deep.equal(['a', 'b']);
    expect((inputRequests as { a: object }).a).to.deep.equal({
      method: 'elicitation/create',
      params: { message: 'Sure of a?', requestedSchema: form },
    });
    const answer = (given: object) => client.result('tasks/update', { taskId, inputResponses: given });
    expect(await answer({ a: { action: 'accept', content: { sure: true } }, c: { action: 'accept' } })).to.have.all.keys(
      'resultType',
      '_meta',
    );
    const waiting = await client.result('tasks/get', { taskId });
    expect([waiting['status'], Object.keys(waiting['inputRequests'] as object), runs]).to.deep.equal(['input_required', ['b'], []]);
    await answer({ b: { action: 'accept', content: { sure: false } } });
    const { result } = await taskUntil(client, taskId, 'completed');
    expect(result).to.deep.include({ content: [{ type: 'text', text: 'true and false' }] });
  });

  it('knows its questions from those of requests', async () => {
    const { client } = await served();
    const answers = { a: 12 };
    await client.refusal(-32602, 'tools/call', { name: 'quick', inputResponses: answers });
    await client.refusal(-32602, 'tools/call', { name: 'quick', requestState: 'made up' });
  });

  for (const [what, given] of [
    ['no object', 12],
    ['no action', {}],
    ['an action that there is not', { action: 'perhaps' }],
    ['content that is no object', { action: 'accept', content: 'yes' }],
  ] as const)
    it(`goes on waiting where an answer has ${what}`, async () => {
      const { client } = await served();
      const taskId = await begin(client, 'ask');
      await taskUntil(client, taskId, 'input_required');
      await client.result('tasks/update', { taskId, inputResponses: { a: given } });
      const { inputRequests } = await client.result('tasks/get', { taskId });
      expect(Object.keys(inputRequests as object)).to.deep.equal(['a', 'b']);
    });

  it('ends when its client cancels it, also a second time', async () => {
    const { client, signals } = await served();
    const taskId = await begin(client, 'work');
    for (const _ of [1, 2]) {
      expect(await client.result('tasks/cancel', { taskId })).to.have.all.keys('resultType', '_meta');
      const task = await client.result('tasks/get', { taskId });
      expect(task['status']).to.equal('cancelled');
      expect(task).to.not.have.any.keys('result', 'error');
    }
    expect(signals[0]?.aborted).to.equal(true);
  });

  it('stops waiting for an answer when it is cancelled', async () => {
    const { client, runs } = await served();
    const taskId = await begin(client, 'ask');
    await taskUntil(client, taskId, 'input_required');
    await client.result('tasks/cancel', { taskId });
    await client.result('tasks/update', { taskId, inputResponses: { a: { action: 'accept', content: { sure: true } } } });
    expect([(await client.result('tasks/get', { taskId }))['status'], runs]).to.deep.equal(['cancelled', []]);
  });

  it('does not end with the request that began it', async () => {
    const { client, signals, finish } = await served();
    const id = client.start('tools/call', { name: 'work', arguments: {} });
    const { result } = await client.answer(id);
    client.send({ method: 'notifications/cancelled', params: { requestId: id } });
    const { taskId } = result as { taskId: string };
    expect([(await client.result('tasks/get', { taskId }))['status'], signals[0]?.aborted]).to.deep.equal(['working', false]);
    finish.open('finished');
    await taskUntil(client, taskId, 'completed');
  });

  it('is a call like any other for a client that does not declare it, or for a tool that does not take long', async () => {
    const { client, finish } = await served({ capabilities: {} });
    const called = client.call('work');
    finish.open('finished');
    expect(await called).to.include({ resultType: 'complete' });
    const { client: other } = await served();
    expect(await other.call('quick')).to.include({ resultType: 'complete' });
  });

  it('is found by its caller only, and not by guesses', async () => {
    const { client, kernel } = await served();
    const taskId = await begin(client, 'work');
    const stranger = await ModernClient.connect(kernel, { capabilities: takesTasks as never, caller: 'stranger', beside: client });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, inputResponses: {} };
      expect((await stranger.refusal(-32602, method, params)).message).to.include('There is no such task');
      for (const guess of ['', 'work', 12, undefined, taskId.toUpperCase()])
        await client.refusal(-32602, method, { ...params, taskId: guess });
    }
    expect((await client.result('tasks/get', { taskId }))['status']).to.equal('working');
  });

  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    it(`is not there for clients that do not declare it (${method})`, async () => {
      const { client } = await served({ capabilities: {} });
      const error = await client.refusal(-32021, method, { taskId: 'x', inputResponses: {} });
      expect((error as { data?: unknown }).data).to.deep.equal({ requiredCapabilities: { extensions: extension } });
    });

  for (const method of ['tasks/list', 'tasks/result'])
    it(`has no ${method}`, async () => {
      const { client } = await served();
      await client.refusal(-32601, method, { taskId: 'x' });
    });
});
