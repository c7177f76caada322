import { type ApprovalAnswer, type CommandInvocation, type HeldRefusal, ToolkitError } from '../../../kernel/index.ts';
import { accountDecider } from './account-decider.ts';
import { filterOf } from './approval-arguments.ts';

/** The words of a command that decides. */
export interface DecisionVerb {
  readonly verb: 'approve' | 'refuse';
  readonly does: 'Approve' | 'Refuse';
  readonly past: 'Approved' | 'Refused';
}

export const approving: DecisionVerb = { verb: 'approve', does: 'Approve', past: 'Approved' };
export const refusing: DecisionVerb = { verb: 'refuse', does: 'Refuse', past: 'Refused' };

/** The records that the arguments and flags of a deciding command name. */
export type Chosen =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  | { readonly kind: 'all'; readonly filter: ReturnType<typeof filterOf> };

/** Returns the records to decide. Throws INVALID_PARAMETERS for flags that contradict each other. */
export function chosenOf({ arguments: words, flags }: Pick<CommandInvocation, 'arguments' | 'flags'>, { verb }: DecisionVerb): Chosen {
  const ids = [...new Set(words)];
  const filter = filterOf(flags);
  const isAll = flags['all'] === true;
  if (isAll && ids.length > 0) throw wrong(`Give ids, or --all with a filter, not both: toolkit approvals ${verb} --all --tool <name>`);
  if (!isAll && Object.keys(filter).length > 0) throw wrong('--tool, --caller and --tenant choose among all that wait: add --all');
  if (!isAll && ids.length === 0) throw wrong(`Say which: toolkit approvals ${verb} <id>. "toolkit approvals list" shows what waits`);
  const [id = ''] = ids;
  const chosen: Chosen = isAll ? { kind: 'all', filter } : ids.length === 1 ? { kind: 'one', id } : { kind: 'several', ids };
  const single = ['digest', 'arguments'].find((name) => flags[name] !== undefined);
  if (chosen.kind !== 'one' && single !== undefined) throw wrong(`--${single} is for one approval: give its id alone`);
  return chosen;
}

/** Returns the answer of the flags, by the account that runs this. */
export async function answerOf(flags: Readonly<Record<string, unknown>>, { verb }: DecisionVerb): Promise<Omit<ApprovalAnswer, 'digest'>> {
  const { reason, hold } = flags as { readonly reason?: string; readonly hold?: HeldRefusal };
  return {
    approve: verb === 'approve',
    by: await accountDecider(),
    ...(reason === undefined ? {} : { reason }),
    ...(hold === undefined ? {} : { hold }),
  };
}

function wrong(problem: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Nothing was decided. ${problem}.`);
}
