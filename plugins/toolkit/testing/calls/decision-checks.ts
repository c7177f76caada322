import { strict as assert } from 'node:assert';
import { type CallEngine, type CallRequest, ToolkitError } from '../../../../kernel/index.ts';
import { type Check, expectRefusal, many, nameOf, request } from './engine-check.ts';

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

/** Waits until a person is asked about the call. */
async function waitForQuestion(engine: CallEngine, id: string): ReturnType<CallEngine['get']> {
  for (;;) {
    const call = await engine.get(nameOf(id));
    if (call.status === 'asked') return call;
    assert.ok(['waiting', 'running'].includes(call.status), `it is ${call.status}, and a person should be asked`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Checks of calls that a person decides on. */
export const decisionChecks: Readonly<Record<string, Check>> = {
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
};
