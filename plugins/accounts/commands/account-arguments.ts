import {
  type CommandArgument,
  type CommandFlag,
  type CommandInvocation,
  type Complete,
  excerpt,
  ToolkitError,
} from '../../../kernel/index.ts';
import type { AccountName } from '../account-name.ts';
import { knownProviders } from '../known-providers.ts';
import { accountNamePattern } from '../options.ts';

/** Completes the name of a provider with a login. */
const completeProviders: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    return knownProviders(kernel.registry).map(({ name }) => name);
  } finally {
    await kernel.close();
  }
};

export const providerArgument: CommandArgument = {
  name: '<provider>',
  description: 'the service, such as gmail',
  complete: completeProviders,
};

export const optionalProvider: CommandArgument = { ...providerArgument, name: '[provider]', description: 'only the accounts there' };

export const callerFlag: CommandFlag = {
  flag: '--as <caller>',
  description: 'the caller whose account it is, as the tokens of the server name it',
  default: 'default',
  complete: async () => [],
};

export const tenantFlag: CommandFlag = {
  flag: '--tenant <name>',
  description: 'the tenant of the caller, where the tokens of the server name one (default: the caller)',
  complete: async () => [],
};

export const accountFlag: CommandFlag = {
  flag: '--account <name>',
  description: 'the account, where there are several',
  parse: parseAccount,
  complete: async () => [],
};

export const jsonFlag: CommandFlag = { flag: '--json', description: 'print JSON' };

/** Returns the account that the arguments and flags name. */
export function accountOf({ arguments: [provider = ''], flags }: Pick<CommandInvocation, 'arguments' | 'flags'>): AccountName {
  const { as: caller = 'default', tenant, account } = flags as { as?: string; tenant?: string; account?: string };
  return { provider, caller, tenant: tenant ?? caller, ...(account === undefined ? {} : { account }) };
}

function parseAccount(value: string): string {
  if (new RegExp(accountNamePattern).test(value)) return value;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `expected a name of letters, digits, and any of . _ @ + -, such as work, received "${excerpt(value, 100)}"`,
  );
}
