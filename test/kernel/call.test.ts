import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { apiVersion, ask, type DraftCall, definePlugin, deny, type PluginApi, type Progress } from '../../kernel/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

function plugin(apply: (api: PluginApi) => void, name = 'test-plugin') {
  return definePlugin({ name, apiVersion, apply })();
}
const deciding = (decide: (draft: DraftCall) => DraftCall) =>
  plugin(({ hooks }) => hooks.beforeExecute.tap('test-plugin', decide), 'decider');

describe('the parameters of a call', () => {
  const tool = echoTool({
    parameters: {
      text: { type: 'string', required: true },
      count: { type: 'integer', minimum: 1, default: 2 },
      mode: { type: 'string', enum: ['a', 'b'] },
      any: {},
      none: { type: 'string', default: null },
    },
  });

  const accepted = [
    { given: { text: 'x' }, used: { text: 'x', count: 2 } },
    { given: { text: 'x', count: null, mode: null }, used: { text: 'x', count: 2 } },
    { given: { text: 'x', count: 5, any: null }, used: { text: 'x', count: 5, any: null } },
    { given: { text: 'x', mode: undefined }, used: { text: 'x', count: 2 } },
  ];
  for (const { given, used } of accepted) {
    it(`are completed from ${JSON.stringify(given)} to ${JSON.stringify(used)}`, async () => {
      const kernel = await testKernel({ tools: [tool] });
      expect(await kernel.execute('echo', given)).to.deep.equal(used);
    });
  }

  it('are refused with every problem at once', async () => {
    const kernel = await testKernel({ tools: [tool] });
    const error = await rejection(kernel.execute('echo', { count: 0, mode: 'c', txt: 'x' }), 'INVALID_PARAMETERS');
    expect(error.details.issues).to.have.deep.members([
      { path: 'text', message: 'is required' },
      { path: 'txt', message: 'is not known here. Did you mean "text"?' },
      { path: 'count', message: 'expected to be >= 1, received number 0' },
      { path: 'mode', message: 'expected one of "a", "b", received string "c"' },
    ]);
    expect(error.message).to.match(/^The parameters of "echo" are wrong: text is required; /);
  });

  it('are refused when they are not JSON', async () => {
    const kernel = await testKernel({ tools: [tool] });
    const error = await rejection(kernel.execute('echo', { text: 'x', any: { deep: Symbol.iterator } }), 'INVALID_PARAMETERS');
    expect(error.details.issues).to.deep.equal([{ path: 'any.deep', message: 'expected a JSON value, received symbol' }]);
  });

  const inPlace = {
    'a member': (parameters: Record<string, unknown>) => Object.assign(parameters, { count: 0 }),
    'what is within a member': ({ any }: Record<string, unknown>) => Object.assign(any as object, { b: 2 }),
  };
  for (const [what, change] of Object.entries(inPlace))
    it(`cannot be changed in place, past the check: ${what}`, async () => {
      const changing = deciding((draft) => {
        change(draft.parameters as Record<string, unknown>);
        return draft;
      });
      const kernel = await testKernel({ plugins: [changing], tools: [tool] });
      const error = await rejection(kernel.execute('echo', { text: 'x', any: { a: 1 } }), 'PLUGIN_FAILED');
      expect(error.details).to.include({ plugin: 'decider', hook: 'beforeExecute' });
    });

  it('are checked again when a plugin changes them', async () => {
    const kernel = await testKernel({ plugins: [deciding((draft) => ({ ...draft, parameters: { text: 7 } }))], tools: [tool] });
    await rejection(kernel.execute('echo', { text: 'x' }), 'INVALID_PARAMETERS');
  });

  it('are frozen in depth from approval on, and the caller keeps its own objects', async () => {
    let frozen: unknown;
    const look = plugin(({ hooks }) =>
      hooks.execute.for('function').tap({ name: 'test-plugin', stage: -1 }, ({ parameters }) => {
        frozen = [Object.isFrozen(parameters), Object.isFrozen(parameters['any']), Object.isFrozen((parameters['any'] as unknown[])[0])];
        return undefined;
      }),
    );
    const kernel = await testKernel({ plugins: [look], tools: [tool] });
    const mine = { text: 'x', any: [{ deep: 1 }] };
    await kernel.execute('echo', mine);
    expect(frozen).to.deep.equal([true, true, true]);
    expect(Object.isFrozen(mine.any[0])).to.equal(false);
  });
});

describe('the verdict of a call', () => {
  const reason = { kind: 'rule', message: 'not on Sundays' };

  it('refuses a denied call without running it', async () => {
    let ran = false;
    const tool = echoTool({ execution: { type: 'function', handler: () => (ran = true) } });
    const kernel = await testKernel({ plugins: [deciding((draft) => deny(draft, reason))], tools: [tool] });
    const error = await rejection(kernel.execute('echo'), 'POLICY_DENIED');
    expect(error.message).to.equal('"echo" is refused: not on Sundays');
    expect(ran).to.equal(false);
  });

  it('refuses a call that nobody approves', async () => {
    const kernel = await testKernel({ plugins: [deciding((draft) => ask(draft, reason))], tools: [echoTool()] });
    const error = await rejection(kernel.execute('echo'), 'APPROVAL_REQUIRED');
    expect(error.message).to.equal('"echo" needs approval and was not run: not on Sundays');
  });

  it('needs a yes for each reason by itself', async () => {
    const asked: string[] = [];
    const approver = plugin(({ hooks }) =>
      hooks.approve.tap('test-plugin', (request) => {
        asked.push(request.reason.kind);
        return request.reason.kind === 'first' ? { approved: true, by: 'me' } : undefined;
      }),
    );
    const twice = deciding((draft) => ask(ask(draft, { kind: 'first', message: '1' }), { kind: 'second', message: '2' }));
    const kernel = await testKernel({ plugins: [twice, approver], tools: [echoTool()] });
    await rejection(kernel.execute('echo'), 'APPROVAL_REQUIRED');
    expect(asked).to.deep.equal(['first', 'second']);
  });

  it('says who refused', async () => {
    const approver = plugin(({ hooks }) => hooks.approve.tap('test-plugin', () => ({ approved: false, by: 'Ada', reason: 'too risky' })));
    const kernel = await testKernel({ plugins: [deciding((draft) => ask(draft, reason)), approver], tools: [echoTool()] });
    const error = await rejection(kernel.execute('echo'), 'APPROVAL_DENIED');
    expect(error.message).to.equal('"echo" was not approved by Ada: too risky');
  });
});

describe('the output of a call', () => {
  it('may be answered by a tap for every type, before those of the type', async () => {
    const cache = definePlugin({
      name: 'cache',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.execute
          .for('*')
          .tap('cache', ({ parameters }) => (parameters['text'] === 'known' ? { output: 'from the cache' } : undefined)),
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [cache()] });
    expect(await kernel.execute('echo', { text: 'known' })).to.equal('from the cache');
    expect(await kernel.execute('echo', { text: 'new' })).to.deep.equal({ text: 'new' });
  });

  it('may be answered by an earlier tap on execute', async () => {
    const cache = plugin(({ hooks }) =>
      hooks.execute.for('function').tap({ name: 'test-plugin', stage: -1 }, () => ({ output: 'cached' })),
    );
    const kernel = await testKernel({ plugins: [cache], tools: [echoTool()] });
    expect(await kernel.execute('echo')).to.equal('cached');
  });

  it('has known secrets masked, also in progress notes, logs, errors and what settled sees', async () => {
    const secret = 'sk-very-secret-value';
    const logger = memoryLogger();
    const notes: Progress[] = [];
    const ends: unknown[] = [];
    const tool = echoTool({
      secrets: ['API_SECRET'],
      parameters: { fail: { type: 'boolean' }, text: { type: 'string' } },
      execution: {
        type: 'function',
        handler: ({ fail }: { fail?: boolean }, context: import('../../plugins/executor-function/index.ts').FunctionContext) => {
          context.progress(`using ${context.secrets['API_SECRET']}`);
          context.logger.info('log', { header: `Bearer ${context.secrets['API_SECRET']}` });
          if (fail) throw new Error(`bad key ${context.secrets['API_SECRET']}`);
          return { leaked: [context.secrets['API_SECRET']], [context.secrets['API_SECRET'] ?? '']: 1 };
        },
      },
    });
    const spy = plugin((api) => {
      api.hooks.resolveSecrets.tap('test-plugin', (sink) => sink.provide('API_SECRET', secret));
      api.hooks.injectAuth.tapPromise('test-plugin', async (draft) => {
        await api.kernel.resolveSecrets(['API_SECRET']);
        const handle = api.kernel.secret('API_SECRET');
        return handle === undefined ? undefined : { ...draft, credentials: new Map([['API_SECRET', handle]]) };
      });
      api.hooks.settled.tap('test-plugin', (end) => void ends.push(end));
    });
    const kernel = await testKernel({ plugins: [spy], tools: [tool], logger });
    const output = await kernel.execute('echo', { text: `echo ${secret}` }, { onProgress: (note) => void notes.push(note) });
    expect(output).to.deep.equal({ leaked: ['[secret API_SECRET]'], '[secret API_SECRET]': 1 });
    const error = await rejection(kernel.execute('echo', { fail: true }), 'EXECUTION_FAILED');
    const everything = JSON.stringify([notes, logger.records, ends, error, error.message, error.stack, String(error.cause)]);
    expect(notes).to.have.length(1);
    expect(everything).to.include('[secret API_SECRET]').and.not.include(secret);
  });
});

describe('ending a call', () => {
  const hanging = echoTool({
    execution: {
      type: 'function',
      handler: (_: never, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
  });

  it('by its time limit gives TIMEOUT', async () => {
    const kernel = await testKernel({ tools: [{ ...hanging, execution: { ...(hanging['execution'] as object), timeout_ms: 20 } }] });
    const error = await rejection(kernel.execute('echo'), 'TIMEOUT');
    expect(error.message).to.equal(
      'The tool "echo" did not end within 20 ms and was stopped. Ask for less; its definition can allow more (execution.timeout_ms).',
    );
  });

  it('by its caller gives ABORTED', async () => {
    const kernel = await testKernel({ tools: [hanging] });
    const controller = new AbortController();
    const call = kernel.execute('echo', {}, { signal: controller.signal });
    controller.abort();
    await rejection(call, 'ABORTED');
  });

  it('before it begins gives ABORTED as well', async () => {
    const kernel = await testKernel({ tools: [echoTool()] });
    await rejection(kernel.execute('echo', {}, { signal: AbortSignal.abort() }), 'ABORTED');
  });

  it('asks a caller who gives its signal by a function for it when the call first waits, and not before', async () => {
    const kernel = await testKernel({ tools: [echoTool(), { ...hanging, name: 'hanging' }] });
    const controller = new AbortController();
    let asked = 0;
    const signal = (): AbortSignal => {
      asked++;
      return controller.signal;
    };
    await kernel.execute('echo', {}, { signal });
    expect(asked).to.equal(0);
    const call = kernel.execute('hanging', {}, { signal });
    expect(asked).to.equal(1);
    controller.abort();
    await rejection(call, 'ABORTED');
  });

  it('leaves nothing behind at the signal of a caller who makes many calls', async () => {
    const kernel = await testKernel({ tools: [echoTool()] });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 3 }, () => kernel.execute('echo', {}, { signal })));
    await rejection(kernel.execute('echo', { unknown: 1 }, { signal }), 'INVALID_PARAMETERS');
    await rejection(kernel.execute('none', {}, { signal }), 'TOOL_NOT_FOUND');
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('by one signal ends all the calls that wait with it, of which Node does not warn', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const controller = new AbortController();
    let waiting = 0;
    const handler = (_: never, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        waiting += 1;
        if (waiting === 30) controller.abort();
      });
    const kernel = await testKernel({ tools: [echoTool({ execution: { type: 'function', handler } })] });
    const calls = Array.from({ length: 30 }, () => rejection(kernel.execute('echo', {}, { signal: controller.signal }), 'ABORTED'));
    await Promise.all(calls);
    // Node warns in the next turn.
    await setImmediate();
    process.off('warning', onWarning);
    expect(warnings).to.deep.equal([]);
  });

  it('by closing the kernel gives ABORTED, and later calls are refused', async () => {
    const kernel = await testKernel({ tools: [hanging] });
    const call = rejection(kernel.execute('echo'), 'ABORTED');
    await kernel.close();
    expect((await call).message).to.include('kernel is closing');
    await rejection(kernel.execute('echo'), 'ABORTED');
  });

  it('lets a running call end within the drain time of close', async () => {
    let begin: (finish: (value: string) => void) => void = () => {};
    const runs = new Promise<(value: string) => void>((resolve) => {
      begin = resolve;
    });
    const tool = echoTool({ execution: { type: 'function', handler: () => new Promise(begin) } });
    const kernel = await testKernel({ tools: [tool] });
    const call = kernel.execute('echo');
    const finish = await runs;
    const closed = kernel.close({ drainMs: 10_000 });
    finish('done');
    expect(await call).to.equal('done');
    await closed;
  });
});

describe('a tool that calls tools', () => {
  it('sees and calls only what its caller may', async () => {
    const tools = ['open', 'hidden'].map((name) => echoTool({ name }));
    const meta = echoTool({
      name: 'meta',
      execution: {
        type: 'function',
        handler: async (_: never, { tools: view }: import('../../plugins/executor-function/index.ts').FunctionContext) => ({
          seen: view.list().map(({ name }) => name),
          called: (await view.call('open', { text: 'x' })).output,
          refused: await view.call('hidden', {}).catch((error: { code: string }) => error.code),
        }),
      },
    });
    const kernel = await testKernel({ tools: [...tools, meta] });
    const output = await kernel.execute('meta', {}, { isVisible: ({ name }) => name !== 'hidden' });
    expect(output).to.deep.equal({ seen: ['meta', 'open'], called: { text: 'x' }, refused: 'TOOL_NOT_FOUND' });
  });

  it('uses the share of its own tenant, which is the caller where nobody says', async () => {
    const seen: string[] = [];
    const outer = echoTool({
      name: 'outer',
      execution: {
        type: 'function',
        handler: async (_: never, { tools: view }: import('../../plugins/executor-function/index.ts').FunctionContext) =>
          (await view.call('inner', { text: 'x' })).output,
      },
    });
    const shares = plugin(({ hooks, extend }) => {
      hooks.beforeExecute.tap('test-plugin', (draft, { tenant }) => {
        seen.push(`${draft.tool.name} ${tenant}`);
        return draft;
      });
      extend.status('shares', () => ({ calls: seen.length }));
    });
    const kernel = await testKernel({ tools: [outer, echoTool({ name: 'inner' })], plugins: [shares] });
    await kernel.execute('outer', {}, { caller: 'ada', tenant: 'session 7' });
    await kernel.execute('inner', { text: 'x' }, { caller: 'ada' });
    expect(seen).to.deep.equal(['outer session 7', 'inner session 7', 'inner ada']);
    expect(kernel.status()).to.have.deep.property('shares', { calls: 3 });
  });
});
