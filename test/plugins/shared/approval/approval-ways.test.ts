import { expect } from 'chai';
import { type ErrorDetails, ToolkitError } from '../../../../kernel/index.ts';
import {
  type ApprovalWay,
  type ApproversDemand,
  countNames,
  refuseTooFewNames,
} from '../../../../plugins/shared/approval/approval-ways.ts';

const account: ApprovalWay = { way: 'command line', names: ['ann'] };
const host: ApprovalWay = { way: 'onApproval', names: ['onApproval'], kinds: ['gate'] };
const hooks: ApprovalWay = { way: 'webhook', names: ['ann', 'bob'] };
const machines: ApprovalWay = { way: 'command line', names: 'many' };
const elicitation: ApprovalWay = { way: 'elicitation', names: 'many' };

describe('the names that can approve', () => {
  const cases: readonly { readonly what: string; readonly ways: readonly ApprovalWay[]; readonly count: number; readonly kind?: string }[] =
    [
      { what: 'are none without a way', ways: [], count: 0 },
      { what: 'are counted over all ways', ways: [account, host], count: 2 },
      { what: 'count once when two ways have them', ways: [account, hooks], count: 2 },
      { what: 'are without end where one way has many', ways: [host, machines], count: Number.POSITIVE_INFINITY },
      { what: 'are never those of elicitation, which asks the requester', ways: [elicitation, account], count: 1 },
      { what: 'are, for one kind of reason, those of the ways that it is put to', ways: [account, host], count: 1, kind: 'rule' },
      { what: 'include a way of that kind', ways: [account, host], count: 2, kind: 'gate' },
      { what: 'are none where the only way has an empty list', ways: [{ way: 'webhook', names: [] }], count: 0 },
    ];
  for (const { what, ways, count, kind } of cases)
    it(what, () => {
      expect(countNames(ways, kind)).to.equal(count);
    });
});

describe('a demand for several approvers', () => {
  const refusal = (ways: readonly ApprovalWay[], approvers: number, demand?: ApproversDemand) => {
    try {
      refuseTooFewNames(
        ways.map((value) => ({ plugin: 'any', value })),
        approvers,
        demand,
      );
    } catch (error) {
      if (ToolkitError.is(error)) return { code: error.code, message: error.message, details: error.details as ErrorDetails };
      throw error;
    }
    return undefined;
  };

  it('is refused with fewer names than approvers, and says which names there are', () => {
    const error = refusal([account, elicitation], 2);
    expect(error?.code).to.equal('PLUGIN_INVALID');
    expect(error?.message).to.include('The option "approvers" of plugin "approvals" demands 2 approvers');
    expect(error?.message).to.include('has 1 possible name (command line: ann)');
    expect(error?.details).to.include({ plugin: 'approvals', approvers: 2, names: 1 });
  });

  it('names the rule that demands them', () => {
    const error = refusal([account, host], 2, { plugin: 'policy-rules', by: '"approvers" of rule "wire"', kind: 'rule' });
    expect(error?.message).to.match(/^"approvers" of rule "wire" demands 2 approvers, and .* 1 possible name \(command line: ann\)/);
  });

  for (const [what, ways, approvers] of [
    ['one approver', [], 1],
    ['as many names as approvers', [hooks], 2],
    ['many names', [machines], 10],
  ] as const)
    it(`is accepted with ${what}`, () => {
      expect(refusal(ways, approvers)).to.equal(undefined);
    });
});
