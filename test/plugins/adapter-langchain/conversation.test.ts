import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { StructuredTool } from '@langchain/core/tools';
import { expect } from 'chai';
import { type ApprovalInterrupt, langchainTools } from '../../../plugins/adapter-langchain/index.ts';
import { rejection } from '../../support/rejection.ts';
import { png, world } from '../shared/model-tools/host.ts';
import { ScriptedModel } from './scripted-model.ts';

const toolNamed = (tools: readonly StructuredTool[], name: string): StructuredTool => {
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
};

const call = (name: string, args: Readonly<Record<string, unknown>>, id = '1') => ({
  type: 'tool_call' as const,
  id,
  name,
  args: { ...args },
});

describe('a conversation of LangChain', () => {
  it('takes two steps, with a person who is asked in the middle', async () => {
    const { kernel, ran } = await world();
    const asked: unknown[] = [];
    const tools = langchainTools(kernel, { onApproval: ({ request }) => asked.push(request.parameters) > 0 });
    const model = new ScriptedModel(
      [{ name: 'bank_echo', args: { text: 'one' } }],
      [
        { name: 'bank_pay', args: { amount: 9 } },
        { name: 'bank_fail', args: {} },
      ],
    );
    const messages: BaseMessage[] = [new HumanMessage('Pay.')];
    for (let answer = await model.invoke(messages); ; answer = await model.invoke(messages)) {
      messages.push(answer);
      if (answer.tool_calls === undefined || answer.tool_calls.length === 0) break;
      for (const wanted of answer.tool_calls) messages.push(await toolNamed(tools, wanted.name).invoke({ ...wanted, type: 'tool_call' }));
    }
    expect(messages.at(-1)?.content).to.equal('done');
    expect(asked).to.deep.equal([{ amount: 9 }]);
    expect(ran).to.deep.equal(['bank_echo {"text":"one"}', 'bank_pay {"amount":9}', 'bank_fail {}']);
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    expect(results.map(({ status, content, tool_call_id: id }) => [id, status, content])).to.deep.equal([
      ['call-1-0', 'success', '{"text":"one"}'],
      ['call-2-0', 'success', '{"paid":true}'],
      ['call-2-1', 'error', 'EXECUTION_FAILED: The function of "bank_fail" failed: the vault is locked'],
    ]);
    expect(results.map(({ artifact }) => artifact)).to.deep.include({ text: 'one' });
    expect(results[2]?.artifact).to.deep.include({ code: 'EXECUTION_FAILED', tool: 'bank_fail' });
  });

  it('throws what failed where a tool is invoked without a call of a model', async () => {
    const { kernel } = await world();
    const tools = langchainTools(kernel);
    expect(await toolNamed(tools, 'bank_echo').invoke({ text: 'one' })).to.equal('{"text":"one"}');
    expect((await rejection(toolNamed(tools, 'bank_fail').invoke({}), 'EXECUTION_FAILED')).message).to.include('the vault is locked');
  });

  it('says what is wrong with arguments as the kernel does', async () => {
    const { kernel } = await world();
    const answer: unknown = await toolNamed(langchainTools(kernel), 'bank_echo').invoke(call('bank_echo', { text: 5 }));
    expect(answer).to.include({ status: 'error' });
    expect((answer as ToolMessage).content)
      .to.include('INVALID_PARAMETERS')
      .and.include('text');
  });

  it('tells how far a tool is, to those who listen to events and to the writer of LangGraph', async () => {
    const { kernel } = await world();
    const told: unknown[] = [];
    const callbacks = [{ handleCustomEvent: (name: string, data: unknown) => void told.push([name, data]) }];
    const config = { callbacks, writer: (chunk: unknown) => void told.push(chunk) };
    await toolNamed(langchainTools(kernel), 'bank_progress').invoke(call('bank_progress', {}), config);
    const progress = { tool: 'bank_progress', progress: 1, total: 2, message: 'counting' };
    expect(told).to.have.deep.members([{ type: 'toolkit/progress', ...progress }, ['toolkit/progress', progress]]);
  });

  it('shows pictures as images', async () => {
    const { kernel } = await world();
    const answer: unknown = await toolNamed(langchainTools(kernel), 'bank_picture').invoke(call('bank_picture', {}));
    expect((answer as ToolMessage).content).to.deep.equal([{ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }]);
  });

  it('gives traces nothing of its options', async () => {
    const { kernel } = await world();
    const [tool] = langchainTools(kernel, { credentials: { BANK_TOKEN: 'token-of-this-host-0815' } });
    expect(JSON.stringify([tool, tool?.toJSON(), tool?.lc_kwargs])).to.not.include('0815');
  });
});

/** An error that stops a graph. */
class Stopped extends Error {
  readonly value: ApprovalInterrupt;

  constructor(value: ApprovalInterrupt) {
    super('stopped');
    this.value = value;
  }
}

/** A node of a graph that runs again from its beginning, with one more answer each time, as LangGraph runs it. */
function graph(kernel: Parameters<typeof langchainTools>[0]) {
  const answers: unknown[] = [];
  let count = 0;
  const interrupt = (value: ApprovalInterrupt): unknown => {
    if (count >= answers.length) throw new Stopped(value);
    return answers[count++];
  };
  const tools = langchainTools(kernel, { interrupt });
  return {
    tools,
    /** Runs these calls, and gives their results, or the question that has stopped them. */
    async run(calls: readonly ReturnType<typeof call>[], ...given: readonly unknown[]): Promise<readonly string[] | ApprovalInterrupt> {
      answers.push(...given);
      count = 0;
      try {
        const results: string[] = [];
        for (const one of calls) results.push(String(((await toolNamed(tools, one.name).invoke(one)) as ToolMessage).content));
        return results;
      } catch (error) {
        if (error instanceof Stopped) return error.value;
        throw error;
      }
    },
  };
}

const question = (value: unknown): ApprovalInterrupt => {
  expect(value).to.include({ type: 'toolkit/approval' });
  return value as ApprovalInterrupt;
};

describe('the interrupt of a graph', () => {
  it('stops it for a call that needs approval, which runs once, after the yes', async () => {
    const { kernel, ran } = await world();
    const { run } = graph(kernel);
    const calls = [call('bank_pay', { amount: 9, _toolkit_approved: true })];
    const asked = question(await run(calls));
    expect(asked.message).to.include('Run "bank_pay"?');
    expect(asked.request.parameters).to.deep.equal({ amount: 9 });
    expect(ran).to.deep.equal([]);
    expect(await run(calls, { id: asked.id, approved: true })).to.deep.equal(['{"paid":true}']);
    expect(ran).to.deep.equal(['bank_pay {"amount":9}']);
  });

  it('runs nothing after a no', async () => {
    const { kernel, ran } = await world();
    const { run } = graph(kernel);
    const calls = [call('bank_pay', { amount: 9 })];
    const { id } = question(await run(calls));
    expect(String(await run(calls, { id, approved: false }))).to.include('APPROVAL_DENIED');
    expect(ran).to.deep.equal([]);
  });

  it('asks again where the answer is to another question', async () => {
    const { kernel, ran } = await world();
    const { run } = graph(kernel);
    const { id } = question(await run([call('bank_pay', { amount: 9 })]));
    const other = [call('bank_pay', { amount: 900 })];
    const again = question(await run(other, { id, approved: true }));
    expect(again.request.parameters).to.deep.equal({ amount: 900 });
    expect(ran).to.deep.equal([]);
  });

  for (const answer of [true, 'yes', { approved: true }, { id: 5, approved: true }, null])
    it(`takes no yes from ${JSON.stringify(answer)}, and says what is expected`, async () => {
      const { kernel, ran } = await world();
      const { run } = graph(kernel);
      const calls = [call('bank_pay', { amount: 9 })];
      question(await run(calls));
      expect(String(await run(calls, answer)))
        .to.include('APPROVAL_REQUIRED')
        .and.include('{ id, approved }');
      expect(ran).to.deep.equal([]);
    });

  it('runs each call once where several of a node are asked about', async () => {
    const { kernel, ran } = await world();
    const { run } = graph(kernel);
    const calls = [call('bank_pay', { amount: 1 }, 'a'), call('bank_pay', { amount: 2 }, 'b')];
    const first = question(await run(calls));
    const second = question(await run(calls, { id: first.id, approved: true }));
    expect(ran).to.deep.equal(['bank_pay {"amount":1}']);
    expect(await run(calls, { id: second.id, approved: true })).to.have.length(2);
    expect(ran).to.deep.equal(['bank_pay {"amount":1}', 'bank_pay {"amount":2}']);
  });
});
