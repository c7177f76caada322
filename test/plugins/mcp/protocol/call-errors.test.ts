import { expect } from 'chai';
import { type ErrorCode, ToolkitError } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { credentialsPlaceholder } from '../../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { connect, failure, type Handler, handlerTool, refusal, textOf } from '../support/client.ts';

describe('tools/call: errors', () => {
  const throwing =
    (error: Error): Handler =>
    () => {
      throw error;
    };
  const statuses: { status: number; headers?: Record<string, string>; expected: Record<string, unknown> }[] = [
    { status: 400, expected: { code: 'BAD_REQUEST', retryable: false } },
    { status: 401, expected: { code: 'AUTH_FAILED', retryable: false } },
    { status: 403, expected: { code: 'INSUFFICIENT_SCOPE', retryable: false } },
    { status: 404, expected: { code: 'NOT_FOUND', retryable: false } },
    { status: 429, headers: { 'retry-after': '7' }, expected: { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 7000 } },
    { status: 503, expected: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } },
  ];
  for (const { status, headers = {}, expected } of statuses) {
    it(`say ${JSON.stringify(expected)} when the service answers ${status}`, async () => {
      const { url } = await loopback((_request, response) => response.writeHead(status, headers).end('{"message":"its own words"}'));
      const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
      const { call } = await connect(await testKernel({ plugins: [executorHttp()], tools: [tool] }));
      const error = failure(await call('it'), expected['code'] as ErrorCode);
      expect(error).to.include({ ...expected, status, tool: 'it' });
      expect(error['message']).to.include('its own words');
    });
  }

  const refused = new ToolkitError('RATE_LIMITED', 'Slow down.', { retryAfterMs: 5, retryable: false });
  const failures: { what: string; tool: object; parameters?: object; expected: { code: ErrorCode } & Record<string, unknown> }[] = [
    {
      what: 'a function that throws',
      tool: handlerTool(throwing(new Error('bad page'))),
      expected: { code: 'EXECUTION_FAILED', retryable: false },
    },
    {
      what: 'an error with a code',
      tool: handlerTool(throwing(refused)),
      expected: { code: 'RATE_LIMITED', retryable: false, retryAfterMs: 5 },
    },
    { what: 'an output that is no JSON', tool: handlerTool(() => ({ n: 1n })), expected: { code: 'OUTPUT_INVALID', retryable: false } },
    {
      what: 'a wrong parameter',
      tool: echoTool({ name: 'it' }),
      parameters: { text: 1 },
      expected: { code: 'INVALID_PARAMETERS', retryable: false },
    },
    {
      what: 'a credential that is nowhere',
      tool: handlerTool(() => null, { secrets: ['NO_TOKEN'] }),
      expected: { code: 'MISSING_PARAMETER', retryable: false },
    },
    {
      what: 'a gate that is closed',
      tool: handlerTool(() => null, { requires_approval: true }),
      expected: { code: 'APPROVAL_REQUIRED', retryable: false },
    },
    {
      what: 'a definition that was refused',
      tool: handlerTool(() => null, { risk: 'none' }),
      expected: { code: 'TOOL_INVALID', retryable: false },
    },
    {
      what: 'a tool that calls one that does not exist',
      tool: handlerTool((_, { tools }) => tools.call('nowhere', {})),
      expected: { code: 'TOOL_NOT_FOUND', retryable: false, tool: 'nowhere' },
    },
  ];
  for (const { what, tool, parameters = {}, expected } of failures) {
    it(`say ${expected.code} of ${what}`, async () => {
      const plugins = [approvalGate(), credentialsPlaceholder(), secretsEnv({ env: {} })];
      const { call } = await connect(await testKernel({ plugins, tools: [tool] }));
      expect(failure(await call('it', { ...parameters }), expected.code)).to.include({ tool: 'it', ...expected });
    });
  }

  it('take the word of approval, which the tool does not see', async () => {
    const tool = handlerTool((parameters) => ({ seen: parameters }), { requires_approval: true });
    const { call } = await connect(await testKernel({ plugins: [approvalGate()], tools: [tool] }));
    failure(await call('it', { _toolkit_approved: 'true' }), 'APPROVAL_REQUIRED');
    expect(JSON.parse(textOf(await call('it', { _toolkit_approved: true })))).to.deep.equal({ seen: {} });
  });

  const wrong: { what: string; params: Record<string, unknown>; says: string }[] = [
    { what: 'an unknown tool', params: { name: 'ecoh' }, says: 'There is no tool "ecoh". Did you mean "echo"?' },
    { what: 'no name', params: {}, says: 'The request tools/call is wrong: params.name: ' },
    { what: 'a number as name', params: { name: 7 }, says: 'received number 7' },
    {
      what: 'a list as arguments',
      params: { name: 'echo', arguments: [1] },
      says: 'The request tools/call is wrong: params.arguments: expected object, received array of 1',
    },
    { what: 'null as arguments', params: { name: 'echo', arguments: null }, says: 'received null' },
  ];
  for (const { what, params, says } of wrong) {
    it(`are those of the protocol for ${what}`, async () => {
      const { client } = await connect(await testKernel({ tools: [echoTool()] }));
      const { message } = await refusal(client.callTool(params as never), -32602);
      expect(message).to.include(says);
    });
  }

  const long = 'x'.repeat(100_000);
  it('do not give a long name back', async () => {
    const { call } = await connect(await testKernel({ tools: [echoTool()] }));
    expect((await refusal(call(long), -32602)).message).to.have.length.below(500);
  });

  it('do not give a long argument back', async () => {
    const { call } = await connect(await testKernel({ tools: [echoTool()] }));
    for (const parameters of [{ text: [long] }, { [long]: 1 }]) {
      expect(JSON.stringify(failure(await call('echo', parameters), 'INVALID_PARAMETERS'))).to.have.length.below(1000);
    }
  });
});
