import type { VNode } from 'preact';
import type { CallIdentity } from '../../../../../kernel/index.ts';
import { commandLine } from '../../../../shared/approval/command-line.ts';
import { DetailsList } from '../../components/details-list.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { html } from '../../html.ts';

const parts = [
  ['destination', 'Destination'],
  ['content', 'Content'],
  ['folder', 'In folder'],
  ['code', 'Code'],
] as const;

/** The things that will run, to which a yes is bound. */
export function Identity({ identity, description }: { readonly identity: CallIdentity; readonly description: string }): VNode {
  const items = [
    ['Command', shown(identity.program === undefined ? undefined : commandLine(identity.program))] as const,
    ...parts.map(([name, title]) => [title, shown(identity[name]?.shown)] as const),
    ...Object.values(identity.files ?? {}).map((part, index) => [index === 0 ? 'Files' : '', shown(part.shown)] as const),
  ];
  return html`<section class="part"><h3>What will run</h3>
    <p class="description">${shownLine(description)}</p>
    <${DetailsList} items=${items} /></section>`;
}

function shown(text: string | undefined): VNode | undefined {
  return text === undefined ? undefined : html`<span class="mono">${shownLine(text)}</span>`;
}
