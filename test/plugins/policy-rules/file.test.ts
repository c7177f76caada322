import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { policed } from './policed.ts';

const denyPay = 'rules:\n  - name: no-pay\n    match: { tool: pay }\n    effect: deny\n';
const pay = { tool: 'pay' };

describe('a policy file', () => {
  it('is policy.yaml in the folder of the configuration', async () => {
    const { effectOf } = await policed({}, { files: { 'policy.yaml': denyPay } });
    expect(await effectOf(pay)).to.equal('deny');
  });

  it('may be absent as long as none is named', async () => {
    const { effectOf, logger } = await policed({});
    expect(await effectOf(pay)).to.equal('allow');
    expect(logger.records.filter(({ level }) => level === 'warn' || level === 'error')).to.deep.equal([]);
  });

  it('may stand elsewhere under another name', async () => {
    const { effectOf } = await policed({ file: 'rules/shop.yaml' }, { files: { 'rules/shop.yaml': denyPay } });
    expect(await effectOf(pay)).to.equal('deny');
  });

  it('refuses to start when it was named and is not there', async () => {
    const error = await rejection(policed({ file: 'shop.yaml' }), 'CONFIG_NOT_FOUND');
    expect(error.message).to.match(/^The policy file \/.*\/shop\.yaml does not exist\. Create it/);
  });

  it('refuses to start when it cannot be read', async () => {
    const error = await rejection(policed({ file: '.' }), 'CONFIG_INVALID');
    expect(error.message).to.include('cannot be read: EISDIR');
  });

  it('may have rules and defaults in full', async () => {
    const text = [
      'default: { low: allow, medium: ask, high: deny }',
      'rules:',
      '  - name: large-payments',
      '    match:',
      "      tool: ['pay', 'transfer_*']",
      '      risk: [medium, high]',
      '    when: |',
      '      params.amount > 100 &&',
      '      params.currency == "EUR"',
      '    effect: ask',
      '    reason: Large payments need a yes.',
      '  - { match: { provider: bank }, effect: allow }',
    ].join('\n');
    const { effectOf, reasonsOf } = await policed({}, { files: { 'policy.yaml': text } });
    expect(await reasonsOf({ ...pay, parameters: { amount: 101, currency: 'EUR' } })).to.deep.equal([
      'Large payments need a yes. (rule "large-payments")',
    ]);
    expect(await effectOf({ ...pay, parameters: { amount: 5, currency: 'EUR' } })).to.equal('allow');
    expect(await effectOf({ tool: 'sum' })).to.equal('ask');
  });

  it('names itself in the reasons of rules without a name', async () => {
    const { reasonsOf } = await policed({}, { files: { 'policy.yaml': 'rules: [{ effect: deny }]' } });
    expect(await reasonsOf(pay)).to.deep.equal(['the policy denies it (rule 1 of policy.yaml)']);
  });

  it('comes after the rules of the configuration', async () => {
    const files = { 'policy.yaml': denyPay };
    const allowed = await policed({ rules: [{ match: { caller: 'owner' }, effect: 'allow' }] }, { files });
    expect(await allowed.effectOf({ ...pay, caller: 'owner' })).to.equal('allow');
    expect(await allowed.effectOf(pay)).to.equal('deny');
  });

  it('makes the defaults of the configuration stricter, never weaker', async () => {
    const files = { 'policy.yaml': 'default: { low: deny, medium: allow, high: ask }' };
    const { effectOf } = await policed({ default: { low: 'ask', medium: 'ask' } }, { files });
    expect(await effectOf({ tool: 'balance' })).to.equal('deny');
    expect(await effectOf({ tool: 'sum' })).to.equal('ask');
    expect(await effectOf(pay)).to.equal('ask');
  });
});
