import { didYouMean, type Prompt } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { readingClient } from '../asking/call-client.ts';
import { listPage } from '../catalog/list-page.ts';
import type { Connection } from '../clients/connection.ts';
import type { Router } from '../handlers/router.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';

/** Maximum number of unknown arguments in an error. */
const maxUnknownListed = 20;

/** Handles `prompts/list` and `prompts/get`. */
export function handlePrompts(connection: Connection, router: Router): void {
  const { catalog, caller, pageSize } = connection;
  const { kernel } = catalog;
  router.on('prompts/list', ({ cursor }) => {
    const { page, nextCursor } = listPage([...catalog.prompts.values()], ({ name }) => name, { cursor, pageSize });
    return { prompts: page.map(listPrompt), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  router.on('prompts/get', async ({ name, arguments: values = {} }, exchange) => {
    const prompt = catalog.prompts.get(name);
    if (prompt === undefined)
      throw new ProtocolError(
        errorCodes.invalidParams,
        `There is no prompt "${name.slice(0, 100)}".${didYouMean(name, catalog.prompts.keys())}`,
      );
    checkArguments(prompt, values);
    try {
      const { signal } = exchange;
      const client = readingClient(connection, exchange, name);
      const messages = await prompt.get(values, { caller, signal, logger: kernel.logger, client });
      const { description } = prompt;
      return { messages: kernel.mask(messages), ...(description === undefined ? {} : { description }) };
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
  const unknownNames = Object.keys(values)
    .filter((key) => !known.includes(key))
    .slice(0, maxUnknownListed);
  if (missing.length === 0 && unknownNames.length === 0) return;
  const problems = [
    ...missing.map((argument) => `"${argument.name}" is required`),
    ...unknownNames.map((key) => `"${key.slice(0, 100)}" is not an argument of it.${didYouMean(key, known)}`),
  ];
  throw new ProtocolError(errorCodes.invalidParams, `The arguments of the prompt "${name}" are wrong: ${problems.join('; ')}`);
}
