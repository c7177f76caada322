import type { StructuredTool } from '@langchain/core/tools';
import type { ToolSet } from 'ai';
import { expect } from 'chai';
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import type { FunctionTool } from 'openai/resources/responses/responses';
import { aiSdkTools } from '../../../../plugins/adapter-ai-sdk/index.ts';
import { anthropicTools } from '../../../../plugins/adapter-anthropic/index.ts';
import { langchainTools } from '../../../../plugins/adapter-langchain/index.ts';
import { openaiTools } from '../../../../plugins/adapter-openai/index.ts';
import { world } from './host.ts';

const { kernel } = await world();

describe('the types of the adapters', () => {
  it('are those of their frameworks, for a kernel and for what has one', () => {
    const structured: StructuredTool[] = langchainTools({ kernel });
    const set: ToolSet = aiSdkTools(kernel);
    const functions: FunctionTool[] = openaiTools(kernel).tools;
    const chat: ChatCompletionFunctionTool[] = openaiTools(kernel, { api: 'chat' }).tools;
    const named: readonly string[] = anthropicTools(kernel).tools.map(({ name }) => name);
    expect([structured, Object.keys(set), functions, chat, named].map(({ length }) => length)).to.deep.equal([9, 9, 9, 9, 9]);
    // @ts-expect-error: these are functions of the other API.
    const wrong: FunctionTool[] = openaiTools(kernel, { api: 'chat' }).tools;
    expect(wrong[0]?.name).to.equal(undefined);
  });

  for (const [title, make] of [
    ['two ways to ask, of LangChain', () => langchainTools(kernel, { interrupt: () => true, onApproval: () => true })],
    ['two ways to ask, of the AI SDK', () => aiSdkTools(kernel, { needsApproval: true, onApproval: () => true })],
    ['a listener to questions that nobody puts', () => aiSdkTools(kernel, { needsApproval: false, onQuestion: () => {} })],
    // @ts-expect-error
    ['an option that is not known', () => anthropicTools(kernel, { tool: ['bank_*'] })],
    // @ts-expect-error
    ['an option of another adapter', () => openaiTools(kernel, { interrupt: () => true })],
    // @ts-expect-error
    ['a risk that is none', () => langchainTools(kernel, { maxRisk: 'none' })],
    // @ts-expect-error
    ['an exposure that depends on the client', () => aiSdkTools(kernel, { expose: 'auto' })],
    // @ts-expect-error
    ['a name in place of a list', () => aiSdkTools(kernel, { tools: 'bank_*' })],
    // @ts-expect-error
    ['an API that is none', () => openaiTools(kernel, { api: 'assistants' })],
    // @ts-expect-error
    ['a word in place of a callback', () => anthropicTools(kernel, { onApproval: 'yes' })],
  ] as const)
    it(`go with options that are checked: ${title} is refused`, () => {
      expect(make).to.throw().that.includes({ code: 'CONFIG_INVALID' });
    });
});
