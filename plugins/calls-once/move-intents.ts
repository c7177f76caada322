import type { StateStore } from '../../kernel/index.ts';
import type { MovedState } from '../shared/calls/movable-state.ts';
import { pagesOf } from '../shared/state/pages-of.ts';
import { type Intent, intentPrefix } from './intent.ts';

const pageSize = 200;

export interface MoveIntentsOptions {
  readonly from: StateStore;
  readonly to: StateStore;
  /** Lifetime of the copies, in milliseconds. */
  readonly ttlMs: number;
}

/**
 * Copies intents from another store, except where this one has an intent of the same name: that is of a later attempt, or the copy. They stay
 * in the other store too, where they prevent a second effect.
 */
export async function moveIntents({ from, to, ttlMs }: MoveIntentsOptions): Promise<MovedState> {
  const count = { moved: 0, known: 0, later: 0 };
  for await (const page of pagesOf(from, intentPrefix, pageSize)) {
    const copied = await Promise.all(
      page.map(async ({ key, value: text }) => {
        const value = withoutTimer(text);
        // The same one is a copy that was made before a break.
        return (await to.compareAndSet(key, undefined, value, { ttlMs })) || (await to.get(key)) === value;
      }),
    );
    for (const isCopied of copied) count[isCopied ? 'moved' : 'known']++;
  }
  return count;
}

/** Removes the mark of a timer, which the other store keeps: this one times the attempt anew when it looks into it. */
function withoutTimer(text: string): string {
  // Own text: a record of the store.
  const intent = JSON.parse(text) as Intent;
  if (intent.state === 'done' || intent.attempt.isTimed !== true) return text;
  const { isTimed: _, ...attempt } = intent.attempt;
  return JSON.stringify({ ...intent, attempt });
}
