import type { Logger } from '../../kernel/index.ts';

/** Kinds of reasons for which a worker takes no calls. */
export type Hindrance = 'tools' | 'queue';

/** Logs once why a worker takes no calls, and once that it takes some again. */
export class WorkerReport {
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #hindrances = new Set<Hindrance>();

  constructor(logger: Pick<Logger, 'info' | 'warn'>) {
    this.#logger = logger;
  }

  has(hindrance: Hindrance): boolean {
    return this.#hindrances.has(hindrance);
  }

  stopped(hindrance: Hindrance, reason: string): void {
    if (!this.#hindrances.has(hindrance)) this.#logger.warn(`this process takes no durable calls: ${reason}`);
    this.#hindrances.add(hindrance);
  }

  resumed(hindrance: Hindrance): void {
    if (this.#hindrances.delete(hindrance) && this.#hindrances.size === 0) this.#logger.info('this process takes durable calls again');
  }
}
