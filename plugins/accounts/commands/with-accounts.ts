import { type CommandInvocation, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import type { Accounts } from '../accounts.ts';
import { accountsOfKernel, type OpenAccounts } from '../accounts-fact.ts';
import type { Connect } from '../connect/connect.ts';

type Invocation = Pick<CommandInvocation, 'createKernel'>;

/** Runs `work` with the accounts of the configuration. Throws PLUGIN_INVALID when no plugin keeps accounts. */
export async function withAccounts<T>(invocation: Invocation, work: (accounts: Accounts, kernel: Kernel) => Promise<T>): Promise<T> {
  return withOpened(invocation, async (opened, kernel) => work(await opened.open(), kernel));
}

/** Runs `work` with the logins by link of the configuration. Throws like `withAccounts`. */
export async function withConnect<T>(invocation: Invocation, work: (connect: Connect) => Promise<T>): Promise<T> {
  return withOpened(invocation, async (opened) => work(await opened.connect()));
}

async function withOpened<T>({ createKernel }: Invocation, work: (opened: OpenAccounts, kernel: Kernel) => Promise<T>): Promise<T> {
  const kernel = await createKernel();
  try {
    const [fact] = kernel.facts(accountsOfKernel);
    if (fact === undefined)
      throw new ToolkitError(
        'PLUGIN_INVALID',
        'No plugin keeps accounts. List standard(), or accounts() ("toolkit/plugins/accounts"), in the configuration.',
      );
    return await work(fact.value, kernel);
  } finally {
    await kernel.close();
  }
}
