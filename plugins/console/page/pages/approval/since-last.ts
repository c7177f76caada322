import type { VNode } from 'preact';
import type { ApprovalDetails } from '../../../../../kernel/index.ts';
import { Difference } from '../../components/difference.ts';
import { RelativeTime } from '../../components/relative-time.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { html } from '../../html.ts';
import { hashOf } from '../../router.ts';
import { changedLines } from './changed-lines.ts';

/** The difference to the last approved call of this tool. */
export function SinceLast({ sinceLast }: Pick<ApprovalDetails, 'sinceLast'>): VNode {
  if (sinceLast === undefined)
    return html`<section class="part"><h3>Compared with the last approved call</h3>
      <p class="muted">There is none: this caller has had no yes for this tool yet.</p></section>`;
  const { id, at, changes } = sinceLast;
  return html`<section class="part"><h3>Compared with the last approved call</h3>
    <p><a href=${hashOf('inbox', id)}>The last one</a> was approved <${RelativeTime} at=${at} />. ${changes.length === 0 && 'Its parameters were the same.'}</p>
    ${changes.map(
      ({ path, from, to }) => html`<div class="change" key=${path}><p class="mono">${shownLine(path)}</p>
        <${Difference} label=${`Change of ${shownLine(path)}`} lines=${changedLines(from, to)} /></div>`,
    )}
  </section>`;
}
