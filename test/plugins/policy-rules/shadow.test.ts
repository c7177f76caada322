import { expect } from 'chai';
import { type Policed, type PolicyOptions, policed } from './policed.ts';

const reports = ({ logger }: Policed): unknown[] =>
  logger.records.filter(({ level }) => level === 'info').map(({ message, meta }) => ({ message, ...meta }));

describe('a policy in shadow', () => {
  const cases: readonly { readonly policy: PolicyOptions; readonly says: string }[] = [
    { policy: { rules: [{ name: 'no-pay', effect: 'deny' }] }, says: 'deny: the policy denies it (rule "no-pay")' },
    { policy: { rules: [{ effect: 'ask', reason: 'Costs money.' }] }, says: 'ask: Costs money. (rule 1)' },
    { policy: { default: { high: 'deny' } }, says: 'deny: the policy denies calls of risk high that no rule is about' },
    {
      policy: { rules: [{ effect: 'deny', when: 'params.none' }] },
      says: 'deny: the policy denies it (rule 1); its condition could not be evaluated',
    },
  ];
  for (const { policy, says } of cases) {
    it(`reports and does nothing: ${says}`, async () => {
      const given = await policed({ ...policy, shadow: true });
      expect(await given.effectOf({ tool: 'pay', caller: 'desk-4' })).to.equal('allow');
      expect(reports(given)).to.deep.equal([{ message: `policy in shadow would ${says}`, tool: 'pay', caller: 'desk-4' }]);
    });
  }

  it('says nothing of calls that it would let pass', async () => {
    const given = await policed({ rules: [{ match: { tool: 'sum' }, effect: 'deny' }], shadow: true });
    await given.effectOf({ tool: 'pay' });
    expect(reports(given)).to.deep.equal([]);
  });

  it('still refuses to start with a policy that is broken', async () => {
    const broken = policed({ rules: [{ effect: 'deny', when: '(' }], shadow: true });
    expect(
      await broken.then(
        () => 'started',
        (error: Error) => error.message,
      ),
    ).to.include('rules[0].when');
  });
});

describe('a rule in shadow', () => {
  it('reports and leaves the decision to the rules behind it', async () => {
    const given = await policed({
      rules: [
        { name: 'trial', effect: 'deny', shadow: true },
        { name: 'other', effect: 'allow', shadow: true, match: { tool: 'sum' } },
        { name: 'real', effect: 'ask' },
      ],
    });
    expect(await given.reasonsOf({ tool: 'pay' })).to.deep.equal(['the policy asks for approval (rule "real")']);
    expect(reports(given)).to.deep.equal([
      { message: 'policy in shadow would deny: the policy denies it (rule "trial")', tool: 'pay', caller: 'default' },
    ]);
  });

  it('keeps no rule behind it from the default', async () => {
    const { effectOf } = await policed({ rules: [{ effect: 'allow', shadow: true }], default: { high: 'deny' } });
    expect(await effectOf({ tool: 'pay' })).to.equal('deny');
  });
});
