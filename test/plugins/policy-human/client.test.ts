import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { type Answer, apiVersion, type CallClient, definePlugin, type Question } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { connect, failure, textOf } from '../mcp/support/client.ts';
import { asked } from './asked.ts';

const yes = { action: 'accept', content: { approve: true } } as const;

/** A client whose person answers so, and what that person was asked. */
function person(answer: () => Answer | Promise<Answer>): { readonly client: CallClient; readonly questions: Question[] } {
  const questions: Question[] = [];
  const elicit = async (question: Question): Promise<Answer> => {
    questions.push(question);
    return answer();
  };
  return { client: { elicit }, questions };
}

describe('the human policy without a callback', () => {
  for (const origin of ['host', 'model'] as const) {
    it(`asks the person at the client of a ${origin}, and runs what that person approves`, async () => {
      const { kernel, ran } = await asked({ tool: { secrets: ['SHOP_TOKEN'] } });
      const { client, questions } = person(() => yes);
      await kernel.call({ tool: 'echo', parameters: { text: 'pay value-of-shop-token' }, origin, client, caller: 'desk-4' });
      expect([ran(), questions.length]).to.deep.equal([1, 1]);
      expect(questions[0]?.message).to.equal(
        [
          'Run "echo"? Its risk is high.',
          '```',
          'tool: echo',
          'caller: "desk-4"',
          'reason: its risk is high, and calls of risk high and above are put to a person',
          'parameters:',
          '  "text": "pay [secret SHOP_TOKEN]"',
          '```',
        ].join('\n'),
      );
    });
  }

  const refusals: readonly { what: string; answer: () => Answer | Promise<Answer>; code: 'APPROVAL_DENIED' | 'APPROVAL_REQUIRED' }[] = [
    { what: 'says no', answer: () => ({ action: 'decline' }), code: 'APPROVAL_DENIED' },
    { what: 'leaves the box empty', answer: () => ({ action: 'accept', content: { approve: false } }), code: 'APPROVAL_DENIED' },
    { what: 'sends another form', answer: () => ({ action: 'accept', content: { ok: true } }), code: 'APPROVAL_DENIED' },
    { what: 'does not decide', answer: () => ({ action: 'cancel' }), code: 'APPROVAL_REQUIRED' },
    { what: 'cannot be reached', answer: () => Promise.reject(new Error('no screen')), code: 'APPROVAL_REQUIRED' },
  ];
  for (const { what, answer, code } of refusals) {
    it(`refuses when the person ${what}`, async () => {
      const { kernel, ran } = await asked({});
      await rejection(kernel.execute('echo', {}, { client: person(answer).client, approved: true }), code);
      expect(ran()).to.equal(0);
    });
  }

  it('refuses when the person does not answer in time', async () => {
    const { kernel, ran } = await asked({ approveMs: 30 });
    await rejection(kernel.execute('echo', {}, { client: person(() => new Promise(() => {})).client }), 'TIMEOUT');
    expect(ran()).to.equal(0);
  });

  it('does not ask below the risk', async () => {
    const { kernel, ran } = await asked({ tool: { risk: 'medium' } });
    const { client, questions } = person(() => ({ action: 'decline' }));
    await kernel.execute('echo', {}, { client });
    expect([ran(), questions.length]).to.deep.equal([1, 0]);
  });

  it('asks over MCP, where the client can ask', async () => {
    const { kernel, ran } = await asked({});
    const { client, call } = await connect(kernel, { capabilities: { elicitation: {} } });
    const answers: ElicitResult[] = [yes, { action: 'decline' }];
    client.setRequestHandler(ElicitRequestSchema, () => answers.shift() ?? { action: 'cancel' });
    textOf(await call('echo', { text: 'a' }));
    failure(await call('echo', { text: 'a' }), 'APPROVAL_DENIED');
    failure(await call('echo', { text: 'a' }), 'APPROVAL_REQUIRED');
    expect(ran()).to.equal(1);
  });

  it('refuses over MCP where the client cannot ask', async () => {
    const { kernel, ran } = await asked({});
    const { call } = await connect(kernel);
    failure(await call('echo'), 'APPROVAL_REQUIRED');
    expect(ran()).to.equal(0);
  });
});

describe('the callback of the human policy', () => {
  it('is asked in place of the client', async () => {
    const { kernel, ran } = await asked({ answer: () => false });
    const { client, questions } = person(() => yes);
    await rejection(kernel.execute('echo', {}, { client }), 'APPROVAL_DENIED');
    expect([ran(), questions.length]).to.deep.equal([0, 0]);
  });

  it('hears that the call has ended, and an answer after that counts for nothing', async () => {
    const own = new AbortController();
    let heard = false;
    const answer = (_: unknown, signal: AbortSignal): boolean => {
      own.abort();
      heard = signal.aborted;
      return true;
    };
    const { kernel, ran } = await asked({ answer });
    await rejection(kernel.execute('echo', {}, { signal: own.signal }), 'ABORTED');
    expect([heard, ran()]).to.deep.equal([true, 0]);
  });

  it('is told the provider of the tool, where it has one', async () => {
    const shop = definePlugin({
      name: 'shop',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('shop', (sink) => {
          sink.addProvider({ provider: { name: 'shop' } }, { trust: 'operator' });
          const execution = { type: 'function', handler: () => 'sold' };
          sink.addTool({ name: 'shop_sell_thing', description: 'Sells.', risk: 'high', execution }, { trust: 'operator' }, 'shop');
        }),
    });
    const { kernel, requests } = await asked({ answer: () => true, plugins: [shop()] });
    await kernel.execute('shop_sell_thing');
    await kernel.execute('echo');
    expect(requests.map(({ provider }) => provider)).to.deep.equal(['shop', undefined]);
  });
});
