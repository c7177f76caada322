import type { VNode } from 'preact';
import type { ApiError } from '../api.ts';
import { html } from '../html.ts';
import { Button } from './button.ts';

/** A failed reading, with the way to try again. Shows nothing without an error. */
export function Failure({ error, onRetry }: { readonly error: ApiError | undefined; readonly onRetry: () => void }): VNode | null {
  if (error === undefined) return null;
  return html`<div class="callout danger" role="alert"><p>${error.message}</p><${Button} onClick=${onRetry}>Try again<//></div>`;
}
