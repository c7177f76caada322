import type { VNode } from 'preact';
import type { ApprovalPage } from '../../../../kernel/index.ts';
import type { FormCall } from '../../wire/tools.ts';
import { useConsole } from '../console-context.ts';
import { useData } from '../hooks/use-data.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';

/** A call of the form that has not ended, with the way to its record while it waits for a person. */
export function RunningCall({ tool, as }: { readonly tool: string; readonly as: FormCall['as'] }): VNode {
  const { overview } = useConsole();
  const query = new URLSearchParams({ status: 'waiting', tool, caller: `console:${overview.name}`, limit: '1' });
  const canWait = as === 'model' && overview.keepsApprovals;
  const { value } = useData<ApprovalPage>(canWait ? `approvals?${query}` : undefined, 'approvals');
  const record = value?.approvals[0];
  if (record === undefined) return html`<p class="muted">The call runs.</p>`;
  return html`<div class="callout warn"><p>The call waits for a person, and runs after a yes.</p>
    <a class="button primary" href=${hashOf('inbox', record.id)}>Open the waiting approval</a></div>`;
}
