import type { StateStore } from './state-store.ts';

interface OperationNumbers {
  ok: number;
  failed: number;
  milliseconds: number;
}

/** The numbers of one operation since the start. */
export interface StoreNumber {
  /** Name of the operation in words: `compare_and_set`. */
  readonly operation: string;
  /** Number of successes. */
  readonly ok: number;
  readonly failed: number;
  /** Time of all, in seconds. */
  readonly seconds: number;
}

/** The numbers of the operations of a store that a plugin has set. The memory of this process is not measured: it never waits and seldom fails. */
export class StoreNumbers {
  #numbers: Readonly<Record<string, OperationNumbers>> = {};

  /** Returns a store that counts each operation, and passes it on. */
  counted(store: StateStore): StateStore {
    const numbers = {
      ...{ get: none(), set: none(), compare_and_set: none(), delete: none() },
      ...{ increment: none(), list: none(), watch: none() },
    };
    this.#numbers = numbers;
    return {
      get isShared() {
        return store.isShared;
      },
      get spansMachines() {
        return store.spansMachines === true;
      },
      get pollMs() {
        return store.pollMs;
      },
      get: (key) => counting(numbers.get, () => store.get(key)),
      set: (...given) => counting(numbers.set, () => store.set(...given)),
      compareAndSet: (...given) => counting(numbers.compare_and_set, () => store.compareAndSet(...given)),
      delete: (key) => counting(numbers.delete, () => store.delete(key)),
      increment: (...given) => counting(numbers.increment, () => store.increment(...given)),
      list: (...given) => counting(numbers.list, () => store.list(...given)),
      watch: (...given) => counting(numbers.watch, () => store.watch(...given)),
      join: (onReturn) => store.join(onReturn),
      close: () => store.close(),
    };
  }

  /** The numbers by operation. Empty as long as no plugin has set a store. */
  get all(): readonly StoreNumber[] {
    return Object.entries(this.#numbers).map(([operation, { ok, failed, milliseconds }]) => ({
      ...{ operation, ok, failed },
      seconds: milliseconds / 1000,
    }));
  }
}

function none(): OperationNumbers {
  return { ok: 0, failed: 0, milliseconds: 0 };
}

async function counting<T>(numbers: OperationNumbers, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await work();
    numbers.ok++;
    return result;
  } catch (error) {
    numbers.failed++;
    throw error;
  } finally {
    numbers.milliseconds += performance.now() - startedAt;
  }
}
