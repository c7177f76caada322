import { expect } from 'chai';
import type { ToolkitError } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { RecordingTracer } from '../../support/recording-tracer.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

const place = { traceparent: `00-${'4'.repeat(32)}-${'7'.repeat(16)}-01` };
const ann = { way: 'library', name: 'ann' } as const;

async function world() {
  const tracer = new RecordingTracer();
  const act = echoTool({ name: 'act', risk: 'medium', requires_approval: true });
  const plugins = [tracer.plugin(), approvalGate({ mode: 'elicit' }), approvals(), callsOnce(), engineLocal()];
  const kernel = await testKernel({ tools: [act], plugins });
  /** Makes the call, which a person must approve who is not there. Resolves to the id of its record. */
  const ask = async (trace: typeof place | undefined): Promise<string> => {
    const call = { tool: 'act', parameters: { text: 'a' }, origin: 'model', ...(trace === undefined ? {} : { trace }) } as const;
    const error = await rejection(kernel.call(call), 'APPROVAL_REQUIRED');
    return String((error as ToolkitError).details.approval);
  };
  const runs = () => tracer.spans.filter(({ name, ends }) => name === 'execute_tool act' && ends.length === 1 && ends[0] === undefined);
  return { kernel, tracer, ask, run: () => until(() => runs()[0]) };
}

describe('a call that a person approves later', () => {
  it('runs in the trace of the call that asked, within its span', async () => {
    const { kernel, tracer, ask, run } = await world();
    const id = await ask(place);
    const [asking] = tracer.spans;
    await kernel.approvals.decide(id, { approve: true, by: ann });
    expect((await run()).parent).to.deep.equal(asking?.context);
    expect(asking?.traceId).to.equal('4'.repeat(32));
  });

  it('with other arguments is asked about in the same trace', async () => {
    const { kernel, tracer, ask } = await world();
    const id = await ask(place);
    await kernel.approvals.change(id, { text: 'b' }, ann);
    const [asking, other] = tracer.spans.filter(({ name }) => name === 'execute_tool act');
    expect(other?.parent).to.deep.equal(asking?.context);
  });

  it('does not show the place in the trace to those who decide', async () => {
    const { kernel, ask } = await world();
    const id = await ask(place);
    expect(JSON.stringify(await kernel.approvals.get(id))).to.not.include('4444');
  });
});
