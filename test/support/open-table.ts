import type { ListOptions } from '../../kernel/index.ts';
import { MemoryStore } from '../../kernel/state/memory-store.ts';
import type { ReplaceOptions, StateTable } from '../../plugins/shared/state/state-table.ts';

/** A database of which its owner sees everything. */
export class OpenTable implements StateTable {
  readonly name = 'the table';
  /** No other process uses it. */
  readonly presence = { announce: async () => {}, isDead: async () => true };
  readonly rows = new MemoryStore(Date.now);
  readonly increment = this.rows.increment.bind(this.rows);
  readonly watch = this.rows.watch.bind(this.rows);
  readonly delete = this.rows.delete.bind(this.rows);
  isClosed = false;

  async get(key: string): Promise<Uint8Array | undefined> {
    const text = await this.rows.get(key);
    return text === undefined ? undefined : Buffer.from(text, 'base64');
  }

  set(key: string, value: Uint8Array): Promise<void> {
    return this.rows.set(key, Buffer.from(value).toString('base64'));
  }

  replace(
    key: string,
    expected: Uint8Array | undefined,
    value: Uint8Array | undefined,
    { also = [], ...options }: ReplaceOptions = {},
  ): Promise<boolean> {
    const text = (bytes: Uint8Array | undefined): string | undefined =>
      bytes === undefined ? bytes : Buffer.from(bytes).toString('base64');
    const more = also.map((change) => ({ ...change, value: text(change.value) }));
    return this.rows.compareAndSet(key, text(expected), text(value), { ...options, also: more });
  }

  async list(prefix: string, options: ListOptions = {}): Promise<readonly { key: string; value: Uint8Array }[]> {
    return (await this.rows.list(prefix, options)).map(({ key, value }) => ({ key, value: Buffer.from(value, 'base64') }));
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
