import type { JsonValue, Kernel, Problem } from '../../../../kernel/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import type { GeneratedSource } from '../../../../plugins/openapi/generate/generated.ts';
import { createTestKit } from '../../../../plugins/toolkit/testing.ts';

/** Value of each name that a person would set. */
export const suppliedValue = 'value-that-was-set';

/** Generated tools in a kernel with the real executor. */
export interface OpenTools extends AsyncDisposable {
  readonly kernel: Kernel;
  /** Problems of definitions, without warnings. */
  readonly problems: readonly Problem[];
  call(tool: string, parameters: Readonly<Record<string, unknown>>): Promise<JsonValue>;
}

/** Opens the tools of a source. Each name that a person would set has a value. `roots`: folders whose files can be sent. */
export async function openTools({ provider, tools, needs }: GeneratedSource, roots: readonly string[] = []): Promise<OpenTools> {
  const { name } = (provider as { readonly provider: { readonly name: string } }).provider;
  const kit = await createTestKit({
    providers: [provider],
    // Nobody is there to approve a call.
    tools: tools.map(({ definition: { requires_approval: _, ...definition } }) => ({ ...definition, provider: name })),
    secrets: Object.fromEntries(needs.map((need) => [need.name, suppliedValue])),
    plugins: [executorHttp(), ...(roots.length === 0 ? [] : [confinePaths({ roots: [...roots] })])],
  });
  const problems = kit.kernel.registry.problems.filter(({ severity }) => severity !== 'warning');
  return {
    kernel: kit.kernel,
    problems,
    call: (tool, parameters) => kit.call(tool, parameters as never),
    [Symbol.asyncDispose]: () => kit.close(),
  };
}
