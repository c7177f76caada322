import { ErrorCode, GetPromptRequestSchema, type GetPromptResult, ListPromptsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { didYouMean, type Prompt } from '../../../../kernel/index.ts';
import type { Connection } from '../connection.ts';
import { listPage } from '../list-page.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';
import type { Router } from './router.ts';

/** Unknown arguments that are told. */
const maxTold = 20;

/** `prompts/list` and `prompts/get`. */
export function handlePrompts({ catalog, caller, pageSize }: Connection, router: Router): void {
  const { kernel } = catalog;
  router.on('prompts/list', ListPromptsRequestSchema, ({ params }) => {
    const { page, nextCursor } = listPage([...catalog.prompts.values()], ({ name }) => name, { cursor: params?.cursor, pageSize });
    return { prompts: page.map(listPrompt), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('prompts/get', GetPromptRequestSchema, async ({ params: { name, arguments: values = {} } }, { signal }) => {
    const prompt = catalog.prompts.get(name);
    if (prompt === undefined)
      throw new ProtocolError(
        ErrorCode.InvalidParams,
        `There is no prompt "${name.slice(0, 100)}".${didYouMean(name, catalog.prompts.keys())}`,
      );
    checkArguments(prompt, values);
    try {
      const messages = await prompt.get(values, { caller, signal, logger: kernel.logger });
      const { description } = prompt;
      return { messages: kernel.mask(messages), ...(description === undefined ? {} : { description }) } as unknown as GetPromptResult;
    } catch (error) {
      throw toProtocolError(kernel, error);
    }
  });
}

function listPrompt({ name, title, description, arguments: list = [] }: Prompt) {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    arguments: list.map(({ complete: _complete, ...argument }) => argument),
  };
}

function checkArguments({ name, arguments: declared = [] }: Prompt, values: Readonly<Record<string, string>>): void {
  const known = declared.map((argument) => argument.name);
  const missing = declared.filter((argument) => argument.required === true && values[argument.name] === undefined);
  const strange = Object.keys(values)
    .filter((key) => !known.includes(key))
    .slice(0, maxTold);
  if (missing.length === 0 && strange.length === 0) return;
  const problems = [
    ...missing.map((argument) => `"${argument.name}" is required`),
    ...strange.map((key) => `"${key.slice(0, 100)}" is not an argument of it.${didYouMean(key, known)}`),
  ];
  throw new ProtocolError(ErrorCode.InvalidParams, `The arguments of the prompt "${name}" are wrong: ${problems.join('; ')}`);
}
