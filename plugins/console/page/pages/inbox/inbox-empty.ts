import type { VNode } from 'preact';
import { Empty } from '../../components/empty.ts';
import { counted } from '../../formats/words.ts';
import { html } from '../../html.ts';
import { hashOf } from '../../router.ts';

export interface InboxEmptyProps {
  readonly keepsApprovals: boolean;
  /** Number of tools whose calls never wait, because a model's own claim of an approval counts. */
  readonly unaskedTools: number | undefined;
  /** True when only waiting records are listed. */
  readonly isWaiting: boolean;
}

/** The inbox without a record: the next step. */
export function InboxEmpty({ keepsApprovals, unaskedTools, isWaiting }: InboxEmptyProps): VNode {
  if (!keepsApprovals)
    return html`<${Empty} title="This server keeps no approvals.">
      <p>Add <code>toolkit/standard</code>, or <code>toolkit/plugins/approvals</code> and <code>toolkit/plugins/calls-once</code>, to <code>plugins</code> in the configuration, and start again. Then calls that need a person wait here.</p><//>`;
  if (unaskedTools !== undefined)
    return html`<${Empty} title="Nothing waits for you.">
      <p>${counted(unaskedTools, 'tool')} that ${unaskedTools === 1 ? 'requires' : 'require'} approval will not wait here: a call runs when the model says that a person agreed.
        To be asked, add <code>[toolkit/plugins/approval-gate, { mode: elicit }]</code> to <code>plugins</code> in the configuration, and start again.</p><//>`;
  if (!isWaiting)
    return html`<${Empty} title="No call has asked yet."><p>A call that needs a person appears here by itself, and stays in this list after it was decided. To try it, <a href=${hashOf('tools')}>open a tool</a> that asks first and call it as a model.</p><//>`;
  return html`<${Empty} title="Nothing waits for you.">
    <p>A call that needs a person appears here by itself. Those decided earlier are under <a href=${hashOf('inbox', undefined, { status: 'all' })}>All</a>.</p><//>`;
}
