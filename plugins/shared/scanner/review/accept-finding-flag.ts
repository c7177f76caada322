import type { CommandFlag, CommandInvocation } from '../../../../kernel/index.ts';

/** The flag with which an operator takes an item that the scanner would block. */
export const acceptFindingFlag: CommandFlag = {
  flag: '--accept-finding <name>',
  description: 'take this tool, prompt, resource or document although its texts look like orders to a model',
  repeats: true,
};

/** Returns the names that the operator gave with `--accept-finding`. */
export function acceptedFindings({ flags }: Pick<CommandInvocation, 'flags'>): ReadonlySet<string> {
  const given = flags['acceptFinding'] as readonly string[] | string | undefined;
  return new Set(given === undefined ? [] : [given].flat());
}
