import { apiVersion, definePlugin, type Plugin, type StateStore, ToolkitError } from '../../../kernel/index.ts';

/** Fate of one write: it succeeds, or fails before it happens, or after it has happened, or it happens only when `arrive` is called. */
export type WriteFate = 'succeeds' | 'lost' | 'written' | 'late';

const away = () => new ToolkitError('STATE_UNAVAILABLE', 'The store is away.');

/** A store whose compare-and-sets of keys with `part` meet the given fates, in order, and then succeed. */
export class UnreliableStore {
  readonly store: StateStore;
  /** Number of reads that fail, after the next write that failed. */
  failingReads = 0;
  readonly #fates: WriteFate[] = [];
  readonly #late: (() => Promise<unknown>)[] = [];
  #hasFailed = false;

  constructor(store: StateStore, part: string) {
    this.store = new Proxy(store, {
      get: (target, name) => {
        if (name === 'compareAndSet')
          return (...given: Parameters<StateStore['compareAndSet']>) =>
            given[0].includes(part) ? this.#write(() => target.compareAndSet(...given)) : target.compareAndSet(...given);
        if (name === 'get')
          return async (key: string) => {
            if (this.#hasFailed && key.includes(part) && this.failingReads-- > 0) throw away();
            return target.get(key);
          };
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  }

  /** Sets the fates of the next writes. */
  next(...fates: readonly WriteFate[]): void {
    this.#fates.push(...fates);
  }

  /** Carries out the late writes. */
  async arrive(): Promise<void> {
    for (const write of this.#late.splice(0)) await write();
  }

  /** A plugin that gives a kernel this store. Closing the kernel leaves it open. */
  plugin(): Plugin {
    const { store } = this;
    const shared = new Proxy(store, {
      get: (target, name) => (name === 'close' ? async () => {} : Reflect.get(target, name)),
    });
    return definePlugin({ name: 'state-store', apiVersion, apply: ({ extend }) => extend.stateStore(shared) })();
  }

  async #write(write: () => Promise<boolean>): Promise<boolean> {
    const fate = this.#fates.shift();
    if (fate === undefined || fate === 'succeeds') return write();
    this.#hasFailed = true;
    if (fate === 'written') await write();
    if (fate === 'late') this.#late.push(write);
    throw away();
  }
}
