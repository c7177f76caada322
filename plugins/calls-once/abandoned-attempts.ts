import type { Intents, ReadIntent } from './intent.ts';

/** Maximum number of remembered attempts. */
const maxAttempts = 1000;

/**
 * Attempts of this process that never ran, because the write of their intent failed. The store may still carry out that write later; the
 * intent is then taken back where it is found.
 */
export class AbandonedAttempts {
  readonly #intents: Intents;
  /** Intent before the attempt, by attempt id. */
  readonly #before = new Map<string, ReadIntent | undefined>();

  constructor({ intents }: { readonly intents: Intents }) {
    this.#intents = intents;
  }

  add(attemptId: string, before: ReadIntent | undefined): void {
    this.#before.set(attemptId, before);
    const [oldest = ''] = this.#before.keys();
    if (this.#before.size > maxAttempts) this.#before.delete(oldest);
  }

  /** Takes the intent of an abandoned attempt back. Returns false for any other intent. */
  async undo(id: string, found: ReadIntent): Promise<boolean> {
    const attemptId = found.intent.attempt.id;
    if (!this.#before.has(attemptId) || found.intent.state === 'done') return false;
    await this.#intents.end(id, found, this.#before.get(attemptId)?.intent);
    return true;
  }
}
