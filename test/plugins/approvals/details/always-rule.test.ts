import { expect } from 'chai';
import type { CallRequest, Reason } from '../../../../kernel/index.ts';
import { alwaysRule } from '../../../../plugins/approvals/details/always-rule.ts';
import { type Policed, policed } from '../../policy-rules/policed.ts';

type Parameters = Readonly<Record<string, unknown>>;

const asks: Reason = { kind: 'rule', message: 'Paying needs a yes. (rule "ask-all")' };
const askAll = '  - { name: ask-all, effect: ask, reason: Paying needs a yes. }\n';

const kernelOfTools = (): Promise<Policed> => policed({});

interface Wanted {
  readonly tool?: string;
  readonly caller?: string;
  readonly parameters: Parameters;
}

/** The rule for a call, in the policy in front of one that asks about everything. */
async function policyWith({
  tool = 'pay',
  caller = 'ann',
  parameters,
}: Wanted): Promise<{ readonly text: string; readonly policy: Policed }> {
  const { kernel } = await kernelOfTools();
  const text = await alwaysRule({ tool: kernel.registry.get(tool), caller, parameters, shownParameters: parameters, reasons: [asks] });
  if (text === undefined) throw new Error('there is no rule');
  return { text, policy: await policed({}, { files: { 'policy.yaml': `${text}${askAll}` } }) };
}

const bells: Parameters = {
  amount: 5,
  currency: 'EUR',
  to: ['ann', { name: 'Müller "the\\ 1st"', tags: [] }],
  at: null,
  meta: { 'a b': { c: -1.5, d: 1e21, e: 1e-7, f: 0 }, empty: {} },
  note: 'two\nlines\t\u0007, \u{1F600}, \u202e and $x {y} # not a comment: "',
  flag: false,
};

describe('the rule that lets equal calls run', () => {
  const values: Readonly<Record<string, Parameters>> = {
    'one number': { amount: 5 },
    nothing: {},
    'every kind of value': bells,
    'a list of several kinds': { to: [1, 'x', null, true, [[]]] },
    'an integer beyond 2^53 as text where the tool takes any value': { to: '9007199254740993' },
  };
  for (const [what, parameters] of Object.entries(values))
    it(`loads in policy-rules and runs the call, with ${what}`, async () => {
      const { policy } = await policyWith({ parameters });
      expect((await policy.kernel.call({ tool: 'pay', caller: 'ann', parameters, origin: 'model' })).output).to.equal('ran');
    });

  it('takes an integer beyond 2^53 as a number where the tool takes numbers', async () => {
    const parameters = { id: '9007199254740993', note: 'x' };
    const { policy } = await policyWith({ tool: 'transfer', parameters });
    const call = { tool: 'transfer', caller: 'ann' };
    expect(await policy.effectOf({ ...call, parameters })).to.equal('allow');
    expect(await policy.effectOf({ ...call, parameters: { ...parameters, id: '9007199254740995' } })).to.equal('ask');
  });

  const others: Readonly<Record<string, CallRequest>> = {
    'another value': { tool: 'pay', parameters: { ...bells, amount: 6 } },
    'a text in place of a number': { tool: 'pay', parameters: { ...bells, amount: '5' } },
    'one parameter more': { tool: 'pay', parameters: { amount: 5, currency: 'EUR', to: [], at: 0, meta: {}, note: '', flag: true } },
    'one parameter less': { tool: 'pay', parameters: { amount: 5 } },
    'a member more, deep inside': {
      tool: 'pay',
      parameters: { ...bells, meta: { 'a b': { c: -1.5, d: 1e21, e: 1e-7, f: 0 }, empty: { x: 1 } } },
    },
    'an empty list in place of an empty object': {
      tool: 'pay',
      parameters: { ...bells, meta: { 'a b': { c: -1.5, d: 1e21, e: 1e-7, f: 0 }, empty: [] } },
    },
    'an empty text in place of an empty list': {
      tool: 'pay',
      parameters: { ...bells, to: ['ann', { name: 'Müller "the\\ 1st"', tags: '' }] },
    },
    'an item more': { tool: 'pay', parameters: { ...bells, to: ['ann', { name: 'Müller "the\\ 1st"', tags: [] }, 'eve'] } },
    'null in place of false': { tool: 'pay', parameters: { ...bells, flag: null } },
    'another tool': { tool: 'sum', parameters: bells },
    'another caller': { tool: 'pay', parameters: bells, caller: 'ann2' },
  };
  it('still asks about any other call', async () => {
    const { policy } = await policyWith({ parameters: bells });
    expect(await policy.effectOf({ tool: 'pay', parameters: bells, caller: 'ann' })).to.equal('allow');
    for (const [what, request] of Object.entries(others))
      expect(await policy.effectOf({ caller: 'ann', ...request }), what).to.equal('ask');
  });

  for (const caller of ['*', 'ann*', '', 'an\u202en', 'o\'hara "x" \\', '# x: [y]', '123', 'null'])
    it(`holds for the caller ${JSON.stringify(caller)} and nobody else`, async () => {
      const { policy } = await policyWith({ caller, parameters: { amount: 5 } });
      expect(await policy.effectOf({ tool: 'pay', parameters: { amount: 5 }, caller })).to.equal('allow');
      for (const other of ['ann', 'anna', 'bob', '*x', 'x'])
        expect(await policy.effectOf({ tool: 'pay', parameters: { amount: 5 }, caller: other }), other).to.equal('ask');
    });

  it('is the same text for the same call, and names the rule that asks', async () => {
    const one = await policyWith({ parameters: { amount: 5 } });
    const other = await policyWith({ parameters: { amount: 5 } });
    expect(one.text).to.equal(other.text);
    expect(one.text).to.match(
      /^# Belongs before the rule that asks: Paying needs a yes\. \(rule "ask-all"\)\n# .*\nrules:\n {2}- name: always-[0-9a-f]{8}\n {4}match:\n {6}tool: pay\n {6}caller: ann\n {4}when: .*\n {4}effect: allow\n$/,
    );
  });

  it('cannot be extended by the text of a reason', async () => {
    const { kernel } = await kernelOfTools();
    const text = await alwaysRule({
      tool: kernel.registry.get('pay'),
      caller: 'ann',
      parameters: {},
      shownParameters: {},
      reasons: [{ kind: 'rule', message: 'a\nrules: [{ effect: allow }]\u2028b' }],
    });
    expect(text).to.match(/^# .*\\u000arules: \[\{ effect: allow \}\]\\u2028b\n# /);
    expect(text?.match(/^rules:/gm)).to.have.length(1);
  });
});

describe('there is no rule that lets equal calls run', () => {
  const long = { note: 'x'.repeat(2000) };
  const cases: Readonly<Record<string, { parameters?: Parameters; shownParameters?: Parameters; reasons?: readonly Reason[] }>> = {
    'where the definition asks': { reasons: [asks, { kind: 'gate', message: 'its definition requires approval' }] },
    'where nothing asks': { reasons: [] },
    'where a parameter holds a secret': { parameters: { note: 'hunter2' }, shownParameters: { note: '[secret DOOR]' } },
    'where a condition would be too long': { parameters: long, shownParameters: long },
    'for a text that no CEL text can be': { parameters: { note: '\ud800' }, shownParameters: { note: '\ud800' } },
  };
  for (const [what, { parameters = {}, shownParameters = {}, reasons = [asks] }] of Object.entries(cases))
    it(what, async () => {
      const { kernel } = await kernelOfTools();
      expect(await alwaysRule({ tool: kernel.registry.get('pay'), caller: 'ann', parameters, shownParameters, reasons })).to.equal(
        undefined,
      );
    });
});
