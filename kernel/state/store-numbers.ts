import type { Gauge, GaugeRow } from '../taps/gauges.ts';
import type { StateStore } from './state-store.ts';

interface OperationNumbers {
  ok: number;
  failed: number;
  milliseconds: number;
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

  /** The gauges. Without rows as long as no plugin has set a store. */
  get gauges(): readonly Gauge[] {
    const rows = (of: (operation: string, numbers: OperationNumbers) => readonly GaugeRow[]): readonly GaugeRow[] =>
      Object.entries(this.#numbers).flatMap(([operation, numbers]) => of(operation, numbers));
    return [
      {
        name: 'store.operations',
        description: 'Operations of the store that a plugin has set, those of the memory of a process not included',
        unit: '{operation}',
        kind: 'counter',
        labels: ['operation', 'outcome'],
        read: () =>
          rows((operation, { ok, failed }) => [
            { labels: { operation, outcome: 'ok' }, value: ok },
            { labels: { operation, outcome: 'failed' }, value: failed },
          ]),
      },
      {
        name: 'store.operation.time',
        description: 'Time that the operations of the store took, failed ones included',
        unit: 's',
        kind: 'counter',
        labels: ['operation'],
        read: () => rows((operation, { milliseconds }) => [{ labels: { operation }, value: milliseconds / 1000 }]),
      },
    ];
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
