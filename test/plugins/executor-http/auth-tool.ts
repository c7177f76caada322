import type { CallOutput, CallRequest, Kernel, PluginEntry, Problem } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { secretsEnv } from '../../../plugins/secrets-env/index.ts';
import { type LogRecord, memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { testKernel } from '../../support/test-kernel.ts';

export interface AuthToolOptions {
  /** The `auth` of the provider. */
  readonly provider?: unknown;
  /** Further keys of the provider. */
  readonly providerKeys?: Readonly<Record<string, unknown>>;
  /** Keys of the execution, `auth` among them. The method is `get` unless given. */
  readonly execution: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly definition?: Readonly<Record<string, unknown>>;
  /** Over `environment`; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default the credentials of `environment`, and the guard with 127.0.0.1 allowed */
  readonly plugins?: readonly PluginEntry[];
}

export interface AuthTool {
  readonly kernel: Kernel;
  readonly problems: readonly Problem[];
  readonly records: readonly LogRecord[];
  call(request?: Omit<CallRequest, 'tool'>): Promise<CallOutput>;
}

/** The secrets that there are. */
export const environment = {
  SHOP_USER: 'alice',
  SHOP_PASSWORD: 'pä:ss "wörd" /+',
  SHOP_TOKEN: 'token-0123456789',
  SHOP_KEY: 'key+/=&%1',
  SHOP_ACCOUNT_ID: 'account-7',
};

/** `{USER}`, `{ACCOUNT}` and `{CERTIFICATE}` are supplied by the service because the provider says so; nobody needs to have `{OPTIONAL_KEY}`. */
const mapping = [
  { parameter: 'USER', env_pattern: 'SHOP_USER' },
  { parameter: 'ACCOUNT', env_pattern: 'SHOP_ACCOUNT_ID' },
  { parameter: 'CERTIFICATE', env_pattern: 'SHOP_CERTIFICATE' },
  { parameter: 'OPTIONAL_KEY', env_pattern: 'SHOP_OPTIONAL_KEY', required: false },
];

/** The tool `shop_list` of the provider `shop`. */
export async function authTool({
  provider,
  providerKeys = {},
  execution,
  parameters = {},
  definition = {},
  env = {},
  plugins,
}: AuthToolOptions): Promise<AuthTool> {
  const logger = memoryLogger();
  const variables = Object.fromEntries(
    Object.entries({ ...environment, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const kernel = await testKernel({
    logger,
    providers: [
      { provider: { name: 'shop' }, parameter_mapping: mapping, ...providerKeys, ...(provider === undefined ? {} : { auth: provider }) },
    ],
    tools: [
      {
        name: 'shop_list',
        description: 'Lists.',
        provider: 'shop',
        parameters,
        execution: { type: 'http', method: 'get', ...execution },
        ...definition,
      },
    ],
    plugins: plugins ?? [
      secretsEnv({ env: variables }),
      credentialsPlaceholder(),
      guardOutbound({ allowHosts: ['127.0.0.1'] }),
      executorHttp(),
    ],
  });
  return {
    kernel,
    problems: kernel.registry.problems,
    records: logger.records,
    call: (request = {}) => kernel.call({ ...request, tool: 'shop_list' }),
  };
}
