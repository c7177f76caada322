import { expect } from 'chai';
import { apiVersion, type CallRequest, definePlugin, deny, type Effect } from '../../../kernel/index.ts';
import { type PolicyOptions, policed } from './policed.ts';

interface Case extends PolicyOptions {
  readonly is: string;
  /** @default a call of `pay` by a host, without parameters */
  readonly call?: Partial<CallRequest>;
  readonly effect: Effect;
}

type Match = NonNullable<NonNullable<PolicyOptions['rules']>[number]['match']>;

const denies = (match: Match): Pick<Case, 'rules'> => ({ rules: [{ match, effect: 'deny' }] });
const allowsOnly = (match: Match): PolicyOptions => ({
  rules: [{ match, effect: 'allow' }],
  default: { low: 'deny', medium: 'deny', high: 'deny' },
});

function table(cases: readonly Case[]): void {
  for (const { is, call, effect, ...policy } of cases) {
    it(`${effect} when ${is}`, async () => {
      const { effectOf } = await policed(policy);
      expect(await effectOf({ tool: 'pay', ...call })).to.equal(effect);
    });
  }
}

describe('a call under a policy, by what its rules match, is', () => {
  table([
    { is: 'there is no policy', effect: 'allow' },
    { is: 'the tool is named', ...denies({ tool: 'pay' }), effect: 'deny' },
    { is: 'another tool is named', ...denies({ tool: 'pays' }), effect: 'allow' },
    { is: 'the beginning of the name fits', ...denies({ tool: 'pa*' }), effect: 'deny' },
    { is: 'the middle of the name fits', ...denies({ tool: '*a*' }), effect: 'deny' },
    { is: 'a name without a wildcard is only a part', ...denies({ tool: 'pa' }), effect: 'allow' },
    { is: 'a dot stands for a dot only', ...denies({ tool: 'p.y' }), effect: 'allow' },
    { is: 'one name of a list fits', ...denies({ tool: ['balance', 'pay'] }), effect: 'deny' },
    { is: 'no name of a list fits', ...denies({ tool: ['balance', 'sum'] }), effect: 'allow' },
    { is: 'the case of the name is another', ...denies({ tool: 'PAY' }), effect: 'allow' },
    { is: 'the provider is named', ...denies({ provider: 'bank' }), effect: 'deny' },
    { is: 'the tool has no provider', ...denies({ provider: '*' }), call: { tool: 'sum' }, effect: 'allow' },
    { is: 'a tag is named', ...denies({ tag: 'write' }), effect: 'deny' },
    { is: 'one of several tags fits', ...denies({ tag: ['nothing', 'mon*'] }), effect: 'deny' },
    { is: 'the tool has no tags', ...denies({ tag: '*' }), call: { tool: 'sum' }, effect: 'allow' },
    { is: 'the risk is named', ...denies({ risk: 'high' }), effect: 'deny' },
    { is: 'the risk is in a list', ...denies({ risk: ['medium', 'high'] }), effect: 'deny' },
    { is: 'the risk is another', ...denies({ risk: ['low', 'medium'] }), effect: 'allow' },
    { is: 'the caller is named', ...denies({ caller: 'desk-4' }), call: { caller: 'desk-4' }, effect: 'deny' },
    { is: 'the caller is another', ...denies({ caller: 'desk-4' }), call: { caller: 'desk-44' }, effect: 'allow' },
    { is: 'the caller fits a wildcard', ...denies({ caller: 'desk-*' }), call: { caller: 'desk-44' }, effect: 'deny' },
    { is: 'a model calls', ...denies({ origin: 'model' }), call: { origin: 'model' }, effect: 'deny' },
    { is: 'a host calls', ...denies({ origin: 'model' }), call: { origin: 'host' }, effect: 'allow' },
    {
      is: 'the method is named',
      ...denies({ method: 'delete' }),
      call: { tool: 'order_delete', parameters: { note: 'x' } },
      effect: 'deny',
    },
    {
      is: 'the method is named in capitals',
      ...denies({ method: 'DELETE' }),
      call: { tool: 'order_delete', parameters: { note: 'x' } },
      effect: 'deny',
    },
    { is: 'the method is another', ...denies({ method: ['delete', 'p*'] }), call: { tool: 'orders' }, effect: 'allow' },
    { is: 'the tool has no method', ...denies({ method: '*' }), effect: 'allow' },
    { is: 'the host of the provider is named', ...denies({ host: 'shop.example.org' }), call: { tool: 'orders' }, effect: 'deny' },
    { is: 'the host fits a wildcard', ...denies({ host: '*.example.org' }), call: { tool: 'orders' }, effect: 'deny' },
    { is: 'the host only contains the name', ...denies({ host: 'example.org' }), call: { tool: 'orders' }, effect: 'allow' },
    {
      is: 'the host has a port, capitals and a dot at its end',
      ...denies({ host: 'api.example.COM' }),
      call: { tool: 'port' },
      effect: 'deny',
    },
    { is: 'the host is all there is of the URL', ...denies({ host: 'api.example.com' }), call: { tool: 'bare' }, effect: 'deny' },
    { is: 'a query follows the host', ...denies({ host: 'api.example.com' }), call: { tool: 'query' }, effect: 'deny' },
    { is: 'a query follows another host', ...denies({ host: 'shop.example.org' }), call: { tool: 'query' }, effect: 'allow' },
    { is: 'the tool has no host', ...denies({ host: '*' }), effect: 'allow' },
    { is: 'every key fits', ...denies({ tool: 'p*', provider: 'bank', tag: 'money', risk: 'high', origin: 'host' }), effect: 'deny' },
    { is: 'one key of several does not fit', ...denies({ tool: 'p*', provider: 'bank', tag: 'money', risk: 'low' }), effect: 'allow' },
    { is: 'a rule matches everything', rules: [{ effect: 'ask' }], effect: 'ask' },
    { is: 'a match is empty', ...denies({}), effect: 'deny' },
  ]);
});

describe('a call to a host that comes out of a placeholder is', () => {
  for (const tool of ['anywhere', 'region', 'suffix', 'slashes']) {
    // Nobody is asked about a request that cannot be sent.
    const call = { tool, parameters: { to: tool === 'anywhere' ? 'https://x.example' : 'x' } };
    table([
      { is: `a rule denies some host (${tool})`, ...denies({ host: 'evil.example.net' }), call, effect: 'deny' },
      { is: `a rule denies any host (${tool})`, ...denies({ host: '*' }), call, effect: 'deny' },
      {
        is: `a rule asks about some host (${tool})`,
        rules: [{ match: { host: ['evil.example.net'] }, effect: 'ask' }],
        call,
        effect: 'ask',
      },
      { is: `only some hosts are allowed (${tool})`, ...allowsOnly({ host: ['api.example.com', '*.example.com'] }), call, effect: 'deny' },
      { is: `any host is allowed (${tool})`, ...allowsOnly({ host: '*' }), call, effect: 'allow' },
      { is: `a condition denies by host (${tool})`, rules: [{ when: 'host == "evil.example.net"', effect: 'deny' }], call, effect: 'deny' },
      {
        is: `a condition allows by host (${tool})`,
        rules: [{ when: 'host != "evil.example.net"', effect: 'allow' }],
        default: { low: 'ask', medium: 'ask', high: 'ask' },
        call,
        effect: 'ask',
      },
    ]);
  }
});

describe('the order of rules: a call is', () => {
  table([
    {
      is: 'it is allowed first and denied later',
      rules: [{ match: { tool: 'pay' }, effect: 'allow' }, { effect: 'deny' }],
      effect: 'allow',
    },
    {
      is: 'it is denied first and allowed later',
      rules: [{ effect: 'deny' }, { match: { tool: 'pay' }, effect: 'allow' }],
      effect: 'deny',
    },
    { is: 'the rule before is about another tool', rules: [{ match: { tool: 'sum' }, effect: 'deny' }, { effect: 'ask' }], effect: 'ask' },
    {
      is: 'the rule before is about another caller',
      rules: [{ match: { caller: 'x' }, effect: 'deny' }, { effect: 'ask' }],
      effect: 'ask',
    },
    {
      is: 'the condition before is false',
      rules: [
        { when: 'false', effect: 'deny' },
        { when: 'true', effect: 'ask' },
      ],
      effect: 'ask',
    },
    { is: 'a rule in shadow stands before', rules: [{ effect: 'deny', shadow: true }, { effect: 'ask' }], effect: 'ask' },
    { is: 'an allowing rule in shadow stands before', rules: [{ effect: 'allow', shadow: true }, { effect: 'deny' }], effect: 'deny' },
  ]);
});

describe('a call that no rule is about is', () => {
  table([
    { is: 'its risk has no default', default: { low: 'deny', medium: 'deny' }, effect: 'allow' },
    { is: 'high risk asks', default: { high: 'ask' }, effect: 'ask' },
    { is: 'high risk is denied', default: { high: 'deny' }, effect: 'deny' },
    { is: 'low risk is denied', default: { low: 'deny' }, call: { tool: 'balance' }, effect: 'deny' },
    { is: 'medium risk asks', default: { medium: 'ask' }, call: { tool: 'sum' }, effect: 'ask' },
    { is: 'a rule allows it against the default', ...allowsOnly({ tool: 'pay' }), effect: 'allow' },
    {
      is: 'its method alone makes its risk high',
      default: { high: 'ask' },
      call: { tool: 'order_delete', parameters: { note: 'x' } },
      effect: 'ask',
    },
  ]);
});

describe('the verdict of other plugins', () => {
  it('stays when a rule allows the call', async () => {
    const strict = definePlugin({
      name: 'strict',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap('strict', (draft) => deny(draft, { kind: 'strict', message: 'never' })),
    });
    const { effectOf } = await policed({ rules: [{ effect: 'allow' }] }, { plugins: [strict()] });
    expect(await effectOf({ tool: 'pay' })).to.equal('deny');
  });

  it('is made after they have changed the parameters', async () => {
    const late = definePlugin({
      name: 'late',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap({ name: 'late', stage: 999 }, (draft) => ({ ...draft, parameters: { amount: 7 } })),
    });
    const { effectOf } = await policed({ rules: [{ when: 'params.amount == 7', effect: 'deny' }] }, { plugins: [late()] });
    expect(await effectOf({ tool: 'pay', parameters: { amount: 1 } })).to.equal('deny');
  });
});

describe('the reasons of a policy', () => {
  const cases = [
    { rule: { name: 'no-pay', effect: 'deny', reason: 'Paying needs a contract.' }, says: 'Paying needs a contract. (rule "no-pay")' },
    { rule: { name: 'no-pay', effect: 'ask' }, says: 'the policy asks for approval (rule "no-pay")' },
    { rule: { effect: 'deny', reason: 'Not here.' }, says: 'Not here. (rule 1)' },
    {
      rule: { effect: 'deny', when: 'params.none' },
      says: 'the policy denies it (rule 1); its condition could not be evaluated',
    },
  ] as const;
  for (const { rule, says } of cases) {
    it(`name the rule: ${says}`, async () => {
      const { reasonsOf } = await policed({ rules: [rule] });
      expect(await reasonsOf({ tool: 'pay' })).to.deep.equal([says]);
    });
  }

  it('name the risk where no rule decides', async () => {
    const { reasonsOf } = await policed({ default: { high: 'ask' } });
    expect(await reasonsOf({ tool: 'pay' })).to.deep.equal(['the policy asks for approval of calls of risk high that no rule is about']);
  });
});
