import type { CallOutput, CallRequest, Logger, PluginEntry } from '../../../kernel/index.ts';
import { confinePaths } from '../../../plugins/confine-paths/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { testKernel } from '../../support/test-kernel.ts';

export interface HttpToolOptions {
  readonly execution: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Further keys of the definition. */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** Keys of the definition of its provider. */
  readonly provider?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly allow?: readonly string[];
  readonly maxResponseBytes?: number;
  /** Folders that are open to paths. */
  readonly roots?: readonly string[];
  readonly plugins?: readonly PluginEntry[];
  readonly logger?: Logger;
}

export type CallTool = (
  parameters?: Readonly<Record<string, unknown>>,
  request?: Omit<CallRequest, 'tool' | 'parameters'>,
) => Promise<CallOutput>;

/** One http tool of the operator, behind the outbound guard. Every placeholder of `execution` that is not in `env` is a parameter of any type. */
export async function httpTool(options: HttpToolOptions): Promise<CallTool> {
  const { execution, definition = {}, provider, env = {}, allow = [], maxResponseBytes, roots, plugins = [], logger } = options;
  const parameters = options.parameters ?? anyParameters(execution, env);
  const kernel = await testKernel({
    ...(provider === undefined ? {} : { providers: [{ provider: { name: 'stand-in' }, ...provider }] }),
    tools: [
      {
        name: 'probe',
        description: 'Calls the stand-in.',
        parameters,
        execution: { type: 'http', method: 'get', ...execution },
        ...definition,
        ...(provider === undefined ? {} : { provider: 'stand-in' }),
      },
    ],
    plugins: [
      secretsEnv({ env: { ...env } }),
      credentialsPlaceholder(),
      guardOutbound({ allowHosts: [...allow] }),
      executorHttp(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
      ...(roots === undefined ? [] : [confinePaths({ roots: [...roots] })]),
      ...plugins,
    ],
    ...(logger === undefined ? {} : { logger }),
  });
  return (values = {}, request = {}) => kernel.call({ ...request, tool: 'probe', parameters: values });
}

function anyParameters(execution: unknown, env: Readonly<Record<string, string>>): Record<string, unknown> {
  const names = [...JSON.stringify(execution).matchAll(/(?<!\{)\{(\w+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.filter((name) => !Object.hasOwn(env, name)).map((name) => [name, {}]));
}
