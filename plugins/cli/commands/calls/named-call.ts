import type { CommandArgument, CommandFlag, Complete } from '../../../../kernel/index.ts';

/** Ids that the shell offers: of the newest calls. */
const mostOffered = 100;

const ids: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    const { calls } = await kernel.calls.list({ caller: 'default', limit: mostOffered });
    return calls.map(({ id }) => id);
  } finally {
    await kernel.close();
  }
};

/** What a command about one call takes. */
export const idArgument: CommandArgument = {
  name: '<id>',
  description: 'its id, which "toolkit calls list" shows',
  complete: ids,
};

export const callerFlag: CommandFlag = {
  flag: '--caller <name>',
  description: 'whose call it is: two callers may use the same id',
  default: 'default',
  complete: async () => [],
};

/** The call that argument and flag name. */
export function namedCall(
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): { readonly id: string; readonly caller: string } {
  return { id: words[0] ?? '', caller: String(flags['caller']) };
}
