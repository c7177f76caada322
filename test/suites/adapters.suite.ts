import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { type ApprovalInterrupt, type Interrupt, langchainTools } from '../../plugins/adapter-langchain/index.ts';
import { ScriptedModel } from '../plugins/adapter-langchain/scripted-model.ts';
import { world } from '../plugins/shared/model-tools/host.ts';

/** Where `npm run test:suite clients` installs LangGraph. */
const installed = path.resolve('node_modules/.cache/clients/node_modules/@langchain/langgraph/dist');

interface State {
  readonly messages: readonly { readonly type: string; readonly content: unknown; readonly status?: string }[];
  readonly __interrupt__?: readonly { readonly value: ApprovalInterrupt }[];
}

interface Agent {
  invoke(input: unknown, config: object): Promise<State>;
  stream(input: unknown, config: object): Promise<AsyncIterable<unknown>>;
}

interface LangGraph {
  readonly interrupt: Interrupt;
  readonly MemorySaver: new () => object;
  readonly Command: new (options: { resume: unknown }) => object;
}

const { interrupt, MemorySaver, Command } = (await import(pathToFileURL(path.join(installed, 'index.js')).href)) as LangGraph;
const { createReactAgent } = (await import(pathToFileURL(path.join(installed, 'prebuilt/index.js')).href)) as {
  createReactAgent(options: object): Agent;
};

const input = { messages: [{ role: 'user', content: 'Pay.' }] };
const thread = { configurable: { thread_id: '1' } };

/** Returns the results of its calls that the model received. */
const results = ({ messages }: State): unknown[] => messages.filter(({ type }) => type === 'tool').map(({ content }) => content);

const question = ({ __interrupt__: [first] = [] }: State): ApprovalInterrupt => {
  if (first === undefined) throw new Error('The graph was not interrupted.');
  return first.value;
};

describe('the adapter for LangChain in an agent of LangGraph', () => {
  for (const version of ['v1', 'v2'] as const)
    it(`stops for a person in the middle, and runs each call once after the yes (${version})`, async () => {
      const { kernel, ran } = await world();
      const llm = new ScriptedModel(
        [{ name: 'bank_echo', args: { text: 'one' } }],
        [
          { name: 'bank_pay', args: { amount: 1 } },
          { name: 'bank_pay', args: { amount: 2 } },
        ],
      );
      const tools = langchainTools(kernel, { interrupt });
      const agent = createReactAgent({ llm, tools, checkpointer: new MemorySaver(), version });
      let state = await agent.invoke(input, thread);
      expect(ran).to.deep.equal(['bank_echo {"text":"one"}']);
      const asked: string[] = [];
      for (; state.__interrupt__ !== undefined && asked.length < 5; ) {
        const pending = state.__interrupt__.map(({ value }) => value);
        asked.push(...pending.map(({ request }) => JSON.stringify(request.parameters)));
        const { id } = question(state);
        state = await agent.invoke(new Command({ resume: answersTo(state, id) }), thread);
      }
      expect([...new Set(asked)].sort()).to.deep.equal(['{"amount":1}', '{"amount":2}']);
      expect([...ran].sort()).to.deep.equal(['bank_echo {"text":"one"}', 'bank_pay {"amount":1}', 'bank_pay {"amount":2}']);
      expect(results(state)).to.deep.equal(['{"text":"one"}', '{"paid":true}', '{"paid":true}']);
      expect(state.messages.at(-1)?.content).to.equal('done');
    });

  it('runs nothing after a no, and the model reads why', async () => {
    const { kernel, ran } = await world();
    const llm = new ScriptedModel([{ name: 'bank_pay', args: { amount: 1 } }]);
    const agent = createReactAgent({ llm, tools: langchainTools(kernel, { interrupt }), checkpointer: new MemorySaver() });
    const { id } = question(await agent.invoke(input, thread));
    const state = await agent.invoke(new Command({ resume: { id, approved: false } }), thread);
    expect(String(results(state)[0])).to.include('APPROVAL_DENIED');
    expect(ran).to.deep.equal([]);
  });

  it('tells those who stream what is custom how far a tool is, and marks failures', async () => {
    const { kernel } = await world();
    const llm = new ScriptedModel([{ name: 'bank_progress', args: {} }], [{ name: 'bank_fail', args: {} }]);
    const agent = createReactAgent({ llm, tools: langchainTools(kernel) });
    const chunks: unknown[] = [];
    for await (const chunk of await agent.stream(input, { streamMode: 'custom' })) chunks.push(chunk);
    expect(chunks).to.deep.equal([{ type: 'toolkit/progress', tool: 'bank_progress', progress: 1, total: 2, message: 'counting' }]);
    const failed = await createReactAgent({
      llm: new ScriptedModel([{ name: 'bank_fail', args: {} }]),
      tools: langchainTools(kernel),
    }).invoke(input, {});
    expect(failed.messages.find(({ type }) => type === 'tool')).to.include({ status: 'error' });
  });
});

/** One answer, or one for each task that waits. */
function answersTo({ __interrupt__: waiting = [] }: State, id: string): unknown {
  if (waiting.length < 2) return { id, approved: true };
  const byTask = waiting as readonly { readonly id: string; readonly value: ApprovalInterrupt }[];
  return Object.fromEntries(byTask.map((one) => [one.id, { id: one.value.id, approved: true }]));
}
