import { setTimeout } from 'node:timers/promises';

/** Time for which waiting changes share one hold of the lock, and pause after it for other processes, in milliseconds. */
const holdMs = 60;
const pauseMs = 12;

/** Number of changes that are applied at once. */
const maxBatch = 16;

interface Change {
  readonly key: string;
  /** Applies the change. Resolves to a function that reports it to the caller. */
  apply(): Promise<() => void>;
  reject(error: unknown): void;
}

export interface LockedChangesOptions {
  /** Runs work while no other process changes anything. */
  readonly hold: (work: () => Promise<void>) => Promise<void>;
  /** Makes the applied changes last, before they are reported. */
  readonly flush: () => Promise<void>;
}

/** Changes under one lock. Those that wait share it: several keys at once, the changes of one key one after another. */
export class LockedChanges {
  readonly #options: LockedChangesOptions;
  #changes: Change[] = [];
  #draining: Promise<void> | undefined;

  constructor(options: LockedChangesOptions) {
    this.#options = options;
  }

  /** Runs the change of a key under the lock. Rejects with what it, the lock or the flush throws. */
  run<T>(key: string, change: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const apply = async (): Promise<() => void> => {
        const value = await change();
        return () => resolve(value);
      };
      this.#changes.push({ key, apply, reject });
      this.#draining ??= this.#drain().finally(() => {
        this.#draining = undefined;
      });
    });
  }

  /** Resolves when no change waits any more. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#changes.length > 0) {
      try {
        await this.#options.hold(() => this.#applyAll());
      } catch (error) {
        for (const { reject } of this.#changes.splice(0)) reject(error);
      }
      if (this.#changes.length > 0) await setTimeout(pauseMs);
    }
  }

  async #applyAll(): Promise<void> {
    const end = performance.now() + holdMs;
    while (this.#changes.length > 0 && performance.now() < end) {
      const batch = new Map<string, Change>();
      for (const change of this.#changes) if (batch.size < maxBatch && !batch.has(change.key)) batch.set(change.key, change);
      const taken = new Set(batch.values());
      this.#changes = this.#changes.filter((change) => !taken.has(change));
      await this.#applyBatch([...taken]);
    }
  }

  async #applyBatch(changes: readonly Change[]): Promise<void> {
    const results = await Promise.allSettled(changes.map((change) => change.apply()));
    const failed = await this.#options.flush().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    for (const [index, result] of results.entries()) {
      if (result.status === 'rejected') changes[index]?.reject(result.reason);
      else if (failed !== undefined) changes[index]?.reject(failed.error);
      else result.value();
    }
  }
}
