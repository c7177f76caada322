import type { VNode } from 'preact';
import { exactTime, relativeTime, timeLeft } from '../formats/time.ts';
import { useNow } from '../hooks/use-now.ts';
import { html } from '../html.ts';

/** A time as a distance, `4 min ago`; the exact one on hover. */
export function RelativeTime({ at }: { readonly at: number }): VNode {
  const now = useNow(10_000);
  return html`<time datetime=${new Date(at).toISOString()} title=${exactTime(at)}>${relativeTime(at, now)}</time>`;
}

/** The time that is left until `until`, by the second. It is marked in its last minute. */
export function TimeLeft({ until }: { readonly until: number }): VNode {
  const now = useNow(1000);
  return html`<time class=${`number ${until - now < 60_000 ? 'soon' : ''}`} role="timer" datetime=${new Date(until).toISOString()}
    title=${`until ${exactTime(until)}`}>${timeLeft(until, now)}${until > now ? ' left' : ''}</time>`;
}
