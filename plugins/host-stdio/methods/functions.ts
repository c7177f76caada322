import Type from 'typebox';
import { errorCodes, formatProblem, type Kernel, sentence, ToolkitError } from '../../../kernel/index.ts';
import { clientPluginName } from '../client/client-plugin.ts';
import type { OpenHost } from '../open-host.ts';
import { type Method, method } from './method.ts';

const exact = { additionalProperties: false };

/** A definition is checked by the kernel. */
export const FunctionsSchema = Type.Array(
  Type.Object({ name: Type.String({ minLength: 1 }), execution: Type.Object({ type: Type.Literal('client') }) }),
);

export const functionMethods: Readonly<Record<string, Method>> = {
  'functions/add': method(Type.Object({ functions: FunctionsSchema }, exact), async ({ functions }, host) => {
    const takeBack = host.functions.add(functions);
    await reloadAll(host);
    const names = functions.map(({ name }) => name);
    try {
      refuseBroken(host.toolkit.kernel, names);
    } catch (error) {
      takeBack();
      await reloadAll(host);
      throw error;
    }
    return { tools: names };
  }),
  'functions/remove': method(Type.Object({ names: Type.Array(Type.String()) }, exact), async ({ names }, host) => {
    host.functions.remove(names);
    await reloadAll(host);
    return {};
  }),
};

/** Throws what is wrong with functions of the client. */
export function refuseBroken({ registry }: Pick<Kernel, 'registry'>, names: readonly string[]): void {
  const isTool = (name: string): boolean => registry.tools.get(name)?.origin.plugin === clientPluginName;
  const wrong = registry.problems.filter(
    ({ plugin, severity, tool }) => plugin === clientPluginName && severity === 'error' && (tool === undefined || !isTool(tool)),
  );
  const [first] = wrong;
  if (first === undefined && names.every(isTool)) return;
  const code = first !== undefined && Object.hasOwn(errorCodes, first.code) ? first.code : 'TOOL_INVALID';
  const lost = names.filter((name) => !isTool(name)).join(', ');
  const why = wrong.length === 0 ? `another definition has the name of ${lost}` : wrong.map(formatProblem).join('; ');
  throw new ToolkitError(
    code,
    sentence(`The functions of the client are refused: ${why}`),
    first?.tool === undefined ? {} : { tool: first.tool },
  );
}

/** Has every kernel of this host discover what the client gives now. */
async function reloadAll({ toolkit, servers }: OpenHost): Promise<void> {
  await Promise.all([toolkit.kernel, ...servers.kernels].map((kernel) => kernel.reload()));
}
