import Type from 'typebox';
import { formatProblem, type Kernel } from '../../../kernel/index.ts';
import { type Method, method } from './method.ts';

export const lifecycleMethods: Readonly<Record<string, Method>> = {
  reload: method({ code: Type.Optional(Type.Boolean()) }, async ({ code = false }, { toolkit, servers }) => {
    await Promise.all(servers.kernels.map((kernel) => kernel.reload({ code })));
    await toolkit.kernel.reload({ code });
    return stateOf(toolkit.kernel);
  }),
  close: method({ drainMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })) }, async ({ drainMs = 0 }, { end }) => {
    await end(drainMs);
    return {};
  }),
};

/** Returns the number of tools and the problems that the registry found. */
export function stateOf({ registry }: Pick<Kernel, 'registry'>): { readonly tools: number; readonly problems: readonly string[] } {
  return { tools: registry.tools.size, problems: registry.problems.map(formatProblem) };
}
