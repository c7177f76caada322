import { expect } from 'chai';
import { apiVersion, definePlugin, deny } from '../../../kernel/index.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { audited, linesIn, recordsIn } from './audited.ts';

const place = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01` };
const id = '4'.repeat(32);

const office = definePlugin({
  name: 'office',
  apiVersion,
  apply: ({ hooks }) =>
    hooks.beforeExecute.tap('office', (draft) => (draft.tool.name === 'denied' ? deny(draft, { kind: 'rule', message: 'no' }) : undefined)),
});

describe('the id of the trace in the audit trail', () => {
  for (const isTraced of [true, false])
    it(`is that of the call's client, ${isTraced ? 'with' : 'without'} a plugin that traces`, async () => {
      const plugins = [office(), ...(isTraced ? [new RecordingTracer().plugin()] : [])];
      const { kernel, file } = await audited({}, { tools: [echoTool({ name: 'denied' })], plugins });
      await kernel.call({ tool: 'echo', trace: place });
      await rejection(kernel.call({ tool: 'denied', trace: place }), 'POLICY_DENIED');
      await rejection(kernel.call({ tool: 'nothing', trace: place }), 'TOOL_NOT_FOUND');
      await rejection(kernel.call({ tool: 'echo', parameters: { text: 7 }, trace: place }), 'INVALID_PARAMETERS');
      await kernel.close();
      expect((await recordsIn(file)).map(({ tool, trace_id }) => [tool, trace_id])).to.deep.equal(
        ['echo', 'denied', 'nothing', 'echo'].map((tool) => [tool, id]),
      );
    });

  it('is that of the new trace of a call, and of all calls in it', async () => {
    const tracer = new RecordingTracer();
    const handler = async (
      _: object,
      { tools }: { tools: { call(name: string, given: object): Promise<{ output: unknown }> } },
    ): Promise<unknown> => (await tools.call('echo', {})).output;
    const outer = echoTool({ name: 'outer', execution: { type: 'function', handler } });
    const { kernel, file } = await audited({}, { tools: [outer], plugins: [tracer.plugin()] });
    await kernel.call({ tool: 'outer' });
    await kernel.close();
    const { traceId } = tracer.only('execute_tool outer');
    expect((await recordsIn(file)).map(({ tool, trace_id }) => [tool, trace_id])).to.deep.equal([
      ['echo', traceId],
      ['outer', traceId],
    ]);
  });

  it('is left out where there is none, or it is malformed', async () => {
    const { kernel, file } = await audited();
    const foreign = Object.assign(new RecordingTracer().start('x', 'server'), {});
    Object.defineProperty(foreign, 'context', { value: { traceparent: '","x":"' } });
    await kernel.call({ tool: 'echo' });
    await kernel.call({ tool: 'echo', trace: foreign });
    await kernel.call({ tool: 'echo', trace: { traceparent: '","x":"' } });
    await kernel.close();
    expect((await linesIn(file)).join())
      .to.not.include('trace_id')
      .and.not.include('"x"');
  });
});
