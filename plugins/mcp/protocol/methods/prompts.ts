import Type from 'typebox';
import { didYouMean, type Prompt } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import { readingClient } from '../asking/call-client.ts';
import { listPage } from '../catalog/list-page.ts';
import { toRpcError } from '../errors.ts';
import { ListParams, listCaching, type Method, method, paramsOf, Texts } from './method.ts';

/** Maximum number of unknown arguments in an error. */
const maxUnknownListed = 20;

/** Lists and reads prompts. */
export const promptMethods: Readonly<Record<string, Method>> = {
  'prompts/list': method({
    params: ListParams,
    caching: listCaching,
    answer({ catalog, pageSize }, { cursor }) {
      const { page, nextCursor } = listPage([...catalog.prompts.values()], ({ name }) => name, { cursor, pageSize });
      return { prompts: page.map(listPrompt), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  }),
  'prompts/get': method({
    params: paramsOf({ name: Type.String(), arguments: Type.Optional(Texts) }),
    mayAsk: true,
    async answer(connection, { name, arguments: values = {} }, exchange) {
      const { catalog, caller } = connection;
      const { kernel } = catalog;
      const prompt = catalog.prompts.get(name);
      if (prompt === undefined)
        throw new RpcError(
          errorCodes.invalidParams,
          `There is no prompt "${name.slice(0, 100)}".${didYouMean(name, catalog.prompts.keys())}`,
        );
      checkArguments(prompt, values);
      try {
        const { signal, context } = exchange;
        const client = readingClient(connection, exchange, name);
        const got = await prompt.get(values, { caller, signal, logger: kernel.logger, client, span: context.span });
        if ('messages' in got) return { ...kernel.mask(got) };
        const { description } = prompt;
        return { messages: kernel.mask(got), ...(description === undefined ? {} : { description }) };
      } catch (error) {
        throw toRpcError(kernel, error);
      }
    },
  }),
};

function listPrompt({ name, title, description, icons, _meta, arguments: list, source }: Prompt) {
  // A prompt of ours has a list, also of none.
  const declared = list ?? (source === undefined ? [] : undefined);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
    ...(declared === undefined ? {} : { arguments: declared.map(({ complete: _complete, ...argument }) => argument) }),
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
  throw new RpcError(errorCodes.invalidParams, `The arguments of the prompt "${name}" are wrong: ${problems.join('; ')}`);
}
