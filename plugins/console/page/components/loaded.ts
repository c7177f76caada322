import type { VNode } from 'preact';
import type { Data } from '../hooks/use-data.ts';
import { type Children, html } from '../html.ts';
import { Failure } from './failure.ts';
import { Loading } from './loading.ts';

/** Data of the server: its content once it is there, and the failure of the last reading above it. */
export function Loaded<T>({ data, children }: { readonly data: Data<T>; readonly children: (value: T) => Children }): VNode {
  const { value, error, reload } = data;
  return html`<${Failure} error=${error} onRetry=${() => void reload()} />
    ${value !== undefined ? children(value) : error === undefined && html`<${Loading} />`}`;
}
