import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { consoleLogin } from '../console-fact.ts';

/** Prints a new one-time code alone on standard output. Throws CONFIG_INVALID where no server would take it. */
export async function login({ createKernel, write, note }: Pick<CommandInvocation, 'createKernel' | 'write' | 'note'>): Promise<void> {
  const kernel = await createKernel();
  try {
    const [fact] = kernel.facts(consoleLogin);
    if (fact === undefined)
      throw new ToolkitError('CONFIG_INVALID', 'This configuration has no console. List console() ("toolkit/plugins/console") in it.');
    const { usesOpenid, isShared, createCode } = fact.value;
    if (usesOpenid)
      throw new ToolkitError(
        'CONFIG_INVALID',
        'This console takes no codes: people log in at the OpenID provider of its option "openid". Open /console of the server in a browser.',
      );
    if (!isShared())
      throw new ToolkitError(
        'CONFIG_INVALID',
        'A code of this command would reach no server: this configuration has no store that other processes see. List storeLibsql() ("toolkit/plugins/store-libsql") or storePostgres(), or use the code that the server prints when it starts.',
      );
    write(`${await createCode()}\n`);
    note('Open /console of the server, and type the code there within ten minutes. It counts once.\n');
  } finally {
    await kernel.close();
  }
}
