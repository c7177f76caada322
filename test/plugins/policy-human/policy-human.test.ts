import { expect } from 'chai';
import { apiVersion, definePlugin, type Risk, riskLevels } from '../../../kernel/index.ts';
import { type HumanRequest, policyHuman } from '../../../plugins/policy-human/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { asked } from './asked.ts';

describe('the human policy', () => {
  for (const origin of ['host', 'model'] as const) {
    it(`runs a call of a ${origin} that the person approves`, async () => {
      const { kernel, requests, ran } = await asked({ answer: () => true });
      await kernel.call({ tool: 'echo', origin });
      expect([requests.length, ran()]).to.deep.equal([1, 1]);
    });

    it(`refuses a call of a ${origin} that the person does not approve`, async () => {
      const { kernel, ran } = await asked({ answer: async () => false });
      const error = await rejection(kernel.call({ tool: 'echo', origin }), 'APPROVAL_DENIED');
      expect(error.message).to.equal('"echo" was not approved by onHITL');
      expect(ran()).to.equal(0);
    });
  }

  const answers = [undefined, null, 1, 'true', 'yes', {}, [], { approved: true }, () => true, Promise.resolve('true')];
  for (const answer of answers) {
    it(`takes an answer that is not true for a no: ${String(JSON.stringify(answer))} (${typeof answer})`, async () => {
      const { kernel, ran } = await asked({ answer: () => answer });
      await rejection(kernel.execute('echo'), 'APPROVAL_DENIED');
      expect(ran()).to.equal(0);
    });
  }

  for (const [what, answer] of Object.entries({ throws: () => fail('pager is down'), rejects: async () => fail('pager is down') })) {
    it(`refuses a call when the callback ${what}`, async () => {
      const { kernel, ran } = await asked({ answer });
      const error = await rejection(kernel.execute('echo'), 'PLUGIN_FAILED');
      expect(error.message).to.include('Plugin "policy-human" failed in "approve" for tool "echo": pager is down');
      expect(ran()).to.equal(0);
    });
  }

  it('refuses a call when there is no callback', async () => {
    const { kernel, ran } = await asked({});
    const error = await rejection(kernel.execute('echo'), 'APPROVAL_REQUIRED');
    expect(error.message).to.include('its risk is high, and calls of risk high and above are put to a person');
    expect(ran()).to.equal(0);
  });

  it('refuses a call that nobody answers in time', async () => {
    const { kernel, ran } = await asked({ answer: () => new Promise(() => {}), approveMs: 30 });
    const error = await rejection(kernel.execute('echo'), 'TIMEOUT');
    expect(error.message).to.include('Plugin "policy-human" in "approve" did not end within 30 ms');
    expect(ran()).to.equal(0);
  });

  it('shows the person what is about to run, without secrets', async () => {
    const { kernel, requests } = await asked({ answer: () => true, tool: { secrets: ['SHOP_TOKEN'] } });
    await kernel.call({ tool: 'echo', parameters: { text: 'pay with value-of-shop-token' }, caller: 'desk-4' });
    expect(requests).to.deep.equal([
      {
        tool: 'echo',
        description: 'Gives its parameters back.',
        risk: 'high',
        reason: 'its risk is high, and calls of risk high and above are put to a person',
        parameters: { text: 'pay with [secret SHOP_TOKEN]' },
        caller: 'desk-4',
      },
    ]);
  });

  it('shows the parameters as other plugins have left them, and the call runs with those', async () => {
    const rewrite = definePlugin({
      name: 'rewrite',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tap('rewrite', (draft) => ({ ...draft, parameters: { text: 'rewritten' } })),
    });
    const { kernel, requests } = await asked({ answer: () => true, plugins: [rewrite()] });
    expect(await kernel.execute('echo', { text: 'as given' })).to.deep.equal({ text: 'rewritten' });
    expect(requests.map(({ parameters }) => parameters)).to.deep.equal([{ text: 'rewritten' }]);
  });

  it('lets the callback change nothing', async () => {
    const meddle = ({ parameters }: HumanRequest): boolean => {
      Reflect.set(parameters, 'text', 'changed');
      return true;
    };
    const { kernel } = await asked({ answer: meddle });
    expect(await kernel.execute('echo', { text: 'as given' })).to.deep.equal({ text: 'as given' });
  });
});

describe('the risk from which the human policy asks', () => {
  const cases: readonly { minimum: Risk | undefined; asks: readonly Risk[] }[] = [
    { minimum: undefined, asks: ['high'] },
    { minimum: 'high', asks: ['high'] },
    { minimum: 'medium', asks: ['medium', 'high'] },
    { minimum: 'low', asks: ['low', 'medium', 'high'] },
  ];
  for (const { minimum, asks } of cases) {
    it(`is ${asks[0]} when hitlMinRiskLevel is ${minimum ?? 'not given'}`, async () => {
      for (const risk of riskLevels) {
        const policy = minimum === undefined ? {} : { hitlMinRiskLevel: minimum };
        const { kernel, requests } = await asked({ answer: () => true, policy, tool: { risk } });
        await kernel.execute('echo');
        expect(requests.length, risk).to.equal(asks.includes(risk) ? 1 : 0);
      }
    });
  }

  it('is reached by a function that declares no risk', async () => {
    const { kernel, requests } = await asked({ answer: () => true, tool: { risk: undefined } });
    await kernel.execute('echo');
    expect(requests.map(({ risk }) => risk)).to.deep.equal(['high']);
  });
});

describe('the human policy and the approval gate', () => {
  const gatedCall = { tool: 'echo', origin: 'model' } as const;
  const cases = [
    { what: 'neither says yes', flag: false, person: false, code: 'APPROVAL_DENIED' },
    { what: 'only the flag says yes', flag: true, person: false, code: 'APPROVAL_DENIED' },
    { what: 'only the person says yes', flag: false, person: true, code: 'APPROVAL_REQUIRED' },
  ] as const;
  for (const { what, flag, person, code } of cases) {
    it(`refuse a call when ${what}`, async () => {
      const { kernel, ran } = await asked({ answer: () => person, tool: { requires_approval: true } });
      const error = await rejection(kernel.call({ ...gatedCall, approved: flag }), code);
      expect(error.details['reasons']).to.have.length(2);
      expect(ran()).to.equal(0);
    });
  }

  it('let a call pass when both agree', async () => {
    const { kernel, requests, ran } = await asked({ answer: () => true, tool: { requires_approval: true } });
    await kernel.call({ ...gatedCall, approved: true });
    expect([requests.length, ran()]).to.deep.equal([1, 1]);
  });

  it('the flag counts for nothing on a tool that only the policy holds', async () => {
    const { kernel, ran } = await asked({ answer: () => false });
    await rejection(kernel.call({ ...gatedCall, approved: true }), 'APPROVAL_DENIED');
    expect(ran()).to.equal(0);
  });
});

describe('the options of the human policy', () => {
  it('switch it off by default', async () => {
    const { kernel, requests, ran } = await asked({ answer: () => false, policy: { enableHITL: false } });
    await kernel.execute('echo');
    expect([requests.length, ran()]).to.deep.equal([0, 1]);
  });

  const wrong = [
    { policy: { hitlMinRiskLevel: 'extreme' }, says: 'hitlMinRiskLevel' },
    { policy: { enableHITL: 'yes' }, says: 'enableHITL' },
    { policy: { onHITL: () => true, enableHITL: undefined as unknown as boolean }, says: 'onHITL is asked only with "enableHITL: true"' },
    { policy: { onHITL: 'ask me' }, says: 'onHITL expected a function' },
    { policy: { enableHitl: true }, says: 'Did you mean "enableHITL"?' },
  ];
  for (const { policy, says } of wrong) {
    it(`are refused with ${JSON.stringify(policy)}`, async () => {
      expect((await rejection(asked({ policy }), 'PLUGIN_INVALID')).message).to.include(says);
    });
  }

  it('make a plugin that keeps the contract', async () => {
    expect(await checkPlugin(policyHuman, { enableHITL: true })).to.deep.equal([]);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
