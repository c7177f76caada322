import { type ApprovalFilter, type CommandArgument, type CommandFlag, type Complete, ToolkitError } from '../../../kernel/index.ts';
import { toolNames } from '../../shared/flags/tool-names.ts';

/** Maximum number of ids that shell completion suggests, the newest records first. */
const maxCompletions = 100;

const completeWaiting: Complete = async ({ createKernel }) => {
  const kernel = await createKernel();
  try {
    const { approvals } = await kernel.approvals.list({ status: 'waiting', limit: maxCompletions });
    return approvals.map(({ id }) => id);
  } finally {
    await kernel.close();
  }
};

const noCompletion: Complete = async () => [];

/** The argument of a command about one record. */
export const idArgument: CommandArgument = {
  name: '<id>',
  description: 'its id, which "toolkit approvals list" shows',
  complete: completeWaiting,
};

/** The argument of a command about one or several records. */
export const idsArgument: CommandArgument = {
  name: '[ids...]',
  description: 'one or several ids, which "toolkit approvals list" shows; none with --all',
  complete: completeWaiting,
};

export const jsonFlag: CommandFlag = { flag: '--json', description: 'print JSON' };

export const yesFlag: CommandFlag = { flag: '--yes', description: 'do not ask' };

/** Flags that limit a command to some of the records. */
export const filterFlags: readonly CommandFlag[] = [
  { flag: '--tool <name>', description: 'only calls of this tool', complete: toolNames },
  { flag: '--caller <name>', description: 'only calls of this caller', complete: noCompletion },
  { flag: '--tenant <name>', description: 'only calls of this tenant', complete: noCompletion },
];

/** Returns a flag whose value no shell can complete. */
export function valueFlag(flag: string, description: string, more: Partial<CommandFlag> = {}): CommandFlag {
  return { flag, description, complete: noCompletion, ...more };
}

/** Reads the filter from the flags of `filterFlags`. */
export function filterOf(flags: Readonly<Record<string, unknown>>): Pick<ApprovalFilter, 'tool' | 'caller' | 'tenant'> {
  const { tool, caller, tenant } = flags as { readonly tool?: string; readonly caller?: string; readonly tenant?: string };
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(caller === undefined ? {} : { caller }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

/** Parses a value that may not be empty. */
export function parseText(value: string): string {
  if (value.trim() !== '') return value;
  throw new ToolkitError('INVALID_PARAMETERS', 'expected a text, received an empty one');
}
