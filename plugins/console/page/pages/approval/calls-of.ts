import type { CallsPage, EndedCall } from '../../../wire/calls.ts';

/** Returns the calls of a record, newest first: those that waited as it, and those that ran or were refused by its decision. */
export function callsOf(record: string, { ended }: Pick<CallsPage, 'ended'>): readonly EndedCall[] {
  return ended.filter(({ approval, approvals }) => approval === record || approvals.some((answer) => answer.record === record));
}
