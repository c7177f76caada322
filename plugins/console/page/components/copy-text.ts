import type { VNode } from 'preact';
import { useConsole } from '../console-context.ts';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';
import { Button } from './button.ts';

/** A short text such as an id, with a button that copies it. `label`: its name. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }): VNode {
  const { notify } = useConsole();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notify(`Copied the ${label}.`),
      () => notify('The browser did not allow the copy. Select the text instead.', 'danger'),
    );
  };
  return html`<span class="copy-text"><span class="mono">${shownLine(text)}</span>
    <${Button} kind="quiet" icon="copy" label=${`Copy the ${label}`} onClick=${copy} /></span>`;
}
