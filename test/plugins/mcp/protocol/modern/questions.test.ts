import { expect } from 'chai';
import type { CallClient, Question } from '../../../../../kernel/index.ts';
import { ToolkitError } from '../../../../../kernel/index.ts';
import { testKernel } from '../../../../support/test-kernel.ts';
import { handlerTool, source } from '../../support/client.ts';
import { asks, ModernClient, textIn } from '../../support/modern-client.ts';

interface Asking {
  readonly client: CallClient;
}

const question: Question = {
  message: 'Which size?',
  schema: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] },
};
const accepted = (size: unknown) => ({ action: 'accept', content: { size } });
const everything = { elicitation: {}, sampling: {}, roots: {} };

/** A client with a tool `it` that does this. */
async function clientOf(handler: (_: never, context: Asking) => unknown, capabilities: object = everything): Promise<ModernClient> {
  return ModernClient.connect(await testKernel({ tools: [handlerTool(handler as never)] }), { capabilities });
}

const asker = (more: Partial<Question> = {}) => clientOf((_, { client }) => client.elicit?.({ ...question, ...more }));

describe('a question of 2026-07-28', () => {
  it('ends the request, which is made again with the answer', async () => {
    const asking = await asker();
    const { inputRequests, requestState } = asks(await asking.call('it'));
    expect(inputRequests).to.deep.equal({
      question_1: { method: 'elicitation/create', params: { message: 'Which size?', requestedSchema: question.schema } },
    });
    const inputResponses = { question_1: accepted(4) };
    expect(JSON.parse(textIn(await asking.call('it', {}, { inputResponses, requestState })))).to.deep.equal(accepted(4));
  });

  it('has the name that the tool gives it', async () => {
    expect(Object.keys(asks(await (await asker({ name: 'size' })).call('it')).inputRequests)).to.deep.equal(['size']);
  });

  for (const action of ['decline', 'cancel'])
    it(`is answered with ${action}`, async () => {
      const asking = await asker();
      const { requestState } = asks(await asking.call('it'));
      const result = await asking.call('it', {}, { inputResponses: { question_1: { action } }, requestState });
      expect(JSON.parse(textIn(result))).to.deep.equal({ action });
    });

  const notAnswers: readonly (readonly [what: string, responses: object])[] = [
    ['nothing', {}],
    ['the answer to another', { question_2: accepted(4) }],
    ['an unknown action', { question_1: { action: 'agree' } }],
    ['no action', { question_1: { content: { size: 4 } } }],
    ['content that is a text', { question_1: { action: 'accept', content: 'size' } }],
    ['content that is a list', { question_1: { action: 'accept', content: [4] } }],
    ['what a model says', { question_1: { model: 'm', content: { type: 'text', text: 'x' }, role: 'assistant' } }],
    ['folders', { question_1: { roots: [] } }],
    ['a name of every object', { __proto__: null, toString: accepted(4), constructor: accepted(4) }],
  ];
  for (const [what, inputResponses] of notAnswers)
    it(`is asked again after ${what}`, async () => {
      const asking = await asker();
      const { requestState } = asks(await asking.call('it'));
      expect(asks(await asking.call('it', {}, { inputResponses, requestState })).inputRequests).to.have.all.keys('question_1');
    });

  const malformed: readonly (readonly [what: string, more: object, says: string])[] = [
    ['answers that are a list', { inputResponses: [] }, '"inputResponses" of the request is wrong: expected an object'],
    ['answers that are null', { inputResponses: null }, '"inputResponses"'],
    ['answers that are a text', { inputResponses: 'yes' }, '"inputResponses"'],
    ['an answer that is a text', { inputResponses: { question_1: 'yes' } }, '"question_1": expected an object'],
    ['an answer that is null', { inputResponses: { question_1: null } }, '"question_1": expected an object'],
    ['a state that is a number', { requestState: 5 }, '"requestState" of the request is wrong: expected a text'],
    ['a state that is null', { requestState: null }, '"requestState"'],
    ['a state that is an object', { requestState: {} }, '"requestState"'],
    ['a state that is nothing of ours', { requestState: 'x' }, '"requestState" is not one that this server made'],
    ['an empty state', { requestState: '' }, '"requestState" is not one that this server made'],
  ];
  for (const [what, more, says] of malformed)
    it(`is not asked, and the request is refused, with ${what}`, async () => {
      const { message } = await (await asker()).refusal(-32602, 'tools/call', { name: 'it', arguments: {}, ...more });
      expect(message).to.include(says);
    });

  it('fails where the answer does not fit it', async () => {
    const asking = await asker();
    const { requestState } = asks(await asking.call('it'));
    const { isError, content } = await asking.call('it', {}, { inputResponses: { question_1: accepted('large') }, requestState });
    expect(isError).to.equal(true);
    expect(JSON.stringify(content)).to.include("The client's answer does not fit the question").and.include('size');
  });

  it('takes an answer without a state where the answer holds for anything', async () => {
    const result = await (await asker()).call('it', {}, { inputResponses: { question_1: accepted(4) } });
    expect(JSON.parse(textIn(result))).to.deep.equal(accepted(4));
  });

  it('comes with all others that are asked at once, of any kind', async () => {
    const asking = await clientOf((_, { client }) =>
      Promise.all([
        client.elicit?.({ ...question, name: 'size' }),
        client.sample?.({ name: 'poem', messages: [{ role: 'user', content: { type: 'text', text: 'Rhyme' } }], maxTokens: 10 }),
        client.roots?.(),
      ]),
    );
    const { inputRequests, requestState } = asks(await asking.call('it'));
    expect(Object.entries(inputRequests).map(([name, { method }]) => [name, method])).to.deep.equal([
      ['size', 'elicitation/create'],
      ['poem', 'sampling/createMessage'],
      ['question_3', 'roots/list'],
    ]);
    const answers = {
      size: accepted(4),
      poem: { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } },
      question_3: { roots: [{ uri: 'file:///a', name: 'a' }] },
    };
    const partly = asks(await asking.call('it', {}, { inputResponses: { size: answers.size }, requestState }));
    expect(Object.keys(partly.inputRequests)).to.deep.equal(['poem', 'question_3']);
    const { size: _, ...others } = answers;
    const result = await asking.call('it', {}, { inputResponses: others, requestState: partly.requestState });
    expect(JSON.parse(textIn(result))).to.deep.equal([
      answers.size,
      { content: { type: 'text', text: 'x' }, model: 'm' },
      [{ uri: 'file:///a', name: 'a' }],
    ]);
  });

  it('comes after the one before it is answered, which is not asked again', async () => {
    const asking = await clientOf(async (_, { client }) => [
      await client.elicit?.({ ...question, name: 'first' }),
      await client.elicit?.({ ...question, name: 'second' }),
    ]);
    const first = asks(await asking.call('it'));
    const second = asks(await asking.call('it', {}, { inputResponses: { first: accepted(1) }, requestState: first.requestState }));
    expect(Object.keys(second.inputRequests)).to.deep.equal(['second']);
    const result = await asking.call('it', {}, { inputResponses: { second: accepted(2) }, requestState: second.requestState });
    expect(JSON.parse(textIn(result))).to.deep.equal([accepted(1), accepted(2)]);
  });

  for (const [member, capability] of [
    ['elicit', 'elicitation'],
    ['sample', 'sampling'],
    ['roots', 'roots'],
  ] as const)
    it(`that needs ${capability} is refused with -32021 where the client has it not`, async () => {
      const { [capability]: _, ...others } = everything;
      const asking = await clientOf((_none, { client }) => {
        if (client[member] === undefined) throw new ToolkitError('EXECUTION_FAILED', 'It cannot be asked.', { clientLacks: [member] });
        return 'it can';
      }, others);
      const { data } = await asking.refusal(-32021, 'tools/call', { name: 'it', arguments: {} });
      expect(data).to.deep.equal({ requiredCapabilities: { [capability]: {} } });
    });

  it('is asked by prompts and resources as well', async () => {
    const kernel = await testKernel({
      plugins: [
        source((sink) => {
          sink.addPrompt({
            name: 'p',
            get: async (_, { client }) => {
              const answer = await client.elicit?.(question);
              return [{ role: 'user', content: { type: 'text', text: JSON.stringify(answer?.content) } }];
            },
          });
          sink.addResource({
            uri: 'a:1',
            name: 'a',
            read: async ({ client }) => ({ uri: 'a:1', text: JSON.stringify((await client.elicit?.(question))?.content) }),
          });
        }),
      ],
    });
    const asking = await ModernClient.connect(kernel, { capabilities: everything });
    for (const [method, params] of [
      ['prompts/get', { name: 'p' }],
      ['resources/read', { uri: 'a:1' }],
    ] as const) {
      const { requestState } = asks(await asking.result(method, params));
      const result = await asking.result(method, { ...params, inputResponses: { question_1: accepted(4) }, requestState });
      expect(JSON.stringify(result), method).to.include('{\\"size\\":4}');
    }
  });
});
