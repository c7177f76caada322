import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { FormCall } from '../../wire/tools.ts';
import { html } from '../html.ts';

const ways: readonly { readonly as: FormCall['as']; readonly title: string; readonly text: string }[] = [
  { as: 'model', title: 'As a model', text: 'With the policy and the limits of a model: a call that needs a person waits in the inbox.' },
  {
    as: 'operator',
    title: 'As operator',
    text: 'As you, like a call of the command line: what asks a person when a model calls it runs at once.',
  },
];

/** The choice for whom a call counts, with one sentence for each way. */
export function CallAs({ value, onChange }: { readonly value: FormCall['as']; readonly onChange: (value: FormCall['as']) => void }): VNode {
  const id = useId();
  return html`<fieldset class="call-as"><legend>Call it</legend>${ways.map(
    ({ as, title, text }) => html`<label key=${as} class=${`option ${as === value ? 'chosen' : ''}`}>
      <input type="radio" name=${id} value=${as} checked=${as === value} aria-describedby=${`${id}-${as}`} onChange=${() => onChange(as)} />
      <span><span class="option-title">${title}</span><span class="hint" id=${`${id}-${as}`}>${text}</span></span></label>`,
  )}</fieldset>`;
}
