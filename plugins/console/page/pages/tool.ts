import type { VNode } from 'preact';
import type { ApprovalDetails } from '../../../../kernel/index.ts';
import type { ToolDetails } from '../../wire/tools.ts';
import { Badge, RiskBadge } from '../components/badge.ts';
import { Empty } from '../components/empty.ts';
import { JsonView } from '../components/json-view.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Section } from '../components/section.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import { useData } from '../hooks/use-data.ts';
import { useTitleFocus } from '../hooks/use-title-focus.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { CallForm } from '../tool/call-form.ts';
import type { Page } from './page.ts';

/** One tool: what it does, and a form that calls it. */
export const ToolPage: Page = ({ route }) => {
  const name = route.id ?? '';
  useTitleFocus(name);
  const data = useData<ToolDetails>(`tools/${encodeURIComponent(name)}`, 'tools');
  const { again } = route.query;
  const approval = useData<ApprovalDetails>(again === undefined ? undefined : `approvals/${encodeURIComponent(again)}`);
  const given = approval.value?.tool === name ? approval.value.shown.parameters : undefined;
  const isGone = data.error?.status === 404;
  return html`<a class="back" href=${hashOf('tools')}>All tools</a>
    <${PageHead} title=${html`<span class="mono">${shownLine(name)}</span>`}>
      <a class="button" href=${hashOf('calls', undefined, { tool: name })}>Its calls</a><//>
    ${
      isGone
        ? html`<${Empty} title="This tool is not there">It was removed or has another name now. It may also wait to be accepted
            under <a href=${hashOf('sources')}>Sources</a>, or have a problem that stands under <a href=${hashOf('problems')}>Problems</a>.<//>`
        : html`<${Loaded} data=${data}>${(tool: ToolDetails) => html`<${Details} tool=${tool} given=${given} />`}<//>`
    }`;
};

function Details({
  tool,
  given,
}: {
  readonly tool: ToolDetails;
  readonly given: ApprovalDetails['shown']['parameters'] | undefined;
}): VNode {
  const { description, risk, requiresApproval, provider, from, outputSchema } = tool;
  return html`<p class="description">${shownLines(description)}</p>
    <p class="badges"><${RiskBadge} risk=${risk} />
      ${requiresApproval && html`<${Badge}>asks a person first<//>`}
      <span class="muted">${provider === undefined ? '' : `${shownLine(provider)} · `}from ${shownLine(from)}</span></p>
    <${CallForm} key=${tool.name} tool=${tool} given=${given} />
    ${
      outputSchema !== undefined &&
      html`<${Section} title="Its result"><details class="disclosure"><summary>Schema of the result</summary><${JsonView} label="schema of the result" value=${outputSchema} /></details><//>`
    }`;
}
