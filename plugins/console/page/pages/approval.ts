import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDetails, ApprovalRecord } from '../../../../kernel/index.ts';
import { Badge, RiskBadge } from '../components/badge.ts';
import { CodeBlock } from '../components/code-block.ts';
import { DetailsList } from '../components/details-list.ts';
import { Failure } from '../components/failure.ts';
import { JsonView } from '../components/json-view.ts';
import { Loading } from '../components/loading.ts';
import { RelativeTime, TimeLeft } from '../components/relative-time.ts';
import { useConsole } from '../console-context.ts';
import { shownLine } from '../formats/shown-text.ts';
import { exactTime } from '../formats/time.ts';
import { useData } from '../hooks/use-data.ts';
import { goTo } from '../hooks/use-route.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { ChangeDialog } from './approval/change-dialog.ts';
import { DecisionBar } from './approval/decision-bar.ts';
import { Decisions, outcomeOf } from './approval/decisions.ts';
import { Identity } from './approval/identity.ts';
import { Parameters } from './approval/parameters.ts';
import { RecordCalls } from './approval/record-calls.ts';
import { SinceLast } from './approval/since-last.ts';
import { useHasChanged } from './approval/use-shown-digest.ts';
import { StatusBadge } from './inbox/status-badge.ts';

export interface ApprovalProps {
  readonly id: string;
  /** The begun decision about it. */
  readonly asked: boolean | undefined;
  readonly onAsk: (approve: boolean | undefined) => void;
  /** True while a selection of several calls is being decided instead. */
  readonly isBlocked: boolean;
  /** True when the details take the place of the list, and so the focus. */
  readonly takesFocus: boolean;
  readonly onDecided: (decided: readonly ApprovalRecord[]) => void;
}

/** One record with everything that helps to decide, and the decision. */
export function Approval({ id, asked, onAsk, isBlocked, takesFocus, onDecided }: ApprovalProps): VNode {
  const { value: record, error, reload } = useData<ApprovalDetails>(`approvals/${encodeURIComponent(id)}`, 'approvals');
  const { notify, overview } = useConsole();
  const [isChanging, setIsChanging] = useState(false);
  const hasChanged = useHasChanged(record?.digest);
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = record !== undefined;
  useEffect(() => {
    if (isThere && takesFocus) heading.current?.focus();
  }, [isThere, takesFocus]);
  if (record === undefined)
    return html`<section class="approval" aria-label="Call"><${Failure} error=${error} onRetry=${() => void reload()} />${error === undefined && html`<${Loading} />`}</section>`;
  const isWaiting = record.status === 'waiting';
  const { preview, always, replaces, reasons, shown } = record;
  return html`<section class="approval" aria-label="Call">
    <div class="approval-body">
      <header class="approval-head">
        <h2 class="mono" tabindex="-1" ref=${heading}>${shownLine(record.tool)}</h2>
        <${RiskBadge} risk=${record.risk} />${!isWaiting && html`<${StatusBadge} status=${record.status} />`}
        ${record.approvers > 1 && html`<${Badge}>${record.approvers} names must approve<//>`}
        <span class="spacer"></span>
        ${isWaiting && html`<span class="time-left"><${TimeLeft} until=${record.expiresAt} /></span>`}
        <p class="approval-facts">Asked <${RelativeTime} at=${record.createdAt} /> by <strong>${shownLine(record.caller)}</strong>${record.count > 1 && `, ${record.count} times`}</p>
      </header>
      ${!isWaiting && html`<div class="callout"><p>${outcomeOf(record)}</p>${canCallAgain(record, overview.name) && html`<a class="button" href=${hashOf('tools', record.tool, { again: record.id })}>Call it again</a>`}</div><${RecordCalls} record=${record} />`}
      ${isWaiting && hasChanged && html`<p class="callout warn">This call has changed since you opened it. Read it again before you decide.</p>`}
      ${replaces !== undefined && html`<p class="callout warn"><span>An <a href=${hashOf('inbox', replaces.id)}>earlier approval</a> counts no more. Changed since then: ${shownLine(replaces.changed.join(', '))}.</span></p>`}
      ${isWaiting && !record.isKept && html`<p class="callout">It brings its own credentials, so it can run only while its client waits.</p>`}
      <section class="part"><h3>Why it asks</h3><ul class="reasons">${reasons.map(
        (
          reason,
          index,
        ) => html`<li key=${index}>${sentence(shownLine(reason.message))}${reason.kind !== 'gate' && html` <${Badge}>${shownLine(reason.kind)}<//>`}
          ${reason.shown !== undefined && html`<${JsonView} label="Shown with the reason" value=${reason.shown} />`}</li>`,
      )}</ul></section>
      <${Parameters} parameters=${shown.parameters} onChange=${isWaiting && !isBlocked ? () => setIsChanging(true) : undefined} />
      <${Identity} identity=${shown.identity} description=${shown.description} />
      ${
        preview !== undefined &&
        html`<section class="part"><h3>Preview by ${shownLine(preview.tool)}</h3>
          ${preview.failure === undefined ? html`<${JsonView} label="Preview" value=${preview.output} />` : html`<p class="muted">${shownLine(preview.failure)}</p>`}</section>`
      }
      <${SinceLast} sinceLast=${record.sinceLast} />
      ${
        always !== undefined &&
        html`<section class="part"><h3>To always allow it</h3><p class="muted">This rule in the policy lets equal calls run without asking. Nothing is written from here.</p>
          <${CodeBlock} label="Rule" text=${always} canCopy /></section>`
      }
      ${isWaiting && html`<${RecordCalls} record=${record} />`}
      <${Decisions} decisions=${record.decisions} approvers=${record.approvers} />
      <section class="part"><h3>Record</h3><${DetailsList} items=${[
        ['Id', html`<span class="mono">${record.id}</span>`],
        ['Tenant', shownLine(record.tenant)],
        ['Asked', exactTime(record.createdAt)],
        [isWaiting ? 'Ends' : 'Ended', exactTime(isWaiting ? record.expiresAt : (record.endedAt ?? record.expiresAt))],
        ['Once', record.once === undefined ? undefined : html`<span class="mono">${shownLine(record.once)}</span>`],
        ['Runs as', record.runsAs === undefined ? undefined : html`<span class="mono">${shownLine(record.runsAs.id)}</span>`],
        ['Digest', html`<span class="mono">${record.digest}</span>`],
      ]} /></section>
    </div>
    ${isWaiting && !isBlocked && html`<${DecisionBar} record=${record} asked=${asked} onAsk=${onAsk} onDecided=${onDecided} onStale=${() => void reload()} />`}
    ${
      isChanging &&
      html`<${ChangeDialog} record=${record} onClose=${() => setIsChanging(false)} onChanged=${(next: { readonly id: string }) => {
        setIsChanging(false);
        notify('The call with other parameters waits now.');
        goTo(hashOf('inbox', next.id));
      }} />`
    }
  </section>`;
}

/** True for an approved call from the form of this person, who is the one to make it again. */
function canCallAgain({ status, caller }: ApprovalDetails, name: string): boolean {
  return status === 'approved' && caller === `console:${name}`;
}

/** Begins with a capital letter and ends with a full stop. */
function sentence(text: string): string {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
