import type { VNode } from 'preact';
import { html } from '../html.ts';

/** Paths in a square of 16 units, drawn as lines. */
const paths = {
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  check: 'M3.5 8.5l3 3 6-7',
  sun: 'M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13 9.6A5.5 5.5 0 016.4 3a5.5 5.5 0 106.6 6.6z',
  help: 'M6 6.2a2 2 0 113 1.7c-.6.4-1 .8-1 1.6M8 11.8v.1M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8z',
  leave: 'M6.5 2.5h-3v11h3M7 8h6M10.5 5.5L13 8l-2.5 2.5',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  warning: 'M8 2.2l6.2 11H1.8zM8 6.5v3M8 11.4v.1',
  inbox: 'M2.5 9l2-6.5h7l2 6.5v4.5h-11zM2.5 9h3.2l.8 1.8h3L10.3 9h3.2',
} as const;

export type IconName = keyof typeof paths;

/** A small drawing beside a text. It says nothing to screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path d=${paths[name]} /></svg>`;
}
