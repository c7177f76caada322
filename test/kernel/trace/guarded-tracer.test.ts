import { expect } from 'chai';
import { apiVersion, definePlugin, type Plugin, type Span, type Tracer } from '../../../kernel/index.ts';
import { createTestKit, type TestKit } from '../../../plugins/toolkit/testing.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';

const broken = (): never => {
  throw new Error('the exporter is broken');
};

const members = ['context', 'traceId', 'start', 'set', 'traceparentFor', 'run', 'end'] as const satisfies readonly (keyof Span)[];

/** Returns a span of which these members throw. */
function brokenSpan(names: readonly string[], span: Span): Span {
  return new Proxy(span, {
    get(target, name) {
      if (typeof name === 'string' && names.includes(name)) return name === 'context' || name === 'traceId' ? broken() : broken;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const setting = (tracer: Tracer): Plugin => definePlugin({ name: 'broken', apiVersion, apply: ({ extend }) => extend.tracer(tracer) })();

/** A kit whose tracer has spans that are broken so, and what it started. */
async function world(names: readonly string[]): Promise<TestKit & { readonly recorded: RecordingTracer }> {
  const recorded = new RecordingTracer();
  const start: Tracer['start'] = (...given) => brokenSpan(names, recorded.start(...given));
  const plugins = [setting({ start, active: () => recorded.active() })];
  const inner = echoTool({ name: 'inner' });
  const outer = echoTool({
    name: 'outer',
    execution: {
      type: 'function',
      handler: async (_given: object, { tools }: { tools: { call(name: string, given: object): Promise<{ output: unknown }> } }) =>
        (await tools.call('inner', {})).output,
    },
  });
  const fail = echoTool({ name: 'fail', execution: { type: 'function', handler: async () => Promise.reject(new Error('no')) } });
  return Object.assign(await createTestKit({ tools: [inner, outer, fail], plugins }), { recorded });
}

describe('a span that throws', () => {
  for (const names of [...members.map((name) => [name]), members])
    it(`changes no call: ${names.join(', ')}`, async () => {
      await using kit = await world(names);
      expect(await kit.call('outer')).to.deep.equal({});
      await rejection(kit.call('fail'), 'EXECUTION_FAILED');
      expect(kit.ends.map(({ tool, outcome }) => [tool?.name, outcome.type])).to.deep.equal([
        ['inner', 'completed'],
        ['outer', 'completed'],
        ['fail', 'failed'],
      ]);
    });

  it('is logged once, with its plugin', async () => {
    await using kit = await world(['run', 'end']);
    await kit.call('outer');
    await kit.call('outer');
    const errors = kit.log.filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message)).to.deep.equal([
      'Plugin "broken" failed to trace. Calls go on, their traces have gaps: the exporter is broken',
    ]);
  });

  it('changes no call that a host gives it to', async () => {
    const recorded = new RecordingTracer();
    await using kit = await createTestKit({ tools: [echoTool()], plugins: [recorded.plugin()] });
    const span = brokenSpan(members, recorded.startWithin(undefined, 'host', 'server'));
    expect(await kit.call('echo', { text: 'x' }, { trace: span })).to.deep.equal({ text: 'x' });
    expect(await kit.call('echo', { text: 'x' }, { trace: { within: span } })).to.deep.equal({ text: 'x' });
  });
});

describe('a tracer that throws', () => {
  for (const name of ['start', 'active'] as const)
    it(`changes no call, and no durable one: ${name}`, async () => {
      const tracer: Tracer = { start: () => undefined, active: () => undefined, [name]: broken };
      await using kit = await createTestKit({ tools: [echoTool()], plugins: [setting(tracer)] });
      expect(await kit.call('echo', { text: 'x' })).to.deep.equal({ text: 'x' });
      await rejection(kit.kernel.call({ tool: 'nothing' }), 'TOOL_NOT_FOUND');
      expect(kit.ends.map(({ traceId }) => traceId)).to.deep.equal([undefined, undefined]);
    });
});

describe('a span of the kernel', () => {
  const spanOf = async (names: readonly string[] = []): Promise<{ span: Span; recorded: RecordingTracer }> => {
    const { kernel, recorded } = await world(names);
    const span = kernel.tracer?.start('host', 'server');
    if (span === undefined) throw new Error('no span');
    return { span, recorded };
  };

  it('runs work once, and gives on what it throws', async () => {
    for (const names of [[], ['run']]) {
      const { span } = await spanOf(names);
      let runs = 0;
      const work = (): never => {
        runs += 1;
        throw new RangeError('of the work');
      };
      expect(() => span.run(work)).to.throw(RangeError, 'of the work');
      expect(runs).to.equal(1);
    }
  });
});
