import { hash, randomUUID } from 'node:crypto';
import type { StateStore } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import { queueClosed } from './connection.ts';

const prefix = 'set/';

/** Maximum age of the list of sets, in milliseconds, for a change whose notification was lost. */
const listTtlMs = 30_000;

/** The tools whose calls a worker runs. Workers with the same set share a queue, so each of them can run every call in it. */
export interface ToolSet {
  /** Hash of the names. */
  readonly id: string;
  readonly tools: ReadonlySet<string>;
}

/** A set that a worker has announced. `stamp` changes with each announcement. */
export interface AnnouncedSet extends ToolSet {
  readonly stamp: string;
}

export function toolSetOf(names: readonly string[]): ToolSet {
  const tools = [...new Set(names)].sort();
  return { id: hash('sha256', JSON.stringify(tools), 'hex').slice(0, 32), tools: new Set(tools) };
}

/** The sets of tools that workers of all processes have announced. A call has a job in the queue of each set with its tool. */
export class ToolSets {
  readonly #state: StateStore;
  readonly #watch: LazyResource<() => Promise<void>>;
  #list: { readonly sets: Promise<readonly AnnouncedSet[]>; readonly at: number } | undefined;

  constructor(state: StateStore) {
    this.#state = state;
    this.#watch = new LazyResource(() =>
      state.watch(prefix, () => {
        this.#list = undefined;
      }),
    );
  }

  async all(): Promise<readonly AnnouncedSet[]> {
    // First: a change during the read must not be missed.
    await this.#watch.get();
    if (this.#list !== undefined && performance.now() - this.#list.at < listTtlMs) return this.#list.sets;
    const list = { sets: this.#read(), at: performance.now() };
    this.#list = list;
    list.sets.catch(() => {
      if (this.#list === list) this.#list = undefined;
    });
    return list.sets;
  }

  /** Returns the ids of the sets with a tool. */
  async idsWith(tool: string): Promise<readonly string[]> {
    return (await this.all()).filter(({ tools }) => tools.has(tool)).map(({ id }) => id);
  }

  /** Has calls of these tools put into the queue of the set. Repeated, so that others see that the set has workers. */
  async announce({ id, tools }: ToolSet): Promise<void> {
    await this.#state.set(prefix + id, JSON.stringify({ tools: [...tools], stamp: randomUUID() }));
    this.#list = undefined;
  }

  /** Removes a set, unless it has been announced again. Resolves to false then. */
  async remove({ id, tools, stamp }: AnnouncedSet): Promise<boolean> {
    this.#list = undefined;
    return this.#state.compareAndSet(prefix + id, JSON.stringify({ tools: [...tools], stamp }), undefined);
  }

  async close(): Promise<void> {
    await (await this.#watch.close(queueClosed()))?.();
  }

  async #read(): Promise<readonly AnnouncedSet[]> {
    const sets: AnnouncedSet[] = [];
    for (const { key, value } of await this.#state.list(prefix)) {
      // Own text: a value of the store.
      const { tools, stamp } = JSON.parse(value) as { readonly tools: readonly string[]; readonly stamp: string };
      sets.push({ id: key.slice(prefix.length), tools: new Set(tools), stamp });
    }
    return sets;
  }
}
