import type { VNode } from 'preact';
import type { ApprovalStatus } from '../../../../../kernel/index.ts';
import { Badge } from '../../components/badge.ts';
import type { Tone } from '../../formats/tone.ts';
import { html } from '../../html.ts';

const tones: Readonly<Record<ApprovalStatus, Tone>> = {
  waiting: 'accent',
  approved: 'ok',
  used: 'ok',
  refused: 'danger',
  expired: 'neutral',
  void: 'warn',
  withdrawn: 'neutral',
};

/** Words of states whose own word says too little. */
const words: Partial<Readonly<Record<ApprovalStatus, string>>> = { used: 'approved, has run', approved: 'approved, not yet run' };

/** The status of a record. */
export function StatusBadge({ status }: { readonly status: ApprovalStatus }): VNode {
  return html`<${Badge} tone=${tones[status]}>${words[status] ?? status}<//>`;
}
