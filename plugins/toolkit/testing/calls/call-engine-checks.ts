import { strict as assert } from 'node:assert';
import {
  type CallEngine,
  type CallName,
  type CallRequest,
  type DurableRequest,
  type EngineHost,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { Gate, type Script, ScriptedHost, unknownTool, untilAborted } from './scripted-host.ts';

/** A behaviour that an engine must have, for a test runner: `for (const { title, run } of callEngineChecks(open)) it(title, run);` */
export interface CallEngineCheck {
  readonly title: string;
  /** Rejects with the problem. */
  readonly run: () => Promise<void>;
}

/** Opens the engines of two processes that share calls, initially none. Neither runs calls until told to. Both are closed after the check. */
export type OpenEngines = (one: EngineHost, other: EngineHost) => Promise<readonly [CallEngine, CallEngine]>;

interface Subject {
  readonly one: CallEngine;
  readonly other: CallEngine;
  /** Runs the calls of both engines. */
  readonly host: ScriptedHost;
}

type Check = (open: (script: Script) => Promise<Subject>) => Promise<void>;

const many = Array.from({ length: 40 }, (_, index) => index);

function request(id: string, more: Partial<DurableRequest> = {}): DurableRequest {
  return { id, caller: 'ada', tool: 'mail_send', parameters: { text: 'hello' }, origin: 'host', ...more };
}

const nameOf = (id: string, caller = 'ada'): CallName => ({ id, caller });

/** Asks for approval as the approval gate does. */
async function askForApproval({ client }: CallRequest, digest: string): Promise<boolean | undefined> {
  const question = { message: 'Run "mail_send"?', request: { tool: 'mail_send' }, digest };
  try {
    return await client?.approve?.(question);
  } catch (error) {
    if (!ToolkitError.is(error) || error.details['isAsked'] !== true) throw error;
    throw new ToolkitError('APPROVAL_REQUIRED', 'A person is asked.', {}, { cause: error });
  }
}

async function expectRefusal(work: Promise<unknown>, code: string): Promise<ToolkitError> {
  const error = await work.then(
    () => assert.fail(`expected ${code}, and nothing was refused`),
    (thrown: unknown) => thrown,
  );
  assert.ok(ToolkitError.is(error), `expected a ToolkitError, received ${error}`);
  assert.equal(error.code, code);
  return error;
}

const checks: Readonly<Record<string, Check>> = {
  'makes what another process has submitted, and gives its result to whoever asks': async (open) => {
    const { one, other, host } = await open(({ parameters }) => ({ said: parameters?.['text'] as string }));
    const submitted = await one.submit(request('a', { tenant: 'office', origin: 'model' }));
    assert.deepEqual([submitted.id, submitted.caller, submitted.status, submitted.attempts], ['a', 'ada', 'waiting', 0]);
    await other.work({ concurrency: 1 });
    const ended = await one.ended(nameOf('a'));
    assert.deepEqual([ended.status, ended.attempts, ended.tool], ['completed', 1, 'mail_send']);
    assert.ok(submitted.createdAt <= (ended.startedAt ?? 0) && (ended.startedAt ?? 0) <= (ended.endedAt ?? 0));
    assert.deepEqual((await one.resultOf(nameOf('a')))?.output, { said: 'hello' });
    const [made] = host.requests;
    assert.deepEqual([made?.tool, made?.caller, made?.tenant, made?.origin], ['mail_send', 'ada', 'office', 'model']);
    assert.deepEqual(made?.parameters, { text: 'hello' });
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
  'makes each of many calls once, by all who work': async (open) => {
    const { one, other, host } = await open(({ parameters }) => parameters?.['n'] as number);
    await Promise.all(many.map((n) => one.submit(request(`${n}`, { parameters: { n } }))));
    await Promise.all([one.work({ concurrency: 3 }), other.work({ concurrency: 3 })]);
    await Promise.all(many.map((n) => other.ended(nameOf(`${n}`))));
    assert.deepEqual(
      host.requests.map(({ parameters }) => Number(parameters?.['n'])).sort((a, b) => a - b),
      many,
    );
    for (const n of many) assert.equal((await one.resultOf(nameOf(`${n}`)))?.output, n);
  },
  'makes so many at the same time, and no more': async (open) => {
    const gate = new Gate();
    const { one, host } = await open(() => gate.passed.then(() => 'done'));
    await Promise.all(many.slice(0, 9).map((n) => one.submit(request(`${n}`))));
    await one.work({ concurrency: 3 });
    await host.waitForCalls(3);
    assert.equal((await one.list({ status: 'running' })).calls.length, 3);
    gate.open();
    await Promise.all(many.slice(0, 9).map((n) => one.ended(nameOf(`${n}`))));
    assert.equal(host.maxRunning, 3);
  },
  'takes calls of callers in turn': async (open) => {
    const { one, other, host } = await open(({ caller }) => caller ?? '');
    await Promise.all(many.map((n) => one.submit(request(`${n}`))));
    await one.submit(request('a', { caller: 'bob' }));
    await other.work({ concurrency: 1 });
    await one.ended(nameOf('a', 'bob'));
    const before = host.requests.findIndex(({ caller }) => caller === 'bob');
    assert.ok(before < many.length / 2, `the one call of a caller waited for ${before} of the ${many.length} of another`);
    await Promise.all(many.map((n) => one.ended(nameOf(`${n}`))));
    assert.equal(host.requests.length, many.length + 1);
  },
  'takes calls of the tools and providers that it is told': async (open) => {
    const { one, other, host } = await open(({ tool }) => tool);
    for (const tool of ['mail_send', 'file_copy', 'file_move', 'sum']) await one.submit(request(tool, { tool }));
    const stop = await other.work({ concurrency: 4, tools: ['*_copy', 'mail_*'] });
    await Promise.all(['mail_send', 'file_copy'].map((id) => one.ended(nameOf(id))));
    await stop();
    const stopNext = await other.work({ concurrency: 4, providers: ['f*'] });
    await one.ended(nameOf('file_move'));
    await stopNext();
    assert.equal((await one.get(nameOf('sum'))).status, 'waiting');
    await other.work({ concurrency: 1 });
    await one.ended(nameOf('sum'));
    assert.equal(host.requests.length, 4);
  },
  'leaves calls of tools that it does not have to other processes': async (open) => {
    const { one, other, host } = await open(({ tool }) => tool);
    for (const tool of [unknownTool, 'mail_send']) await one.submit(request(tool, { tool }));
    await other.work({ concurrency: 1 });
    await one.ended(nameOf('mail_send'));
    assert.equal((await one.get(nameOf(unknownTool))).status, 'waiting');
    assert.deepEqual(
      host.requests.map(({ tool }) => tool),
      ['mail_send'],
    );
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
  'cancels a call that waits, which is not made': async (open) => {
    const { one, other, host } = await open(() => 'done');
    await one.submit(request('a'));
    assert.equal((await other.cancel(nameOf('a'))).status, 'cancelled');
    await one.submit(request('b'));
    await one.work({ concurrency: 1 });
    await one.ended(nameOf('b'));
    assert.equal((await one.get(nameOf('a'))).error?.code, 'ABORTED');
    assert.equal(host.requests.length, 1);
    assert.equal((await other.cancel(nameOf('b'))).status, 'completed');
  },
  'cancels a call that runs, wherever that is': async (open) => {
    const { one, other, host } = await open((_request, signal) => untilAborted(signal));
    await one.submit(request('a'));
    await one.work({ concurrency: 1 });
    await host.waitForCalls(1);
    await other.cancel(nameOf('a'));
    const { status, error } = await other.ended(nameOf('a'));
    assert.deepEqual([status, error?.code], ['cancelled', 'ABORTED']);
  },
  'keeps why a call failed, and makes it again only when it is told': async (open) => {
    let isBroken = true;
    const { one, other, host } = await open(() => {
      if (isBroken) throw new ToolkitError('EXECUTION_FAILED', 'It is broken.');
      return 'done';
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const failed = await one.ended(nameOf('a'));
    assert.deepEqual([failed.status, failed.error], ['failed', { code: 'EXECUTION_FAILED', message: 'It is broken.' }]);
    isBroken = false;
    assert.equal((await one.submit(request('a'))).status, 'failed');
    await one.retry(nameOf('a'), {});
    const done = await one.ended(nameOf('a'));
    assert.deepEqual([done.status, done.attempts, done.error], ['completed', 2, undefined]);
    await expectRefusal(one.retry(nameOf('a'), { repeatEffect: true }), 'INVALID_PARAMETERS');
    const [first, second] = host.requests.map(({ once }) => once);
    assert.ok(first !== undefined && first !== '' && first === second, 'a retry keeps the name of the effect');
  },
  'repeats no effect that a call may have had, unless it is told to': async (open) => {
    const { one, other, host } = await open(() => {
      if (host.requests.length === 1) throw new ToolkitError('OUTCOME_UNKNOWN', 'Who knows.');
      return 'done';
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    assert.equal((await one.ended(nameOf('a'))).status, 'unknown');
    await expectRefusal(one.retry(nameOf('a'), {}), 'INVALID_PARAMETERS');
    await one.retry(nameOf('a'), { repeatEffect: true });
    assert.equal((await one.ended(nameOf('a'))).status, 'completed');
    const [first, second] = host.requests.map(({ once }) => once);
    assert.notEqual(first, second);
  },
  'puts back what is refused for now, and makes it when it may be': async (open) => {
    const { one, other, host } = await open(() => {
      if (host.requests.length === 1) throw new ToolkitError('RATE_LIMITED', 'Not now.', { retryAfterMs: 10 });
      return 'done';
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const { status, attempts } = await one.ended(nameOf('a'));
    assert.deepEqual([status, attempts], ['completed', 2]);
    assert.equal(host.requests[0]?.once, host.requests[1]?.once);
  },
  'puts a call to a person, and makes it with the answer': async (open) => {
    const { one, other, host } = await open(async (request) => ((await askForApproval(request, 'd1')) === true ? 'done' : 'no'));
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const { question } = await waitForQuestion(one, 'a');
    assert.deepEqual(question, { message: 'Run "mail_send"?', request: { tool: 'mail_send' }, digest: 'd1' });
    await one.answer(nameOf('a'), { approve: true, by: 'grace', digest: 'd1' });
    const done = await one.ended(nameOf('a'));
    assert.deepEqual([done.status, done.question], ['completed', undefined]);
    assert.deepEqual(
      done.decisions.map(({ approve, by, digest }) => [approve, by, digest]),
      [[true, 'grace', 'd1']],
    );
    assert.equal((await one.resultOf(nameOf('a')))?.output, 'done');
    assert.equal(host.requests.length, 2);
  },
  'takes a decision for nothing but what it was given for': async (open) => {
    const { one, other, host } = await open(async (request) => {
      await askForApproval(request, host.requests.length === 1 ? 'd1' : 'd2');
      return 'done';
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    await waitForQuestion(one, 'a');
    await expectRefusal(one.answer(nameOf('a'), { approve: true, by: 'grace', digest: 'd2' }), 'INVALID_PARAMETERS');
    await one.answer(nameOf('a'), { approve: true, by: 'grace', digest: 'd1' });
    await host.waitForCalls(2);
    assert.equal((await waitForQuestion(one, 'a')).question?.digest, 'd2');
    await one.answer(nameOf('a'), { approve: true, by: 'grace', digest: 'd2' });
    assert.equal((await one.ended(nameOf('a'))).status, 'completed');
  },
  'takes one of two decisions, and tells the other who was first': async (open) => {
    const { one, other, host } = await open(async (request) => ((await askForApproval(request, 'd1')) === true ? 'done' : 'no'));
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    await waitForQuestion(one, 'a');
    const answers = await Promise.allSettled(
      many.map((n) => (n % 2 === 0 ? one : other).answer(nameOf('a'), { approve: true, by: `approver ${n}`, digest: 'd1' })),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    const { decisions } = await one.ended(nameOf('a'));
    assert.equal(decisions.length, 1);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      assert.equal((answer.reason as ToolkitError).code, 'INVALID_PARAMETERS');
      assert.ok((answer.reason as ToolkitError).message.includes(String(decisions[0]?.by)));
    }
    assert.equal(host.requests.length, 2);
  },
  'ends a call that a person refuses': async (open) => {
    const { one, other, host } = await open(async (request) => ((await askForApproval(request, 'd1')) === true ? 'done' : 'no'));
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    await waitForQuestion(one, 'a');
    await one.answer(nameOf('a'), { approve: false, by: 'grace', digest: 'd1' });
    const { status, error } = await one.ended(nameOf('a'));
    assert.deepEqual([status, error?.code], ['failed', 'APPROVAL_DENIED']);
    assert.ok(error?.message.includes('grace'));
    assert.equal(host.requests.length, 1);
    // An earlier decision does not count for a new question.
    await one.retry(nameOf('a'), {});
    await host.waitForCalls(2);
    assert.equal((await waitForQuestion(one, 'a')).decisions.length, 0);
  },
  'lets who waits give up, and the call go on': async (open) => {
    const gate = new Gate();
    const { one, other, host } = await open(() => gate.passed.then(() => 'done'));
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    await host.waitForCalls(1);
    const controller = new AbortController();
    const waiting = one.ended(nameOf('a'), controller.signal).catch((error: unknown) => error);
    controller.abort(new Error('enough'));
    assert.equal(String(await waiting), 'Error: enough');
    gate.open();
    assert.equal((await one.ended(nameOf('a'))).status, 'completed');
  },
  'stops to work when what runs has ended': async (open) => {
    const gate = new Gate();
    const { one, host } = await open(() => gate.passed.then(() => 'done'));
    await one.submit(request('a'));
    await one.submit(request('b'));
    const stop = await one.work({ concurrency: 1 });
    await host.waitForCalls(1);
    const stopped = stop();
    gate.open();
    await stopped;
    const statuses = await Promise.all(['a', 'b'].map(async (id) => (await one.get(nameOf(id))).status));
    assert.deepEqual(statuses.sort(), ['completed', 'waiting']);
  },
  'leaves to others what it runs when its kernel closes': async (open) => {
    const { one, other, host } = await open((_request, signal) => (host.requests.length === 1 ? untilAborted(signal) : 'done'));
    await one.submit(request('a'));
    await one.work({ concurrency: 1 });
    await host.waitForCalls(1);
    host.close();
    await other.work({ concurrency: 1 });
    assert.equal((await other.ended(nameOf('a'))).status, 'completed');
  },
};

/** Waits until a person is asked about the call. */
async function waitForQuestion(engine: CallEngine, id: string): ReturnType<CallEngine['get']> {
  for (;;) {
    const call = await engine.get(nameOf(id));
    if (call.status === 'asked') return call;
    assert.ok(['waiting', 'running'].includes(call.status), `it is ${call.status}, and a person should be asked`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the contract of an engine as checks, each of which may be a test. */
export function callEngineChecks(open: OpenEngines): readonly CallEngineCheck[] {
  return Object.entries(checks).map(([title, check]) => ({
    title,
    run: async () => {
      const engines: CallEngine[] = [];
      try {
        await check(async (script) => {
          const host = new ScriptedHost(script);
          const [one, other] = await open(host, new OtherHost(host));
          engines.push(one, other);
          return { one, other, host };
        });
      } finally {
        await Promise.all(engines.map((engine) => engine.close()));
      }
    },
  }));
}

/** The kernel of the other process, which continues when the first one closes. */
class OtherHost implements EngineHost {
  readonly call: EngineHost['call'];
  readonly toolOf: EngineHost['toolOf'];
  readonly closing = new AbortController().signal;

  constructor({ call, toolOf }: EngineHost) {
    this.call = call;
    this.toolOf = toolOf;
  }
}
