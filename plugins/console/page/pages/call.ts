import type { VNode } from 'preact';
import type { CallDetails, CallsPage, RunningCall } from '../../wire/calls.ts';
import { CallFacts } from '../calls/call-facts.ts';
import { OutcomeBadge } from '../calls/ended-table.ts';
import { StageBadge } from '../calls/running-table.ts';
import { StageBar } from '../calls/stage-bar.ts';
import { stageTimes } from '../calls/stage-times.ts';
import { Empty } from '../components/empty.ts';
import { JsonView } from '../components/json-view.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Section } from '../components/section.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import { type Data, useData } from '../hooks/use-data.ts';
import { useNow } from '../hooks/use-now.ts';
import { useTitleFocus } from '../hooks/use-title-focus.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

/** One call: its stages, its error, its approvals and its parameters. */
export const CallPage: Page = ({ route }) => {
  const id = route.id ?? '';
  useTitleFocus(id);
  const ended = useData<CallDetails>(`calls/${encodeURIComponent(id)}`, 'calls');
  const isUnknown = ended.error?.status === 404;
  const list = useData<CallsPage>(isUnknown ? 'calls' : undefined, 'calls');
  const running = list.value?.running.find(({ callId }) => callId === id);
  const back = html`<a class="back" href=${hashOf('calls')}>All calls</a>`;
  if (running !== undefined) return html`${back}<${RunningDetails} call=${running} />`;
  if (isUnknown && list.value !== undefined)
    return html`${back}<${PageHead} title="Call" />
      <${Empty} title="This call is not known here">It is older than the calls that are kept, or it began on another server.
        <a href=${hashOf('calls')}>See all calls</a>.<//>`;
  const data: Data<CallDetails | CallsPage> = isUnknown ? list : ended;
  return html`${back}${ended.value === undefined && html`<${PageHead} title="Call" />`}
    <${Loaded} data=${data}>${() => ended.value && html`<${EndedDetails} call=${ended.value} />`}<//>`;
};

function RunningDetails({ call }: { readonly call: RunningCall }): VNode {
  const now = Math.max(useNow(1000), call.startedAt);
  const isWaiting = call.stages.at(-1)?.stage === 'approval';
  return html`<${PageHead} title=${html`<span class="mono">${shownLine(call.tool)}</span>`} lead=${html`<${StageBadge} call=${call} />`} />
    ${isWaiting && html`<div class="callout warn"><p>It runs when a person approves it.</p><a class="button" href=${hashOf('inbox')}>Open the inbox</a></div>`}
    <${CallFacts} call=${call} />
    <${Section} title="Stages"><${StageBar} isRunning times=${stageTimes(call.stages, call.startedAt, now)} /><//>`;
}

function EndedDetails({ call }: { readonly call: CallDetails }): VNode {
  const { outcome, message, stages, startedAt, durationMs, reasons, approvals, parameters } = call;
  return html`<${PageHead} title=${html`<span class="mono">${shownLine(call.tool)}</span>`} lead=${html`<${OutcomeBadge} outcome=${outcome} />`} />
    ${outcome !== 'completed' && html`<${CallError} code=${outcome} message=${message} />`}
    <${CallFacts} call=${call} />
    <${Section} title="Stages">${
      stages === undefined || stages.length === 0
        ? html`<p class="muted">The audit trail keeps no times of stages. They are known for calls of this process since its start.</p>`
        : html`<${StageBar} isRunning=${false} times=${stageTimes(stages, startedAt, startedAt + durationMs)} />`
    }<//>
    <${Section} title="Approvals">
      ${reasons.length > 0 && html`<div><h3>It needed a person because</h3><ul class="bullets">${reasons.map((reason) => html`<li key=${reason}>${shownLine(reason)}</li>`)}</ul></div>`}
      ${approvals.length === 0 && html`<p class="muted">${reasons.length > 0 ? 'Nobody has answered.' : 'It needed none.'}</p>`}
      ${
        approvals.length > 0 &&
        html`<ul class="bullets">${approvals.map(
          ({
            kind,
            approved,
            by,
            record,
          }) => html`<li><strong>${approved ? 'Approved' : 'Refused'}</strong> by ${shownLine(by)} <span class="muted">(${shownLine(kind)})</span>
          ${record !== undefined && html` · <a href=${hashOf('inbox', record)}>Open the record</a>`}</li>`,
        )}</ul>`
      }
    <//>
    <${Section} title="Parameters" lead="Secrets are masked."><${JsonView} label="parameters" value=${parameters ?? {}} /><//>`;
}

function CallError({ code, message }: { readonly code: string; readonly message: string | undefined }): VNode {
  return html`<div class="callout danger"><p><strong class="mono">${shownLine(code)}</strong><br />${
    message === undefined ? 'The audit trail keeps only the code of an error. The log of the server has its message.' : shownLines(message)
  }</p></div>`;
}
