import { expect } from 'chai';
import {
  apiVersion,
  type CallContext,
  type CallTrace,
  definePlugin,
  deny,
  type Kernel,
  type Plugin,
  type PluginApi,
} from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { createTestKit, type TestKit } from '../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../support/after-each.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';

interface World extends Pick<TestKit, 'kernel' | 'ends' | 'call'> {
  readonly tracer: RecordingTracer;
}

type Handler = (parameters: Readonly<Record<string, unknown>>, context: CallContext) => unknown;

const tool = (name: string, handler: Handler, more: Readonly<Record<string, unknown>> = {}) =>
  echoTool({ name, description: `Is ${name}.`, execution: { type: 'function', handler }, ...more });

const tapping = (apply: (api: PluginApi) => void, name = 'tapping'): Plugin => definePlugin({ name, apiVersion, apply })();

const opened: TestKit[] = [];

async function world(
  tools: readonly unknown[],
  plugins: readonly Plugin[] = [],
  options: Parameters<typeof createTestKit>[0] = {},
): Promise<World> {
  const tracer = new RecordingTracer();
  const kit = await createTestKit({ tools, plugins: [tracer.plugin(), ...plugins], ...options });
  opened.push(kit);
  return { ...kit, tracer };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((kit) => kit.close().catch(() => {})));
});

const valid = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01`, tracestate: 'vendor=1' };

describe('the span of a call', () => {
  it('is one of its own, with the attributes of the conventions, that ends with the call', async () => {
    const { call, tracer, ends } = await world([tool('look', () => 1)]);
    await call('look');
    const span = tracer.only('execute_tool look');
    expect(span).to.deep.include({ kind: 'internal', parent: undefined, ends: [undefined] });
    expect(span.attributes).to.deep.equal({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' });
    expect(tracer.spans).to.have.length(1);
    expect(ends[0]?.traceId).to.equal(span.traceId);
  });

  it('has a span for each stage that waits, and for no other', async () => {
    const waiting = tapping(({ hooks }) => hooks.beforeExecute.tapPromise('tapping', async (draft) => draft));
    const { call, tracer } = await world([tool('look', async () => 1), tool('glance', () => 1)], [waiting]);
    await call('look');
    await call('glance');
    expect(tracer.tree()).to.deep.equal([
      'execute_tool look',
      '  toolkit.stage beforeExecute',
      '  toolkit.stage execute',
      'execute_tool glance',
      '  toolkit.stage beforeExecute',
    ]);
    expect(tracer.spans[1]).to.deep.include({ kind: 'internal', attributes: { 'toolkit.stage': 'beforeExecute' } });
  });

  const failures: readonly { readonly title: string; readonly handler: Handler; readonly tree: readonly string[] }[] = [
    {
      title: 'at once',
      handler: () => {
        throw new Error('no');
      },
      tree: ['execute_tool fail !EXECUTION_FAILED'],
    },
    {
      title: 'later',
      handler: async () => {
        throw new Error('no');
      },
      tree: ['execute_tool fail !EXECUTION_FAILED', '  toolkit.stage execute !EXECUTION_FAILED'],
    },
    {
      title: 'by its time limit',
      handler: () => new Promise(() => {}),
      tree: ['execute_tool fail !TIMEOUT', '  toolkit.stage execute !TIMEOUT'],
    },
  ];
  for (const { title, handler, tree } of failures)
    it(`ends with the code of an error: ${title}`, async () => {
      const { call, tracer } = await world([tool('fail', handler)], [], { timeoutsMs: { execute: 20 } });
      await call('fail').catch(() => {});
      expect(tracer.tree()).to.deep.equal(tree);
    });

  it('ends once, also when the work of a cancelled stage ends later', async () => {
    let finish = (_result: number): void => {};
    const work = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const { call, tracer, ends } = await world([tool('look', () => work)]);
    const controller = new AbortController();
    const called = rejection(call('look', {}, { signal: controller.signal }), 'ABORTED');
    controller.abort();
    await called;
    finish(1);
    await work;
    await new Promise(setImmediate);
    expect(tracer.spans.map((span) => span.ends)).to.deep.equal([['ABORTED'], ['ABORTED']]);
    expect(ends).to.have.length(1);
  });

  it('is there for a refused call, whose end has the id of the trace', async () => {
    const policy = tapping(({ hooks }) => hooks.beforeExecute.tap('tapping', (draft) => deny(draft, { kind: 'rule', message: 'closed' })));
    const { call, tracer, ends } = await world([tool('look', () => 1)], [policy]);
    await rejection(call('look', {}, { trace: valid }), 'POLICY_DENIED');
    await rejection(call('look', { other: 1 }, { trace: valid }), 'INVALID_PARAMETERS');
    expect(tracer.tree()).to.deep.equal(['execute_tool look !POLICY_DENIED', 'execute_tool look !INVALID_PARAMETERS']);
    expect(ends.map(({ traceId }) => traceId)).to.deep.equal(['4'.repeat(32), '4'.repeat(32)]);
  });

  it('shows the wait for a person as a stage', async () => {
    const gate = approvalGate({ mode: 'elicit' });
    const { call, tracer } = await world([tool('act', () => 1, { requires_approval: true, risk: 'medium' })], [gate]);
    await call('act', {}, { origin: 'model', client: { approve: async () => true } });
    await rejection(call('act', {}, { origin: 'model', client: { approve: async () => false } }), 'APPROVAL_DENIED');
    const lines = tracer.tree();
    expect(lines.filter((line) => !line.startsWith(' '))).to.deep.equal(['execute_tool act', 'execute_tool act !APPROVAL_DENIED']);
    expect(lines).to.include('  toolkit.stage approve');
  });

  it('is not there for a trial: nothing ran', async () => {
    const { call, tracer } = await world([tool('look', () => 1)]);
    await rejection(call('look', {}, { isTrial: true }), 'ABORTED');
    expect(tracer.spans).to.deep.equal([]);
  });

  it('is active while a plugin or a function works, also later', async () => {
    const seen: (string | undefined)[] = [];
    const see = (): void => void seen.push(tracer.active()?.traceparent);
    const noting = tapping(({ hooks }) =>
      hooks.beforeExecute.tapPromise('tapping', async (draft) => {
        await new Promise(setImmediate);
        see();
        return draft;
      }),
    );
    const handler = async (): Promise<number> => {
      see();
      await new Promise(setImmediate);
      see();
      return 1;
    };
    const { call, tracer } = await world(
      [
        tool('look', handler),
        tool('glance', () => {
          see();
          return 1;
        }),
      ],
      [noting],
    );
    await call('look');
    await call('glance');
    const [look, glance] = ['look', 'glance'].map((name) => tracer.only(`execute_tool ${name}`).context.traceparent);
    expect(seen).to.deep.equal([look, look, look, glance, glance]);
  });

  it('is given to fetch wrappers and plugins by the context', async () => {
    const seen: unknown[] = [];
    const wrapping = tapping(({ extend }) =>
      extend.fetch(() => async (_input, _init, options) => {
        seen.push(options?.span?.context);
        return new Response('1');
      }),
    );
    const { call, tracer } = await world(
      [tool('look', async (_given, context) => (await context.fetch('https://example.com/')).text())],
      [wrapping],
    );
    await call('look');
    expect(seen).to.deep.equal([tracer.only('execute_tool look').context]);
  });
});

describe('the trace of a call', () => {
  it('is that of the active span, where the host gives none', async () => {
    const { call, tracer } = await world([tool('look', async () => 1)]);
    const host = tracer.startWithin(undefined, 'host', 'internal');
    await host.run(() => call('look'));
    expect(tracer.tree()).to.deep.equal(['host …', '  execute_tool look', '    toolkit.stage execute']);
  });

  it('is that of the client, by its texts', async () => {
    const { call, tracer } = await world([tool('look', () => 1)]);
    await call('look', {}, { trace: valid });
    const span = tracer.only('execute_tool look');
    expect(span.parent).to.deep.equal(valid);
    expect(span.traceId).to.equal('4'.repeat(32));
  });

  it('begins anew for malformed texts', async () => {
    const { call, tracer, ends } = await world([tool('look', () => 1)]);
    const host = tracer.startWithin(undefined, 'host', 'internal');
    await host.run(() => call('look', {}, { trace: { traceparent: '00-nothing' } }));
    const span = tracer.only('execute_tool look');
    expect(span.parent).to.equal(undefined);
    expect(ends[0]?.traceId).to.equal(span.traceId).and.not.equal(host.traceId);
  });

  it('may be a span of the host, which the call takes as its own and does not end', async () => {
    const { call, kernel, tracer, ends } = await world([
      tool('look', async () => 1),
      tool('fail', async () => Promise.reject(new Error('no'))),
    ]);
    for (const name of ['look', 'fail']) {
      const host = kernel.tracer?.start(`serve ${name}`, 'server') as CallTrace;
      await call(name, {}, { trace: host }).catch(() => {});
    }
    expect(tracer.tree()).to.deep.equal([
      'serve look …',
      '  toolkit.stage execute',
      'serve fail …',
      '  toolkit.stage execute !EXECUTION_FAILED',
    ]);
    expect(ends.map(({ traceId }) => traceId)).to.deep.equal(['look', 'fail'].map((name) => tracer.only(`serve ${name}`).traceId));
  });

  it('may be within a span of the host', async () => {
    const { call, kernel, tracer } = await world([tool('look', () => 1)]);
    const host = kernel.tracer?.start('chain', 'internal');
    if (host !== undefined) await call('look', {}, { trace: { within: host } });
    expect(tracer.tree()).to.deep.equal(['chain …', '  execute_tool look']);
  });

  it('is known of a call whose tool there is not, without a span', async () => {
    const { kernel, tracer, ends } = await world([]);
    const host = tracer.startWithin(undefined, 'host', 'internal');
    const call = (trace?: CallTrace) =>
      rejection(kernel.call({ tool: 'nothing', ...(trace === undefined ? {} : { trace }) }), 'TOOL_NOT_FOUND');
    for (const trace of [valid, host, { within: host }, undefined, { traceparent: 'x' }]) await call(trace);
    await host.run(() => call());
    expect(ends.map(({ traceId }) => traceId)).to.deep.equal([
      '4'.repeat(32),
      host.traceId,
      host.traceId,
      undefined,
      undefined,
      host.traceId,
    ]);
    expect(tracer.tree()).to.deep.equal(['host …']);
  });

  it('is that of the caller in the end of a call, also where no plugin traces', async () => {
    await using kit = await createTestKit({ tools: [tool('look', () => 1)] });
    await kit.call('look');
    await kit.call('look', {}, { trace: valid });
    expect(kit.ends.map((end) => [Object.hasOwn(end, 'traceId'), end.traceId])).to.deep.equal([
      [false, undefined],
      [true, '4'.repeat(32)],
    ]);
  });

  it('goes on in the calls that a tool makes, each with a span of its own', async () => {
    const outer: Handler = async (_given, { tools }) => [await tools.call('middle', {}), await tools.call('inner', {})].length;
    const middle: Handler = (_given, { tools }) => tools.call('inner', {});
    const tools = [tool('outer', outer), tool('middle', middle), tool('inner', () => 1)];
    const { call, tracer, ends } = await world(tools);
    await call('outer');
    expect(tracer.tree()).to.deep.equal([
      'execute_tool outer',
      '  execute_tool middle',
      '    execute_tool inner',
      '    toolkit.stage execute',
      '  toolkit.stage execute',
      '  execute_tool inner',
    ]);
    expect(new Set(ends.map(({ traceId }) => traceId)).size).to.equal(1);
    expect(tracer.spans.map(({ ends: given }) => given.length)).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it("goes on in the calls that a tool makes within a host's span", async () => {
    const outer: Handler = (_given, { tools }) => tools.call('inner', {});
    const { call, kernel, tracer } = await world([tool('outer', outer), tool('inner', () => 1)]);
    const host = kernel.tracer?.start('tools/call outer', 'server') as CallTrace;
    await call('outer', {}, { trace: host });
    expect(tracer.tree()).to.deep.equal(['tools/call outer …', '  execute_tool inner', '  toolkit.stage execute']);
  });

  it('goes on in the calls that a plugin makes by its kernel', async () => {
    const calling = tapping((api) =>
      api.hooks.beforeExecute.tapPromise('tapping', async (draft) => {
        if (draft.tool.name === 'outer') await api.kernel.call({ tool: 'inner' });
        return draft;
      }),
    );
    const { call, tracer } = await world([tool('outer', () => 1), tool('inner', () => 1)], [calling]);
    await call('outer');
    expect(tracer.tree().filter((line) => !line.includes('stage'))).to.deep.equal(['execute_tool outer', '  execute_tool inner']);
  });

  it('of one call is not that of another that runs at the same time', async () => {
    const { call, tracer } = await world([tool('look', async () => new Promise((resolve) => setImmediate(resolve, 1)))]);
    await Promise.all(Array.from({ length: 20 }, () => call('look')));
    expect(tracer.tree()).to.deep.equal(Array.from({ length: 20 }, () => ['execute_tool look', '  toolkit.stage execute']).flat());
  });

  const malformed: readonly { readonly trace: unknown; readonly received: string }[] = [
    { trace: 'abc', received: 'string "abc"' },
    { trace: valid.traceparent, received: 'string of 55 characters' },
    { trace: null, received: 'null' },
    { trace: 7, received: 'number 7' },
    { trace: {}, received: 'an object with no members' },
    { trace: { traceparent: 7 }, received: 'an object with traceparent' },
    { trace: { traceId: '4', start: 'x' }, received: 'an object with traceId, start' },
    { trace: { start() {}, end() {} }, received: 'an object with start, end' },
    { trace: { within: {} }, received: 'an object with within' },
    { trace: () => valid, received: '' },
  ];
  for (const { trace, received } of malformed)
    for (const isTraced of [true, false])
      it(`is refused in another form by a kernel that ${isTraced ? 'traces' : 'does not trace'}: ${received || 'a function'}`, async () => {
        const tracer = new RecordingTracer();
        await using kit = await createTestKit({ tools: [tool('look', () => 1)], plugins: isTraced ? [tracer.plugin()] : [] });
        const error = await rejection(kit.call('look', {}, { trace: trace as never }), 'INVALID_PARAMETERS');
        expect(error.message)
          .to.include('The "trace" of the call of "look" is wrong: expected a span of kernel.tracer')
          .and.include(received);
        expect(tracer.spans).to.deep.equal([]);
      });
});

describe('a tracer', () => {
  it('may be set by one plugin only', async () => {
    const plugins = ['one', 'two'].map((name) => tapping(({ extend }) => extend.tracer(new RecordingTracer()), name));
    expect((await rejection(createTestKit({ plugins }), 'PLUGIN_INVALID')).message)
      .to.include('the tracer')
      .and.include('"two"');
  });

  it('is that of the kernel, which has none without a plugin that traces', async () => {
    const { kernel } = await world([]);
    expect(kernel.tracer?.start('one', 'server')).to.not.equal(undefined);
    await using plain = await createTestKit();
    expect((plain.kernel satisfies Kernel).tracer).to.equal(undefined);
  });
});
