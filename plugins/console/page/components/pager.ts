import type { VNode } from 'preact';
import { counted } from '../formats/words.ts';
import { html } from '../html.ts';
import { Button } from './button.ts';

export interface PagerProps {
  /** Number of things shown. */
  readonly shown: number;
  /** The thing, such as `call`. */
  readonly noun: string;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
}

/** The end of a list: its length, and a button for more. */
export function Pager({ shown, noun, hasMore, isLoading, onMore }: PagerProps): VNode {
  return html`<div class="pager"><span>${counted(shown, noun)} shown</span>
    ${hasMore && html`<${Button} disabled=${isLoading} onClick=${onMore}>${isLoading ? 'Loading …' : 'Show more'}<//>`}
  </div>`;
}
