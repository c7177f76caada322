import { type ApprovalRecord, type ApprovalStatus, type Decider, excerpt } from '../../kernel/index.ts';

/** Formats a decider: `ann (command line)`. */
export function deciderText({ way, name }: Decider): string {
  return `${name} (${way})`;
}

/** Lists the deciders who said yes. */
export function approversText({ decisions }: Pick<ApprovalRecord, 'decisions'>): string {
  return decisions
    .filter(({ approve }) => approve)
    .map(({ by }) => deciderText(by))
    .join(' and ');
}

const ends: Readonly<Record<Exclude<ApprovalStatus, 'refused' | 'approved' | 'used'>, string>> = {
  waiting: 'it waits for a person',
  expired: 'nobody decided in time, which is a no',
  void: 'what was asked about has changed since',
  withdrawn: 'its call has ended',
};

/** Says in a sentence without its full stop how a record stands, and by whom: `ann (command line) approved it, and it has had its run`. */
export function decidedText(record: Pick<ApprovalRecord, 'status' | 'decisions' | 'ended'>): string {
  const { status, decisions, ended } = record;
  if (status === 'approved') return `${approversText(record)} approved it`;
  if (status === 'used') return `${approversText(record)} approved it, and it has had its one run`;
  if (status !== 'refused') return ended ?? ends[status];
  const refusal = decisions.findLast(({ approve }) => !approve);
  const because = refusal?.reason === undefined ? '' : `: ${excerpt(refusal.reason)}`;
  return `${refusal === undefined ? 'a person' : deciderText(refusal.by)} refused it${because}`;
}
