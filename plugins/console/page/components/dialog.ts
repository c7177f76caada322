import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Children, html } from '../html.ts';
import { Button } from './button.ts';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: Children;
}

/** A modal dialog while it is shown. Escape and the cross close it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const onCancel = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby=${titleId} onCancel=${onCancel}>
    <header><h2 id=${titleId}>${title}</h2><${Button} kind="quiet" icon="close" label="Close" onClick=${onClose} /></header>
    ${children}
  </dialog>`;
}
