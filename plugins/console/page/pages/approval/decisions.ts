import type { VNode } from 'preact';
import type { ApprovalRecord, RecordedDecision } from '../../../../../kernel/index.ts';
import { RelativeTime } from '../../components/relative-time.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { html } from '../../html.ts';

/** The decisions about a record so far. Shows nothing before the first one. */
export function Decisions({ decisions, approvers }: Pick<ApprovalRecord, 'decisions' | 'approvers'>): VNode | null {
  if (decisions.length === 0) return null;
  const yes = decisions.filter(({ approve }) => approve).length;
  return html`<section class="part"><h3>Decisions${approvers > 1 && ` (${yes} of ${approvers} names have said yes)`}</h3>
    <ul class="decisions">${decisions.map((decision) => html`<li key=${decision.at}>${decided(decision)} <${RelativeTime} at=${decision.at} /></li>`)}</ul>
  </section>`;
}

function decided({ approve, by, reason }: RecordedDecision): VNode {
  return html`<strong>${shownLine(by.name)}</strong> ${approve ? 'said yes' : 'said no'} (${shownLine(by.way)})${reason !== undefined && html`: “${shownLine(reason)}”`}`;
}

/** Returns the outcome of a record that waits no longer, as a sentence. */
export function outcomeOf({ status, decisions, ended, runsAs }: Pick<ApprovalRecord, 'status' | 'decisions' | 'ended' | 'runsAs'>): string {
  const last = decisions.at(-1);
  const by = last === undefined ? '' : ` by ${shownLine(last.by.name)} (${shownLine(last.by.way)})`;
  const sentences: Partial<Readonly<Record<ApprovalRecord['status'], string>>> = {
    approved: `Approved${by}. It has not run yet: ${runsAs === undefined ? 'it runs when its caller makes the same call again' : 'a worker runs it'}.`,
    used: `Approved${by}. It has had its one run.`,
    refused: `Refused${by}.`,
    expired: 'Nobody answered in time, which is a no.',
    void: `What was approved has changed: a yes counts no more.`,
    withdrawn: 'The call ended before it was decided.',
  };
  return [sentences[status], ended === undefined ? undefined : shownLine(ended)].filter(Boolean).join(' ');
}
