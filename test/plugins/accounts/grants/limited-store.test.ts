import { expect } from 'chai';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import { LimitedStore } from '../../../../plugins/accounts/grants/limited-store.ts';

/** A store that notes its statements, which wait until `go` is called. */
class HeldStore extends MemoryStore {
  readonly begun: string[] = [];
  #go: (() => void)[] = [];

  override async get(key: string): Promise<string | undefined> {
    return this.#held(`get ${key}`, () => super.get(key));
  }

  override async compareAndSet(key: string, expected: string | undefined, value: string | undefined): Promise<boolean> {
    return this.#held(`set ${key}`, () => super.compareAndSet(key, expected, value));
  }

  /** Lets the statements that have begun end. */
  go(): void {
    for (const end of this.#go.splice(0)) end();
  }

  async #held<T>(what: string, run: () => Promise<T>): Promise<T> {
    this.begun.push(what);
    await new Promise<void>((resolve) => this.#go.push(resolve));
    return run();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a limited store', () => {
  it('runs four statements at once, and changes before reads', async () => {
    const held = new HeldStore(() => 0);
    const store = new LimitedStore(held);
    const reads = Promise.all([1, 2, 3, 4, 5, 6].map((index) => store.get(`${index}`)));
    const change = store.compareAndSet('7', undefined, 'text');
    await turn();
    expect(held.begun).to.deep.equal(['get 1', 'get 2', 'get 3', 'get 4']);
    held.go();
    await turn();
    expect(held.begun.slice(4)).to.deep.equal(['set 7', 'get 5', 'get 6']);
    held.go();
    expect(await change).to.equal(true);
    expect(await reads).to.deep.equal([undefined, undefined, undefined, undefined, undefined, undefined]);
  });

  it('goes on after a failed statement', async () => {
    const failing = new MemoryStore(() => 0);
    failing.get = () => Promise.reject(new Error('away'));
    const store = new LimitedStore(failing);
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => store.get('key')));
    expect(ends.every(({ status }) => status === 'rejected')).to.equal(true);
    expect(await store.compareAndSet('key', undefined, 'text')).to.equal(true);
  });
});
