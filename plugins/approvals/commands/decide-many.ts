import {
  type ApprovalAnswer,
  type ApprovalRecord,
  type Approvals,
  type CommandInvocation,
  type ManyDecided,
  messageOf,
} from '../../../kernel/index.ts';
import { formatNumber } from '../../shared/terminal/format-number.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { deciderText, toApprovalJson } from './approval-format.ts';
import { approvalPages } from './approval-pages.ts';
import { approvalTable, unreadableText } from './approval-table.ts';
import { confirm, noteScreen } from './confirm.ts';
import { answerOf, type Chosen, type DecisionVerb } from './decision.ts';
import { requireWaiting } from './outcome-text.ts';

/**
 * Decides several records, one decision each, after their number and a table were shown. A person who was asked decides those of the table, with
 * the digests that were shown: a call that comes meanwhile is not among them. With `--yes`, all of the filter are decided.
 */
export async function decideMany(
  invocation: CommandInvocation,
  verb: DecisionVerb,
  approvals: Approvals,
  chosen: Exclude<Chosen, { readonly kind: 'one' }>,
): Promise<void> {
  const { flags, note, terminal, write, setExitCode } = invocation;
  const answer = await answerOf(flags, verb);
  const records = await recordsOf(invocation, approvals, chosen);
  if (records.length === 0) return write(flags['json'] === true ? jsonText({ decided: [] }) : 'No approvals wait.\n');
  note(`${countText(records)}:\n${await approvalTable(records, noteScreen(terminal))}\n`);
  if (flags['yes'] !== true)
    await confirm(invocation, {
      question: `${verb.does} these ${formatNumber(records.length)}?`,
      without: `Add --yes to ${verb.verb} ${chosen.kind === 'all' ? 'all that wait now' : 'them'}, unseen changes included.`,
      nothing: 'Nothing was decided: the calls go on waiting for a person.',
    });
  const takesAll = chosen.kind === 'all' && flags['yes'] === true;
  const decided = takesAll ? await approvals.decideMany(chosen.filter, answer) : await decideShown(approvals, records, answer);
  if (decided.some(({ failure }) => failure !== undefined)) setExitCode(1);
  write(flags['json'] === true ? jsonText({ decided: decided.map(toManyJson) }) : reportText(decided, verb, answer));
}

async function recordsOf(
  { note }: CommandInvocation,
  approvals: Approvals,
  chosen: Exclude<Chosen, { readonly kind: 'one' }>,
): Promise<readonly ApprovalRecord[]> {
  if (chosen.kind === 'several') {
    const records = await Promise.all(chosen.ids.map((id) => approvals.get(id)));
    records.forEach(requireWaiting);
    return records;
  }
  const records: ApprovalRecord[] = [];
  let unreadable = 0;
  for await (const page of approvalPages(approvals, { ...chosen.filter, status: 'waiting' })) {
    records.push(...page.approvals);
    unreadable += page.unreadable ?? 0;
  }
  if (unreadable > 0) note(`${unreadableText(unreadable)}\n`);
  return records;
}

async function decideShown(
  approvals: Approvals,
  records: readonly ApprovalRecord[],
  answer: Omit<ApprovalAnswer, 'digest'>,
): Promise<readonly ManyDecided[]> {
  const decided: ManyDecided[] = [];
  for (const { id, digest } of records)
    decided.push(
      await approvals.decide(id, { ...answer, digest }).then(
        (approval) => ({ id, approval }),
        (error: unknown) => ({ id, failure: messageOf(error) }),
      ),
    );
  return decided;
}

function countText({ length }: readonly ApprovalRecord[]): string {
  return length === 1 ? '1 approval waits' : `${formatNumber(length)} approvals wait`;
}

function toManyJson({ id, approval, failure }: ManyDecided): object {
  return { id, approval: approval === undefined ? null : toApprovalJson(approval), failure: failure ?? null };
}

function reportText(decided: readonly ManyDecided[], { past, verb }: DecisionVerb, { by }: Pick<ApprovalAnswer, 'by'>): string {
  const failures = decided.flatMap(({ id, failure }) => (failure === undefined ? [] : [terminalText(`${id}: ${failure}`)]));
  const waiting = decided.filter(({ approval }) => verb === 'approve' && approval?.status === 'waiting').length;
  const done = `${past} ${formatNumber(decided.length - failures.length)} of ${formatNumber(decided.length)} by ${deciderText(by)}`;
  const more = waiting === 0 ? '' : `; ${formatNumber(waiting)} of them still need another name`;
  return [...failures, terminalText(`${done}${more}.`)].map((line) => `${line}\n`).join('');
}
