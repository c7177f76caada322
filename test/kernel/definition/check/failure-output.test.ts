import { expect } from 'chai';
import { apiVersion, type CallEnd, definePlugin, type ErrorCode, ToolkitError } from '../../../../kernel/index.ts';
import { connect } from '../../../plugins/mcp/support/client.ts';
import { rejection } from '../../../support/rejection.ts';
import { testKernel } from '../../../support/test-kernel.ts';

const failureOutput = { success: false, errors: ['{message}'], code: '{code}' };

function tool(handler: (parameters: never) => unknown, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: 'work',
    description: 'Works.',
    parameters: { size: { type: 'integer', minimum: 1 } },
    execution: { type: 'function', handler },
    output_schema: { type: 'object', properties: { success: { type: 'boolean' } }, required: ['success'] },
    failure_output: failureOutput,
    risk: 'low',
    ...more,
  };
}

const failing = (code: ErrorCode) => (): never => {
  throw new ToolkitError(code, `It is "over".`);
};

describe('failure_output', () => {
  for (const code of ['EXECUTION_FAILED', 'NOT_FOUND', 'TIMEOUT', 'DEPENDENCY_MISSING', 'OUTBOUND_BLOCKED'] as const) {
    it(`is what the caller gets when the work fails with ${code}, beside the error`, async () => {
      const kernel = await testKernel({ tools: [tool(failing(code))] });
      const { output, error } = await kernel.call({ tool: 'work', parameters: {} });
      expect(output).to.deep.equal({ success: false, errors: ['It is "over".'], code });
      expect(error).to.include({ code, message: 'It is "over".' });
    });
  }

  it('is what the caller gets for parameters that are refused and for an output that is wrong', async () => {
    const kernel = await testKernel({ tools: [tool(() => ({ success: 'perhaps' }))] });
    const refused = await kernel.call({ tool: 'work', parameters: { size: 0 } });
    expect(refused.output).to.have.property('code', 'INVALID_PARAMETERS');
    expect((refused.output as { errors: string[] }).errors[0]).to.include('size');
    expect((await kernel.call({ tool: 'work', parameters: {} })).output).to.have.property('code', 'OUTPUT_INVALID');
  });

  for (const code of ['APPROVAL_REQUIRED', 'POLICY_DENIED', 'ABORTED', 'MISSING_PARAMETER'] as const) {
    it(`leaves ${code} an error`, async () => {
      const kernel = await testKernel({ tools: [tool(failing(code))] });
      await rejection(kernel.call({ tool: 'work', parameters: {} }), code);
    });
  }

  it('shows no secret', async () => {
    const safe = definePlugin({ name: 'safe', apiVersion, apply: (kernel) => kernel.maskAlso('PLANTED', 'planted-value') });
    const leaking = (): never => {
      throw new ToolkitError('EXECUTION_FAILED', 'It refused planted-value.');
    };
    const kernel = await testKernel({ tools: [tool(leaking)], plugins: [safe()] });
    const { output } = await kernel.call({ tool: 'work', parameters: {} });
    expect(JSON.stringify(output)).to.include('It refused').and.not.include('planted-value');
  });

  it('leaves the call failed for trails', async () => {
    const ends: CallEnd[] = [];
    const trail = definePlugin({
      name: 'trail',
      apiVersion,
      apply: ({ hooks }) => hooks.settled.tap('trail', (end) => void ends.push(end)),
    });
    const kernel = await testKernel({ tools: [tool(failing('NOT_FOUND'))], plugins: [trail()] });
    await kernel.call({ tool: 'work', parameters: {} });
    expect(ends.map(({ outcome }) => outcome.type)).to.deep.equal(['failed']);
  });

  it('is an error with structured content over MCP', async () => {
    const { call } = await connect(await testKernel({ tools: [tool(failing('NOT_FOUND'))] }));
    const result = await call('work');
    expect(result.isError).to.equal(true);
    expect(result.structuredContent).to.include({ success: false, code: 'NOT_FOUND' });
    expect(result._meta?.['toolkit/error']).to.include({ code: 'NOT_FOUND' });
  });

  const wrong: { what: string; more: object; message: string }[] = [
    { what: 'an unknown placeholder', more: { failure_output: { success: false, why: '{reason}' } }, message: '{reason}' },
    { what: 'a value that output_schema refuses', more: { failure_output: { errors: ['{message}'] } }, message: 'output_schema' },
  ];
  for (const { what, more, message } of wrong) {
    it(`is refused with ${what}`, async () => {
      const kernel = await testKernel({ tools: [tool(() => ({ success: true }), more as Record<string, unknown>)] });
      expect(kernel.registry.problems.map((problem) => `${problem.path} ${problem.message}`).join())
        .to.include('failure_output')
        .and.include(message);
      expect(kernel.registry.tools.has('work')).to.equal(false);
    });
  }
});
