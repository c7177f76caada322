import { sentence, ToolkitError } from '../../kernel/index.ts';
import { approversText, decidedText } from './decided-text.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** The call that waits, and the record that it waits for. */
interface HeldNames {
  readonly tool: string;
  readonly id: string;
  /** True when others can reach the record. */
  readonly isShared: boolean;
}

/** Returns the error of a call whose record has ended without a yes. */
export function deniedError({ tool, id }: Pick<HeldNames, 'tool' | 'id'>, record: StoredApproval | undefined): ToolkitError {
  const why = record === undefined ? 'its approval was erased' : decidedText(record);
  return new ToolkitError(
    'APPROVAL_DENIED',
    `"${tool}" was not run: ${sentence(why)}${record?.status === 'refused' ? ' Do not repeat it.' : ''}`,
    { tool, approval: id },
  );
}

/** Returns the error of a call that was approved, where an equal one has taken the run: that of a tool that only reads has no result for others. */
export function usedApprovalError({ tool, id }: Pick<HeldNames, 'tool' | 'id'>, record: StoredApproval): ToolkitError {
  const why = `${approversText(record)} approved it, and an equal call had the one run`;
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `"${tool}" needs approval and was not run: ${why}. Make the call again, and a person is asked anew.`,
    { tool, approval: id },
  );
}

/** Returns the error of a call that nobody has decided about yet. `why`: the reason for asking, as a sentence without its full stop. */
export function undecidedError(names: HeldNames, why: string): ToolkitError {
  const { tool } = names;
  return withAdvice(new ToolkitError('APPROVAL_REQUIRED', `"${tool}" needs approval and was not run: ${sentence(why)}`, { tool }), names);
}

/** Adds how the call can be decided later, where others can reach its record. */
export function withAdvice(error: ToolkitError, { id, isShared }: HeldNames): ToolkitError {
  if (!isShared || isAsked(error)) return error.with({ approval: id });
  const advice = `It waits as approval "${id}", for an operator: "toolkit approvals approve ${id}" or "refuse". Tell the person. After the decision make the same call again, for its result or the reason of a no; before that it changes nothing.`;
  // The client need not be able to ask.
  const { clientLacks: _lacks, ...details } = error.details;
  return new ToolkitError(error.code, `${error.message} ${advice}`, { ...details, approval: id }, { cause: error.cause });
}

/** True when a person is being asked, and the call is made again with the answer. */
function isAsked({ cause }: ToolkitError): boolean {
  return ToolkitError.is(cause) && cause.details['isAsked'] === true;
}
