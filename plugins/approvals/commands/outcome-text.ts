import { type ApprovalRecord, ToolkitError } from '../../../kernel/index.ts';
import { approvedNames, deciderText, timeText } from './approval-format.ts';

/** Says what a decision has done, as a sentence. */
export function outcomeText(record: ApprovalRecord, decider: string): string {
  const call = `The approval "${record.id}" of "${record.tool}"`;
  if (record.status === 'refused') return `${call} is refused by ${decider}: it will not run.`;
  if (record.status === 'waiting') {
    const missing = record.approvers - approvedNames(record);
    return `${call} has the yes of ${decider}: it still needs ${missing === 1 ? 'one other name' : `${missing} other names`}, and waits.`;
  }
  return `${call} is approved by ${decider}: ${consequenceOf(record)}.`;
}

function consequenceOf({ status, runsAs, isKept, caller, expiresAt }: ApprovalRecord): string {
  if (runsAs !== undefined)
    return `it runs as a durable call: "toolkit calls show ${runsAs.id}${runsAs.caller === 'default' ? '' : ` --caller ${argumentText(runsAs.caller)}`}"`;
  if (status === 'used') return 'its one run has begun';
  if (!isKept) return 'it runs where its client waits';
  return `it runs once, where its client waits, else by the next equal call of "${caller}", until ${timeText(expiresAt)}`;
}

/** Formats an argument for a shell. */
function argumentText(text: string): string {
  return /^[\w.@-]+$/.test(text) ? text : JSON.stringify(text);
}

/** Refuses a record that does not wait any more, and says who decided what. Throws INVALID_PARAMETERS. */
export function requireWaiting({ id, status, decisions, ended }: ApprovalRecord): void {
  if (status === 'waiting') return;
  const decided = decisions.map(
    ({ approve, by, at, reason }) =>
      `${deciderText(by)} ${approve ? 'approved' : 'refused'} it at ${timeText(at)}${reason === undefined ? '' : ` (${reason.slice(0, 200)})`}`,
  );
  const why = ended === undefined ? [] : [ended.replace(/\.$/, '')];
  const message = `The approval "${id}" does not wait, it is ${status}${[...decided, ...why].map((text, index) => `${index === 0 ? ': ' : '; '}${text}`).join('')}. Nothing was changed.`;
  throw new ToolkitError('INVALID_PARAMETERS', message, { decided: { status, decisions } });
}
