import type { VNode } from 'preact';
import { useConsole } from '../console-context.ts';
import { shownLines } from '../formats/shown-text.ts';
import { html } from '../html.ts';
import { Button } from './button.ts';

export interface CodeBlockProps {
  /** Name of the text, for screen readers and the button. */
  readonly label: string;
  readonly text: string;
  /** True for a button that copies the text as it is. @default false */
  readonly canCopy?: boolean;
}

/** A text of several lines, whole, as one node: 200 kB of it stay usable. It scrolls by keyboard. Hidden characters are shown as escapes. */
export function CodeBlock({ label, text, canCopy = false }: CodeBlockProps): VNode {
  const { notify } = useConsole();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notify('Copied.'),
      () => notify('The browser did not allow the copy. Select the text instead.', 'danger'),
    );
  };
  return html`<div class="code-block">
    <pre tabindex="0" role="region" aria-label=${label}>${shownLines(text)}</pre>
    ${canCopy && html`<${Button} kind="quiet" icon="copy" label=${`Copy ${label}`} onClick=${copy} />`}
  </div>`;
}
