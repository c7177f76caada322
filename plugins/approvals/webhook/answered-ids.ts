import { createHash } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';
import { toleranceSeconds } from './signature.ts';

/** Time that an id is remembered, in milliseconds: as long as its message is accepted, and an hour for clocks that differ. */
const ttlMs = toleranceSeconds * 2000 + 3_600_000;

/** Remembers the ids of answers, for all processes that share the store. */
export class AnsweredIds {
  readonly #state: Pick<StateStore, 'compareAndSet' | 'delete'>;

  constructor(state: Pick<StateStore, 'compareAndSet' | 'delete'>) {
    this.#state = state;
  }

  /** Takes an id for one answer. Resolves to false when it was taken before. */
  take(webhook: string, id: string): Promise<boolean> {
    return this.#state.compareAndSet(keyFor(webhook, id), undefined, '', { ttlMs });
  }

  /** Gives back the id of an answer that came to nothing because the store failed, so that it may be sent again. */
  async giveBack(webhook: string, id: string): Promise<void> {
    await this.#state.delete(keyFor(webhook, id)).catch(() => {});
  }
}

function keyFor(webhook: string, id: string): string {
  return `answered/${createHash('sha256').update(`${webhook} ${id}`).digest('hex')}`;
}
