import type { VNode } from 'preact';
import { Button } from '../../components/button.ts';
import { PageHead } from '../../components/page-head.ts';
import { preciseDuration } from '../../formats/time.ts';
import { goTo } from '../../hooks/use-route.ts';
import { html } from '../../html.ts';
import { hashOf } from '../../router.ts';

export interface InboxHeadProps {
  /** The status of the listed records; undefined for all. */
  readonly status: string | undefined;
  /** Time after which a record of another process is seen at the latest, in milliseconds. */
  readonly pollMs: number | undefined;
}

/** The title of the inbox, with the choice between waiting records and all. */
export function InboxHead({ status, pollMs }: InboxHeadProps): VNode {
  return html`<${PageHead} title="Inbox" lead=${leadOf(pollMs)}>${statusChoice(status)}<//>`;
}

function leadOf(pollMs: number | undefined): string {
  const lead = 'Calls that run only after a person has said yes.';
  // Less than a second is no delay to a person.
  return pollMs === undefined || pollMs < 1000 ? lead : `${lead} Those of other processes appear within ${preciseDuration(pollMs)}.`;
}

function statusChoice(status: string | undefined): VNode {
  const choice = (value: string | undefined, text: string): VNode =>
    html`<${Button} pressed=${status === value} onClick=${() => goTo(hashOf('inbox', undefined, { status: value === undefined ? 'all' : undefined }))}>${text}<//>`;
  return html`<div class="choices" role="group" aria-label="Status">${choice('waiting', 'Waiting')}${choice(undefined, 'All')}</div>`;
}
