import type { VNode } from 'preact';
import type { CallDetails } from '../../wire/calls.ts';
import { CallFacts } from '../calls/call-facts.ts';
import { OutcomeBadge } from '../calls/ended-table.ts';
import { StageBar } from '../calls/stage-bar.ts';
import { stageTimes } from '../calls/stage-times.ts';
import { Empty } from '../components/empty.ts';
import { JsonView } from '../components/json-view.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Section } from '../components/section.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import { useData } from '../hooks/use-data.ts';
import { useNow } from '../hooks/use-now.ts';
import { useTitleFocus } from '../hooks/use-title-focus.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

/** One call: its stages, its error, its approvals and its parameters. */
export const CallPage: Page = ({ route }) => {
  const id = route.id ?? '';
  useTitleFocus(id);
  const data = useData<CallDetails>(`calls/${encodeURIComponent(id)}`, 'calls');
  const { value, error } = data;
  return html`<a class="back" href=${hashOf('calls')}>All calls</a>
    ${
      value === undefined
        ? html`<${PageHead} title="Call" />`
        : html`<${PageHead} title=${html`<span class="mono">${shownLine(value.tool)}</span>`} lead=${html`<${OutcomeBadge} outcome=${value.outcome} />`} />`
    }
    ${
      error?.status === 404
        ? html`<${Empty} title="This call is not known here">${error.message} It may be older than the calls that are kept. <a href=${hashOf('calls')}>See all calls</a>.<//>`
        : html`<${Loaded} data=${data}>${(call: CallDetails) => html`<${Details} call=${call} />`}<//>`
    }`;
};

function Details({ call }: { readonly call: CallDetails }): VNode {
  const { outcome, message, stages, parameters, parametersNote } = call;
  const isRunning = outcome === 'running';
  return html`${outcome === 'APPROVAL_REQUIRED' && html`<${Held} call=${call} />`}
    ${!isRunning && outcome !== 'completed' && outcome !== 'APPROVAL_REQUIRED' && html`<${CallError} code=${outcome} message=${message} />`}
    ${isRunning && stages?.at(-1)?.stage === 'approval' && html`<div class="callout warn"><p>It runs when a person approves it.</p><a class="button" href=${hashOf('inbox')}>Open the inbox</a></div>`}
    <${CallFacts} call=${call} />
    <${Section} title="Stages"><${Stages} call=${call} /><//>
    ${!isRunning && html`<${Section} title="Approvals"><${Approvals} call=${call} /><//>`}
    <${Section} title="Parameters" lead="Secrets are masked.">
      ${parameters !== undefined && html`<${JsonView} label="parameters as JSON" value=${parameters} />`}
      ${parametersNote !== undefined ? html`<p class="muted">${shownLine(parametersNote)}</p>` : parameters === undefined && html`<p class="muted">They are not kept.</p>`}
    <//>`;
}

function Stages({ call }: { readonly call: CallDetails }): VNode {
  const { outcome, stages, startedAt, durationMs } = call;
  const isRunning = outcome === 'running';
  const now = Math.max(useNow(1000), startedAt);
  if (stages === undefined || stages.length === 0)
    return html`<p class="muted">The audit trail keeps no times of stages. They are known for calls of this process since its start.</p>`;
  return html`<${StageBar} isRunning=${isRunning} times=${stageTimes(stages, startedAt, isRunning ? now : startedAt + durationMs)} />`;
}

function Approvals({ call: { reasons, approvals } }: { readonly call: CallDetails }): VNode {
  return html`${reasons.length > 0 && html`<div><h3>It needed a person because</h3><ul class="bullets">${reasons.map((reason) => html`<li key=${reason}>${shownLine(reason)}</li>`)}</ul></div>`}
    ${approvals.length === 0 && html`<p class="muted">${reasons.length > 0 ? 'None while this call waited.' : 'It needed none.'}</p>`}
    ${
      approvals.length > 0 &&
      html`<div><h3>Answers</h3><ul class="bullets">${approvals.map(
        ({
          kind,
          approved,
          by,
          record,
        }) => html`<li><strong>${approved ? 'Approved' : 'Refused'}</strong> by ${shownLine(by)} <span class="muted">(${shownLine(kind)})</span>
          ${record !== undefined && html` · <a href=${hashOf('inbox', record)}>Open the approval</a>`}</li>`,
      )}</ul></div>`
    }`;
}

/** A call that ended with a question to a person. Its answer is another call. */
function Held({ call: { approval, message } }: { readonly call: CallDetails }): VNode {
  return html`<div class="callout warn"><p>It did not run: a person must decide first. After a yes, its caller makes the call again.
      ${approval === undefined && message !== undefined && html`<br />${shownLines(message)}`}</p>
    <a class="button" href=${approval === undefined ? hashOf('inbox', undefined, { status: 'all' }) : hashOf('inbox', approval, { status: 'all' })}>${
      approval === undefined ? 'Open the inbox' : 'Open the approval'
    }</a></div>`;
}

function CallError({ code, message }: { readonly code: string; readonly message: string | undefined }): VNode {
  return html`<div class="callout danger"><p><strong class="mono">${shownLine(code)}</strong><br />${
    message === undefined ? 'The audit trail keeps only the code of an error. The log of the server has its message.' : shownLines(message)
  }</p></div>`;
}
