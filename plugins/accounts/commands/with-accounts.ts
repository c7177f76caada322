import { type CommandInvocation, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import type { Accounts } from '../accounts.ts';
import { accountsOfKernel } from '../accounts-fact.ts';

/** Runs `work` with the accounts of the configuration. Throws PLUGIN_INVALID when no plugin keeps accounts. */
export async function withAccounts<T>(
  { createKernel }: Pick<CommandInvocation, 'createKernel'>,
  work: (accounts: Accounts, kernel: Kernel) => Promise<T>,
): Promise<T> {
  const kernel = await createKernel();
  try {
    const [fact] = kernel.facts(accountsOfKernel);
    if (fact === undefined)
      throw new ToolkitError(
        'PLUGIN_INVALID',
        'No plugin keeps accounts. List standard(), or accounts() ("toolkit/plugins/accounts"), in the configuration.',
      );
    return await work(await fact.value.open(), kernel);
  } finally {
    await kernel.close();
  }
}
