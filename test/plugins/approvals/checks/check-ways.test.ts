import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginEntry } from '../../../../kernel/index.ts';
import { approvalGate } from '../../../../plugins/approval-gate/index.ts';
import { checkWays } from '../../../../plugins/approvals/checks/check-ways.ts';
import { policyHuman } from '../../../../plugins/policy-human/index.ts';
import { type ApprovalWay, approvalWays } from '../../../../plugins/shared/approval/approval-ways.ts';
import { type ServerListing, serverListing } from '../../../../plugins/shared/exposure/server-listing.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const tools = [
  echoTool({ name: 'gated_one', requires_approval: true }),
  echoTool({ name: 'gated_two', requires_approval: { text: ['all'] } }),
  echoTool({ name: 'risky', risk: 'high' }),
  echoTool({ name: 'plain' }),
];

const stating = (ways: readonly ApprovalWay[], listing?: ServerListing): PluginEntry =>
  definePlugin({
    name: 'stating',
    apiVersion,
    apply({ extend }) {
      for (const way of ways) extend.fact(approvalWays, way);
      if (listing !== undefined) extend.fact(serverListing, listing);
    },
  })();

const elicit = approvalGate({ mode: 'elicit' });
const person = policyHuman({ enableHITL: true, hitlMinRiskLevel: 'high' });
const clientAlone = (count: string) =>
  `ok: ${count} can be approved by the client of the call alone: one that cannot ask its person is refused`;

const cases: readonly { readonly title: string; readonly plugins: readonly PluginEntry[]; readonly says: readonly string[] }[] = [
  { title: 'notes the gated tools', plugins: [elicit], says: [clientAlone('2 tools')] },
  { title: 'notes them in mode strict', plugins: [approvalGate({ mode: 'strict' })], says: [clientAlone('2 tools')] },
  { title: 'notes risky tools under the human policy', plugins: [person], says: [clientAlone('1 tool')] },
  {
    title: 'counts each tool once',
    plugins: [elicit, policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low' })],
    says: [clientAlone('4 tools')],
  },
  { title: 'says nothing in mode flag, where a claim opens the gate', plugins: [approvalGate({ mode: 'flag' })], says: [] },
  { title: 'says nothing where nothing asks', plugins: [], says: [] },
  { title: 'says nothing with another way', plugins: [elicit, stating([{ way: 'webhook', names: ['on-call'] }])], says: [] },
  {
    title: 'says nothing with a way of many names',
    plugins: [elicit, person, stating([{ way: 'command line', names: 'many' }])],
    says: [],
  },
  {
    title: 'does not count a way without a name',
    plugins: [elicit, stating([{ way: 'command line', names: [] }])],
    says: [clientAlone('2 tools')],
  },
  {
    title: 'does not count elicitation',
    plugins: [elicit, stating([{ way: 'elicitation', names: 'many' }])],
    says: [clientAlone('2 tools')],
  },
  {
    title: 'does not count a way of other reasons',
    plugins: [elicit, person, stating([{ way: 'onApproval', names: ['onApproval'], kinds: ['gate'] }])],
    says: [clientAlone('1 tool')],
  },
  { title: 'says nothing with onHITL', plugins: [policyHuman({ enableHITL: true, onHITL: () => true })], says: [] },
  { title: 'leaves out tools that the server does not have', plugins: [elicit, stating([], { excludeTools: ['gated_*'] })], says: [] },
  { title: 'counts all where its filter is wrong', plugins: [elicit, stating([], { tools: ['gone'] })], says: [clientAlone('2 tools')] },
];

describe('the check of the ways to approve', () => {
  for (const { title, plugins, says } of cases) {
    it(title, async () => {
      const kernel = await testKernel({ tools, plugins });
      expect(checkWays(kernel).map(({ state, message }) => `${state}: ${message}`)).to.deep.equal(says);
    });
  }
});
