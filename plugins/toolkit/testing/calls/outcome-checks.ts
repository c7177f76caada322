import { strict as assert } from 'node:assert';
import { type CallEngine, type DurableCall, type ErrorCode, ToolkitError } from '../../../../kernel/index.ts';
import { type Check, expectRefusal, nameOf, request } from './engine-check.ts';
import { Gate, untilAborted } from './scripted-host.ts';

/** Checks of how a call ends: cancelled, failed, unknown, repeated. */
export const outcomeChecks: Readonly<Record<string, Check>> = {
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
    host.effects.set('a', { state: 'none' });
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
  ...Object.fromEntries(
    (['TIMEOUT', 'EXECUTION_FAILED', 'UPSTREAM_UNAVAILABLE'] as const).flatMap((code) => [
      [`makes a call again whose effect is open after ${code}, and can be found out`, findsOutAfter(code)],
      [`says that a call is unknown whose effect is open after ${code}`, isUnknownAfter(code)],
    ]),
  ),
  'completes a call that failed after another attempt had its effect': async (open) => {
    const { one, other, host } = await open(() => fail('TIMEOUT'));
    host.effects.set('a', { state: 'done', result: { output: 'of another attempt' } });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const { status, error } = await one.ended(nameOf('a'));
    assert.deepEqual([status, error], ['completed', undefined]);
    assert.equal((await one.resultOf(nameOf('a')))?.output, 'of another attempt');
  },
  'makes an unknown call again under the name of its effect, and under another one when it is told to': async (open) => {
    const { one, other, host } = await open(({ once }) => {
      if (once === host.requests[0]?.once) throw new ToolkitError('OUTCOME_UNKNOWN', 'Who knows.');
      return 'done';
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    assert.equal((await one.ended(nameOf('a'))).status, 'unknown');
    await one.retry(nameOf('a'), {});
    await host.waitForCalls(2);
    assert.equal((await one.ended(nameOf('a'))).status, 'unknown');
    await one.retry(nameOf('a'), { repeatEffect: true });
    assert.equal((await one.ended(nameOf('a'))).status, 'completed');
    const names = host.requests.map(({ once }) => once);
    assert.deepEqual(names.slice(0, 2), ['a', 'a'], 'the id of a call is its "once": both have one effect');
    assert.notEqual(names[2], 'a');
  },
  ...Object.fromEntries(
    (['get', 'list', 'ended', 'retry'] as const).map((method) => [
      `completes an unknown call with an outcome that arrives later, for ${method}`,
      settlesFor(method),
    ]),
  ),
  'completes an unknown call with the error of an effect that has no result': async (open) => {
    const { one, other, host } = await open(unknownOutcome);
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    assert.equal((await one.ended(nameOf('a'))).status, 'unknown');
    host.effects.set('a', { state: 'done', error: new ToolkitError('OUTPUT_INVALID', 'It has no result.', { carriedOut: true }) });
    const { status, error } = await one.get(nameOf('a'));
    assert.deepEqual([status, error?.code, error?.details?.['carriedOut']], ['completed', 'OUTPUT_INVALID', true]);
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
};

function unknownOutcome(): never {
  throw new ToolkitError('OUTCOME_UNKNOWN', 'Who knows.');
}

function fail(code: ErrorCode): never {
  throw new ToolkitError(code, 'No answer.', { retryAfterMs: 10 });
}

function findsOutAfter(code: ErrorCode): Check {
  return async (open) => {
    const { one, other, host } = await open(() => (host.requests.length === 1 ? fail(code) : 'done'));
    host.effects.set('a', { state: 'open', isRetryable: true });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const { status, attempts, error } = await one.ended(nameOf('a'));
    assert.deepEqual([status, attempts, error], ['completed', 2, undefined]);
    const names = host.requests.map(({ once }) => once);
    assert.deepEqual(names, ['a', 'a'], 'the effect is found out under its name');
  };
}

function isUnknownAfter(code: ErrorCode): Check {
  return async (open) => {
    const { one, other, host } = await open(() => {
      throw new ToolkitError(code, 'No answer.');
    });
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    const { status, error } = await one.ended(nameOf('a'));
    assert.deepEqual([status, error?.code, host.requests.length], ['unknown', 'OUTCOME_UNKNOWN', 1]);
    assert.ok(error?.message.includes(code), 'the error says why');
  };
}

/** Returns a check that one method sees the outcome of an unknown call that arrived after its end. */
function settlesFor(method: 'get' | 'list' | 'ended' | 'retry'): Check {
  return async (open) => {
    const { one, other, host } = await open(unknownOutcome);
    await one.submit(request('a'));
    await other.work({ concurrency: 1 });
    assert.equal((await one.ended(nameOf('a'))).status, 'unknown');
    host.effects.set('a', { state: 'done', result: { output: 'late' } });
    const call = method === 'list' ? (await one.list({})).calls[0] : await callOf(one, method);
    assert.deepEqual([call?.status, call?.error], ['completed', undefined]);
    assert.equal((await other.resultOf(nameOf('a')))?.output, 'late');
    assert.equal(host.requests.length, 1, 'a known outcome needs no further run');
  };
}

function callOf(engine: CallEngine, method: 'get' | 'ended' | 'retry'): Promise<DurableCall> {
  return method === 'retry' ? engine.retry(nameOf('a'), {}) : engine[method](nameOf('a'));
}
