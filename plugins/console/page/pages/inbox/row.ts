import type { VNode } from 'preact';
import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import { RiskBadge } from '../../components/badge.ts';
import { RelativeTime, TimeLeft } from '../../components/relative-time.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { html } from '../../html.ts';
import { StatusBadge } from './status-badge.ts';
import { summaryOf } from './summary.ts';

export interface RowProps {
  readonly record: ApprovalRecord;
  readonly href: string;
  /** True for the row that j and k start from: the only one in the tab order. */
  readonly isCurrent: boolean;
  /** True when its details are shown. */
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onFocus: () => void;
}

/** One record in the list. */
export function Row({ record, href, isCurrent, isOpen, isSelected, onSelect, onFocus }: RowProps): VNode {
  const isWaiting = record.status === 'waiting';
  const tabIndex = isCurrent ? 0 : -1;
  const summary = summaryOf(record);
  return html`<li class=${`inbox-row ${isOpen ? 'open' : ''} ${isSelected ? 'selected' : ''}`} data-id=${record.id}>
    ${
      isWaiting &&
      html`<label class="select-box"><input type="checkbox" tabindex=${tabIndex} checked=${isSelected} onChange=${onSelect} />
        <span class="hidden-text">Select ${shownLine(record.tool)} of ${shownLine(record.caller)}</span></label>`
    }
    <a href=${href} onClick=${isOpen ? readDetails : undefined} tabindex=${tabIndex} aria-current=${isOpen ? 'true' : undefined} onFocus=${onFocus}>
      <span class="row-line"><span class="row-tool mono">${shownLine(record.tool)}</span>
        ${isWaiting ? html`<span class="row-time"><${TimeLeft} until=${record.expiresAt} /></span>` : html`<${StatusBadge} status=${record.status} />`}</span>
      ${summary !== '' && html`<span class="row-summary">${summary}</span>`}
      <span class="row-line row-facts"><${RiskBadge} risk=${record.risk} />
        <span class="row-caller">${shownLine(record.caller)}</span><span class="row-age"><${RelativeTime} at=${record.createdAt} /></span></span>
    </a>
  </li>`;
}

/** Moves the focus from the row of an open record into its details, such as to scroll them. */
function readDetails(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.approval h2')?.focus();
}
