import { expect } from 'chai';
import { policyRules } from '../../../plugins/policy-rules/index.ts';
import { Policy } from '../../../plugins/policy-rules/policy.ts';
import { compileRule } from '../../../plugins/policy-rules/rule.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { policed } from './policed.ts';

describe('the rules that can be about a tool', () => {
  it('are found once, however many others there are', async () => {
    const { kernel } = await policed({});
    const rules = Array.from({ length: 1000 }, (_, index) =>
      compileRule({ match: { tool: `tool_${index}` }, effect: 'deny' }, '', undefined),
    );
    const policy = new Policy([...rules, compileRule({ match: { tool: 'pay' }, effect: 'ask' }, 'rule "pay"', undefined)]);
    const tool = kernel.registry.get('pay');
    const first = policy.candidates(tool);
    expect(first.rules).to.have.length(1);
    expect(policy.candidates(tool)).to.equal(first);
  });
});

describe('the plugin policy-rules', () => {
  it('keeps the contract', async () => {
    expect(await checkPlugin(policyRules, { rules: [{ effect: 'deny' }] })).to.deep.equal([]);
  });

  const wrong = [
    { options: { rules: [{ efect: 'deny', effect: 'deny' }] }, says: 'rules[0].efect is not known here. Did you mean "effect"?' },
    { options: { default: { high: 'refuse' } }, says: 'default.high expected one of' },
    { options: { shadow: 'yes' }, says: 'shadow expected boolean' },
    { options: { file: '' }, says: 'file expected' },
  ];
  for (const { options, says } of wrong) {
    it(`refuses ${JSON.stringify(options)}`, async () => {
      expect((await rejection(policed(options as never), 'PLUGIN_INVALID')).message).to.include(says);
    });
  }
});
