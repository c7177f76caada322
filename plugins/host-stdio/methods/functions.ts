import Type from 'typebox';
import { formatProblem, type Kernel, type Problem, sentence, ToolkitError } from '../../../kernel/index.ts';
import { clientPluginName } from '../client/client-plugin.ts';
import type { OpenHost } from '../open-host.ts';
import { type Method, method } from './method.ts';

/** Definitions of functions. The kernel checks each definition. */
export const FunctionsSchema = Type.Array(
  Type.Object({ name: Type.String({ minLength: 1 }), execution: Type.Object({ type: Type.Literal('client') }) }),
);

export const functionMethods: Readonly<Record<string, Method>> = {
  'functions/add': method({ functions: FunctionsSchema }, ({ functions }, host) =>
    host.functions.runInOrder(async () => {
      const takeBack = host.functions.add(functions);
      await reloadAll(host);
      const names = functions.map(({ name }) => name);
      try {
        refuseMissing(host.toolkit.kernel, names);
      } catch (error) {
        takeBack();
        await reloadAll(host);
        throw error;
      }
      return { tools: names };
    }),
  ),
  'functions/remove': method({ names: Type.Array(Type.String()) }, ({ names }, host) =>
    host.functions.runInOrder(async () => {
      host.functions.remove(names);
      await reloadAll(host);
      return {};
    }),
  ),
};

/** Throws when a function of the client did not become a tool, with the reason. */
export function refuseMissing({ registry }: Pick<Kernel, 'registry'>, names: readonly string[]): void {
  const lost = names.filter((name) => registry.tools.get(name)?.origin.plugin !== clientPluginName);
  if (lost.length === 0) return;
  const isAbout = ({ tool, message }: Problem): boolean => lost.some((name) => tool === name || message.includes(`"${name}"`));
  const problems = registry.problems.filter((problem) => problem.severity === 'error' && isAbout(problem));
  const why = problems.length === 0 ? `there is no tool ${lost.join(', ')}` : problems.map(formatProblem).join('; ');
  throw new ToolkitError(problems[0]?.code ?? 'TOOL_INVALID', sentence(`The functions of the client are refused: ${why}`), {
    ...(lost[0] === undefined ? {} : { tool: lost[0] }),
  });
}

/** Reloads every kernel of this host, so that each discovers the client's current functions. */
async function reloadAll({ toolkit, servers }: OpenHost): Promise<void> {
  await Promise.all([toolkit.kernel, ...servers.kernels].map((kernel) => kernel.reload()));
}
