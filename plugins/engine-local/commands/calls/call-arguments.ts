import type { CommandArgument, CommandFlag, Complete } from '../../../../kernel/index.ts';

/** Maximum number of ids that shell completion suggests, the newest calls first. */
const maxCompletions = 100;

const completeIds: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    const { calls } = await kernel.calls.list({ caller: 'default', limit: maxCompletions });
    return calls.map(({ id }) => id);
  } finally {
    await kernel.close();
  }
};

/** The argument of every command about one call. */
export const idArgument: CommandArgument = {
  name: '<id>',
  description: 'its id, which "toolkit calls list" shows',
  complete: completeIds,
};

export const callerFlag: CommandFlag = {
  flag: '--caller <name>',
  description: 'whose call it is: two callers may use the same id',
  default: 'default',
  complete: async () => [],
};

/** Reads id and caller from the argument and the flag `--caller`. */
export function parseCallArguments(
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): { readonly id: string; readonly caller: string } {
  return { id: words[0] ?? '', caller: String(flags['caller']) };
}
