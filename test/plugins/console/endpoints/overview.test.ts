import { expect } from 'chai';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { overview } from '../../../../plugins/console/endpoints/overview.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

describe('the overview of the console', () => {
  const session = { name: 'operator', csrf: 'token', expiresAt: 1, key: 'k' };
  const gated = echoTool({ name: 'gated', requires_approval: true });

  for (const { mode, unaskedTools } of [
    { mode: 'flag', unaskedTools: 1 },
    { mode: 'elicit', unaskedTools: undefined },
  ] as const)
    it(`has ${unaskedTools ?? 'no'} tool whose calls never wait in the mode ${mode}`, async () => {
      const kernel = await testKernel({ tools: [echoTool(), gated], plugins: [approvalGate({ mode })] });
      expect((await overview(session, { kernel, pollMs: undefined })).unaskedTools).to.equal(unaskedTools);
    });
});
