import { expect } from 'chai';
import { type Answer, apiVersion, type CallClient, definePlugin, type Question } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { policed } from './policed.ts';

const asks = { rules: [{ name: 'ask-pay', effect: 'ask' as const, reason: 'Paying needs a yes.' }] };

function client(answer: () => Promise<Answer>): CallClient & { readonly questions: Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    elicit: (question) => {
      questions.push(question);
      return answer();
    },
  };
}

const yes = async (): Promise<Answer> => ({ action: 'accept', content: { approve: true } });

describe('a call that a rule asks about', () => {
  it('runs when the person at the client says yes', async () => {
    const { kernel } = await policed(asks);
    expect((await kernel.call({ tool: 'pay', client: client(yes) })).output).to.equal('ran');
  });

  it('shows the person the tool, the reason and the parameters, without secrets', async () => {
    const keeper = definePlugin({ name: 'keeper', apiVersion, apply: (kernel) => kernel.maskAlso('DOOR', 'hunter2-hunter2') });
    const { kernel } = await policed(asks, { plugins: [keeper()] });
    const asked = client(yes);
    await kernel.call({ tool: 'pay', parameters: { amount: 5, note: 'hunter2-hunter2' }, caller: 'desk-4', client: asked });
    expect(asked.questions.map(({ message }) => message)).to.have.length(1);
    const shown = ['Run "pay"?', 'Paying needs a yes. (rule "ask-pay")', '"amount": 5', '"note": "[secret DOOR]"', 'desk-4'];
    for (const text of shown) expect(asked.questions[0]?.message).to.include(text);
  });

  const noes: Readonly<Record<string, { answer: () => Promise<Answer>; code: 'APPROVAL_DENIED' | 'APPROVAL_REQUIRED' }>> = {
    declines: { answer: async () => ({ action: 'decline' }), code: 'APPROVAL_DENIED' },
    'accepts without a tick': { answer: async () => ({ action: 'accept', content: { approve: false } }), code: 'APPROVAL_DENIED' },
    'accepts and says nothing': { answer: async () => ({ action: 'accept' }), code: 'APPROVAL_DENIED' },
    'does not decide': { answer: async () => ({ action: 'cancel' }), code: 'APPROVAL_REQUIRED' },
    'cannot be reached': { answer: () => Promise.reject(new Error('gone')), code: 'APPROVAL_REQUIRED' },
  };
  for (const [what, { answer, code }] of Object.entries(noes)) {
    it(`is refused when the person ${what}`, async () => {
      const { kernel } = await policed(asks);
      await rejection(kernel.call({ tool: 'pay', client: client(answer) }), code);
    });
  }

  it('is refused where the client cannot ask', async () => {
    const { kernel } = await policed(asks);
    const error = await rejection(kernel.call({ tool: 'pay', client: {} }), 'APPROVAL_REQUIRED');
    expect(error.message).to.equal('"pay" needs approval and was not run: Paying needs a yes. (rule "ask-pay")');
  });

  it('is refused although the caller says that a person approved', async () => {
    const { kernel } = await policed(asks);
    await rejection(kernel.call({ tool: 'pay', origin: 'model', approved: true }), 'APPROVAL_REQUIRED');
  });
});

describe('a call that a rule denies', () => {
  it('is put to nobody', async () => {
    const { kernel } = await policed({ rules: [{ effect: 'deny' }] });
    const asked = client(yes);
    const error = await rejection(kernel.call({ tool: 'pay', client: asked }), 'POLICY_DENIED');
    expect(error.message).to.equal('"pay" is refused: the policy denies it (rule 1)');
    expect(asked.questions).to.deep.equal([]);
  });
});
