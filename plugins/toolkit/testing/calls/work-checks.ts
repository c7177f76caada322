import { strict as assert } from 'node:assert';
import { type Check, many, nameOf, request } from './engine-check.ts';
import { Gate, unknownTool, untilAborted } from './scripted-host.ts';

/** Checks of running calls: once each, how many at a time, by which process, and the end of the work. */
export const workChecks: Readonly<Record<string, Check>> = {
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
