import { expect } from 'chai';
import { type ErrorCode, ToolkitError } from '../../../../kernel/index.ts';
import { failureAnswer } from '../../../../plugins/console/endpoints/failure.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const services = () => ({ kernel: { mask: <T>(value: T): T => String(value).replace('hush', '***') as T }, logger: memoryLogger() });

describe('a failed request to the console’s API', () => {
  const statuses: readonly (readonly [code: ErrorCode, status: number])[] = [
    ['NOT_FOUND', 404],
    ['TOOL_NOT_FOUND', 404],
    ['APPROVAL_REQUIRED', 409],
    ['APPROVAL_DENIED', 409],
    ['INVALID_PARAMETERS', 400],
    ['STATE_UNAVAILABLE', 503],
    ['RATE_LIMITED', 503],
    ['PLUGIN_INVALID', 500],
    ['POLICY_DENIED', 500],
  ];
  for (const [code, status] of statuses)
    it(`is ${status} for ${code}, with its message, masked`, () => {
      const answer = failureAnswer(new ToolkitError(code, 'It has hush in it.'), 'GET x', services());
      expect(answer.status).to.equal(status);
      // No number: an answer of the console.
      expect(JSON.parse(String(answer.body))).to.deep.equal({ error: { code, message: 'It has *** in it.' } });
    });

  it('of unknown reason is 500 without the reason, which is in the log', () => {
    const used = services();
    const answer = failureAnswer(new Error('at /home/ann/file.ts'), 'GET x', used);
    expect([answer.status, String(answer.body).includes('/home')]).to.deep.equal([500, false]);
    expect(used.logger.records).to.have.length(1);
  });
});
