import Anthropic from '@anthropic-ai/sdk';
import type { ContentBlock, MessageParam } from '@anthropic-ai/sdk/resources/messages/messages';
import { expect } from 'chai';
import { anthropicTools } from '../../../plugins/adapter-anthropic/index.ts';
import { refusalsOf } from '../../../plugins/shared/exposure/profiles/refusals.ts';
import { sharedCoreToolkit } from '../../support/core-toolkit.ts';
import { png, world } from '../shared/model-tools/host.ts';
import { scriptedApi } from '../shared/model-tools/scripted-api.ts';

const model = 'scripted';

const use = (id: string, name: string, input: unknown) => ({
  type: 'tool_use' as const,
  id,
  name,
  input,
  caller: { type: 'direct' as const },
});

const message = (...content: readonly object[]) => ({
  id: 'msg',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: content.some((block) => 'name' in block) ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const done = message({ type: 'text', text: 'done' });

describe('a conversation with the Messages API', () => {
  it('takes two steps, with a person who is asked in the middle', async () => {
    const { kernel, ran } = await world();
    const { url, bodies } = await scriptedApi(
      message({ type: 'text', text: 'I pay.' }, use('a', 'bank_echo', { text: 'one' }), use('b', 'bank_pay', { amount: 9 })),
      message(use('c', 'bank_fail', {})),
      done,
    );
    const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
    const asked: string[] = [];
    const { tools, run } = anthropicTools(kernel, { onApproval: ({ request }) => asked.push(JSON.stringify(request.parameters)) > 0 });
    const messages: MessageParam[] = [{ role: 'user', content: 'Pay.' }];
    for (let isOver = false; !isOver; ) {
      const { content, stop_reason: reason } = await client.messages.create({ model, max_tokens: 100, messages, tools });
      isOver = reason === 'end_turn';
      messages.push({ role: 'assistant', content });
      if (!isOver) messages.push({ role: 'user', content: await run(content) });
    }
    expect(asked).to.deep.equal(['{"amount":9}']);
    expect(ran).to.have.members(['bank_echo {"text":"one"}', 'bank_pay {"amount":9}', 'bank_fail {}']);
    const text = (shown: string) => [{ type: 'text', text: shown }];
    expect(messages[2]?.content).to.deep.equal([
      { type: 'tool_result', tool_use_id: 'a', content: text('{"text":"one"}') },
      { type: 'tool_result', tool_use_id: 'b', content: text('{"paid":true}') },
    ]);
    const failed = text('EXECUTION_FAILED: The function of "bank_fail" failed: the vault is locked');
    expect(messages[4]?.content).to.deep.equal([{ type: 'tool_result', tool_use_id: 'c', content: failed, is_error: true }]);
    expect(bodies).to.have.length(3);
  });

  it('gives an answer to each block in their order, whatever the model has written', async () => {
    const { kernel, ran } = await world();
    const { run } = anthropicTools(kernel);
    const blocks = [use('a', 'bank_rob', {}), { type: 'text', text: 'x' }, use('b', 'bank_echo', 'x'), use('c', 'bank_echo', null)];
    const results = await run(blocks as ContentBlock[]);
    const begins = results.map(({ tool_use_id: id, content, is_error: isError }) => [id, JSON.stringify(content).slice(24, 34), isError]);
    expect(begins).to.deep.equal([
      ['a', 'TOOL_NOT_F', true],
      ['b', 'INVALID_PA', true],
      ['c', 'INVALID_PA', true],
    ]);
    expect(ran).to.deep.equal([]);
  });

  it('shows pictures as images', async () => {
    const { kernel } = await world();
    const [result] = await anthropicTools(kernel).run([use('a', 'bank_picture', {})] as ContentBlock[]);
    expect(result?.content).to.deep.equal([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]);
  });

  it('is led by the tool runner of the SDK, which marks failures as errors', async () => {
    const { kernel, ran } = await world();
    const { url, bodies } = await scriptedApi(
      message(use('a', 'bank_echo', { text: 'one' })),
      message(use('b', 'bank_pay', { amount: 9 }), use('c', 'bank_fail', {})),
      done,
    );
    const client = new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 });
    const { runnable } = anthropicTools(kernel, { onApproval: () => true });
    const last = await client.beta.messages.toolRunner({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Pay.' }],
      tools: runnable,
    });
    expect(last.content).to.deep.include({ type: 'text', text: 'done' });
    expect(ran).to.have.members(['bank_echo {"text":"one"}', 'bank_pay {"amount":9}', 'bank_fail {}']);
    const { messages } = bodies[2] as { messages: { content: { tool_use_id: string; is_error?: boolean }[] }[] };
    expect(messages.at(-1)?.content.map(({ tool_use_id: id, is_error: isError = false }) => [id, isError])).to.deep.equal([
      ['b', false],
      ['c', true],
    ]);
  });

  it('has tools as its API takes them', async () => {
    const { tools } = anthropicTools(await sharedCoreToolkit());
    expect(tools.length).to.be.greaterThan(100);
    for (const { name, input_schema: inputSchema } of tools) expect(refusalsOf({ name, inputSchema }), name).to.deep.equal([]);
  });
});
