import type { VNode } from 'preact';
import type { ApprovalDetails } from '../../../../kernel/index.ts';
import { Button } from '../components/button.ts';
import { useData } from '../hooks/use-data.ts';
import { type Children, html } from '../html.ts';
import { outcomeOf } from '../pages/approval/decisions.ts';
import { hashOf } from '../router.ts';

export interface HeldCallProps {
  /** Id of the record. */
  readonly id: string;
  /** Makes the same call again, which has the result after a yes. */
  readonly onAgain: () => void;
  /** The message of the call, which counts until the record is decided. */
  readonly children: Children;
}

/** The way to the record of a held call while it waits, and its outcome once it is decided. */
export function HeldCall({ id, onAgain, children }: HeldCallProps): VNode {
  const { value: record } = useData<ApprovalDetails>(`approvals/${encodeURIComponent(id)}`, 'approvals');
  if (record === undefined || record.status === 'waiting')
    return html`${children}<a class="button primary" href=${hashOf('inbox', id)}>Open the waiting approval</a>`;
  return html`<p>${outcomeOf(record)}</p><a class="button" href=${hashOf('inbox', id)}>Open the record</a>
    ${record.status === 'approved' && html`<${Button} kind="primary" onClick=${onAgain}>Call again for the result<//>`}`;
}
