import {
  type Completer,
  type ContentPart,
  isPlainObject,
  type JsonObject,
  type Prompt,
  type PromptResult,
  type ReadContext,
} from '../../../kernel/index.ts';
import type { Upstream } from '../upstream.ts';
import { completer } from './complete.ts';
import { relayedMeta } from './relayed-meta.ts';
import { request } from './request.ts';
import { contentParts } from './tool-result.ts';

/** Returns the prompts of a server, each under its own name; the kernel adds the prefix. */
export function listPrompts(upstream: Upstream, prompts: readonly JsonObject[], completes: boolean): readonly Prompt[] {
  return prompts.flatMap((prompt) => {
    const { name, arguments: list } = prompt;
    if (typeof name !== 'string') return [];
    const complete = (argument: string): { complete?: Completer } =>
      completes ? { complete: completer(upstream, { type: 'ref/prompt', name }, argument) } : {};
    const declared = Array.isArray(list) ? list.filter(isPlainObject) : [];
    return [
      {
        ...(prompt as unknown as Prompt),
        ...(list === undefined
          ? {}
          : { arguments: declared.map((argument) => ({ ...(argument as { name: string }), ...complete(String(argument['name'])) })) }),
        get: (values, context) => getPrompt(upstream, name, values, context),
      },
    ];
  });
}

async function getPrompt(
  upstream: Upstream,
  name: string,
  values: Readonly<Record<string, string>>,
  context: ReadContext,
): Promise<PromptResult> {
  const traced = { method: 'prompts/get', target: name, attributes: { 'gen_ai.prompt.name': name } };
  const { messages, description, _meta } = await request(upstream, traced, { name, arguments: { ...values } }, context);
  const list = Array.isArray(messages) ? messages.filter(isPlainObject) : [];
  return {
    ...(typeof description === 'string' ? { description } : {}),
    messages: list.map(({ role, content }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: contentParts([content])[0] as ContentPart,
    })),
    ...relayedMeta(_meta),
  };
}
