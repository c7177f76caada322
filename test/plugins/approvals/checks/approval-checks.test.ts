import { expect } from 'chai';
import {
  type ApprovalInbox,
  apiVersion,
  type CheckServices,
  definePlugin,
  type Kernel,
  type StateStore,
} from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { approvalChecks } from '../../../../plugins/approvals/checks/approval-checks.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

/** The findings of the check for a kernel whose store is shared or not. */
async function findings(kernel: Kernel | undefined, isShared: boolean): Promise<readonly string[]> {
  const state = { isShared } as StateStore;
  const services: CheckServices = { kernel, state, isListed: true, cwd: '.', env: {} };
  const found = await Promise.all(approvalChecks.map((check) => check.run({}, services)));
  return found.flat().map(({ check, message }) => `${check}: ${message.slice(0, 20)}`);
}

const keeper = definePlugin({
  name: 'keeper',
  apiVersion,
  apply: ({ extend }) =>
    extend.approvalInbox(
      () => ({ list: async () => ({ approvals: [{ id: 'a', tool: 'pay', createdAt: 1 }] }) }) as unknown as ApprovalInbox,
    ),
});

const tools = [echoTool({ name: 'gated', requires_approval: true })];
const gate = approvalGate({ mode: 'elicit' });

describe('the check of approvals', () => {
  it('reads the records of a shared store, and the ways', async () => {
    const kernel = await testKernel({ tools, plugins: [gate, keeper()] });
    expect(await findings(kernel, true)).to.deep.equal(['Approval: 1 call waits for a p', 'Approval: 1 tool can be approv']);
  });

  it('reads no records in memory, which are those of another process', async () => {
    const kernel = await testKernel({ tools, plugins: [gate, keeper()] });
    expect(await findings(kernel, false)).to.deep.equal(['Approval: 1 tool can be approv']);
  });

  it('says nothing where no plugin keeps records, or the configuration cannot be used', async () => {
    expect(await findings(await testKernel({ tools, plugins: [gate] }), true)).to.deep.equal([]);
    expect(await findings(undefined, true)).to.deep.equal([]);
  });
});
