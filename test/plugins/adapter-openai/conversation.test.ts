import { expect } from 'chai';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { openaiTools } from '../../../plugins/adapter-openai/index.ts';
import { openaiStrict } from '../../../plugins/shared/exposure/profiles/openai-strict.ts';
import { collectInput, refusalsBy } from '../../../plugins/shared/exposure/profiles/profile.ts';
import { sharedCoreToolkit } from '../../support/core-toolkit.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { world } from '../shared/model-tools/host.ts';
import { scriptedApi } from '../shared/model-tools/scripted-api.ts';

const model = 'scripted';

const functionCall = (call_id: string, name: string, input: object | string) => ({
  type: 'function_call' as const,
  id: `fc_${call_id}`,
  status: 'completed' as const,
  call_id,
  name,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
});

const response = (...output: readonly object[]) => ({ id: 'resp', object: 'response', created_at: 1, model, status: 'completed', output });

const said = {
  type: 'message',
  id: 'msg',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done', annotations: [] }],
};

const completion = (message: object) => ({
  id: 'cmpl',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', content: null, refusal: null, ...message } }],
});

const toolCall = (id: string, name: string, input: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

describe('a conversation with the Responses API', () => {
  it('takes two steps, with a person who is asked in the middle', async () => {
    const { kernel, ran } = await world();
    const { url, bodies } = await scriptedApi(
      response(functionCall('a', 'bank_echo', { text: 'one', note: null }), functionCall('b', 'bank_pay', { amount: 9, to: null })),
      response(functionCall('c', 'bank_fail', {})),
      response(said),
    );
    const client = new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0 });
    const asked: string[] = [];
    const { tools, run } = openaiTools(kernel, { onApproval: ({ request }) => asked.push(JSON.stringify(request.parameters)) > 0 });
    const input: ResponseInputItem[] = [{ role: 'user', content: 'Pay.' }];
    let text = '';
    while (text === '') {
      const answer = await client.responses.create({ model, input, tools });
      input.push(...(answer.output as ResponseInputItem[]), ...(await run(answer.output)));
      text = answer.output_text;
    }
    expect(text).to.equal('done');
    expect(asked).to.deep.equal(['{"amount":9}']);
    expect(ran).to.have.members(['bank_echo {"text":"one"}', 'bank_pay {"amount":9}', 'bank_fail {}']);
    const outputs = input.filter((item) => item.type === 'function_call_output');
    expect(outputs.map(({ call_id: id, output }) => [id, output])).to.deep.equal([
      ['a', '{"text":"one"}'],
      ['b', '{"paid":true}'],
      ['c', 'EXECUTION_FAILED: The function of "bank_fail" failed: the vault is locked'],
    ]);
    expect(JSON.stringify(bodies)).to.not.include('_toolkit_approved');
  });

  it('gives an answer to each call in their order, whatever the model has written', async () => {
    const { kernel, ran } = await world();
    const { run } = openaiTools(kernel);
    const outputs = await run([
      functionCall('a', 'bank_rob', {}),
      said as never,
      functionCall('b', 'bank_echo', '{"text": "cut o'),
      functionCall('c', 'bank_echo', '[]'),
      functionCall('d', 'bank_echo', '{"text": 5, "more": 1}'),
      functionCall('e', 'bank_fail', ''),
    ]);
    expect(outputs.map(({ call_id: id, output }) => `${id} ${String(output).split(':')[0]}`)).to.deep.equal([
      'a TOOL_NOT_FOUND',
      'b INVALID_PARAMETERS',
      'c INVALID_PARAMETERS',
      'd INVALID_PARAMETERS',
      'e EXECUTION_FAILED',
    ]);
    expect(outputs[1]?.output).to.include('Call it again with one JSON object.');
    expect(ran).to.deep.equal(['bank_fail {}']);
  });

  it('takes null in an object as not given as well', async () => {
    const to = {
      type: 'object',
      required: true,
      additionalProperties: false,
      properties: { name: { type: 'string' }, note: { type: 'string' } },
    };
    const { kernel } = await world({ tools: [echoTool({ name: 'own_send', parameters: { to } })] });
    const { tools, run } = openaiTools(kernel);
    expect(tools.find(({ name }) => name === 'own_send')?.strict).to.equal(true);
    const [output] = await run([functionCall('a', 'own_send', { to: { name: 'Ada', note: null } })]);
    expect(JSON.parse(String(output?.output))).to.deep.equal({ to: { name: 'Ada' } });
  });

  it('tells how far a tool is, and ends with the signal', async () => {
    const { kernel, ran } = await world();
    const { run } = openaiTools(kernel);
    const told: unknown[] = [];
    await run([functionCall('a', 'bank_progress', {})], { onProgress: (progress, tool) => told.push([tool, progress]) });
    expect(told).to.deep.equal([['bank_progress', { progress: 1, total: 2, message: 'counting' }]]);
    const controller = new AbortController();
    const outputs = run([functionCall('a', 'bank_wait', {})], { signal: controller.signal });
    while (ran.length === 1) await new Promise(setImmediate);
    controller.abort();
    expect((await outputs)[0]?.output).to.include('ABORTED');
  });
});

describe('a conversation with Chat Completions', () => {
  it('takes two steps, with a person who is asked in the middle', async () => {
    const { kernel, ran } = await world();
    const { url } = await scriptedApi(
      completion({ tool_calls: [toolCall('a', 'bank_echo', { text: 'one', note: null })] }),
      completion({ tool_calls: [toolCall('b', 'bank_pay', { amount: 9, to: null }), toolCall('c', 'bank_echo', { text: 'two' })] }),
      completion({ content: 'done' }),
    );
    const client = new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0 });
    const { tools, run } = openaiTools(kernel, { api: 'chat', onApproval: () => false });
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Pay.' }];
    let text = '';
    while (text === '') {
      const { choices } = await client.chat.completions.create({ model, messages, tools });
      const [choice] = choices;
      if (choice === undefined) throw new Error('no choice');
      messages.push(choice.message, ...(await run(choice.message.tool_calls)));
      text = choice.message.content ?? '';
    }
    expect(text).to.equal('done');
    expect(ran).to.deep.equal(['bank_echo {"text":"one"}', 'bank_echo {"text":"two"}']);
    const answers = messages.filter((message) => message.role === 'tool');
    expect(answers.map(({ tool_call_id: id }) => id)).to.deep.equal(['a', 'b', 'c']);
    expect(answers[1]?.content).to.include('APPROVAL_DENIED');
  });
});

describe('the functions of OpenAI', () => {
  it('are strict exactly where their schemas can say it, and never otherwise', async () => {
    const { tools } = openaiTools(await sharedCoreToolkit());
    const strict = tools.filter((tool) => tool.strict);
    const open = tools.filter((tool) => !tool.strict).map(({ name }) => name);
    expect(strict.length).to.be.greaterThan(100);
    expect(open).to.include.members(['json_query', 'web_request']);
    for (const { name, parameters } of strict)
      expect(refusalsBy(openaiStrict, collectInput({ name, inputSchema: parameters ?? {} })), name).to.deep.equal([]);
    expect(openaiTools(await sharedCoreToolkit(), { strict: false }).tools.some((tool) => tool.strict)).to.equal(false);
  });
});
