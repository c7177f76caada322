import type { ListOptions, TimeToLive, WindowCount, WindowOptions } from '../../kernel/index.ts';
import { SocketPresence } from '../shared/cluster/socket-presence.ts';
import { endOfPrefix, maxCount } from '../shared/state/state-queries.ts';
import type { ReplaceOptions, StateTable, TableChange } from '../shared/state/state-table.ts';
import { Watchers } from '../shared/state/watchers.ts';
import { markMoved, movedTo, openMovedSchema, openSchema } from './schema.ts';
import { SqlFile, type Statement } from './sql-file.ts';

/** Epoch ms. All processes that use the file share the clock of its machine. */
const now = "(cast(unixepoch('subsec') * 1000 as integer))";
const isNotExpired = `(expires_at is null or expires_at > ${now})`;

/** Interval at which expired rows are removed, in milliseconds. */
const sweepIntervalMs = 30_000;

const sql = {
  get: `select value from entries where key = ? and ${isNotExpired}`,
  set: `insert into entries (key, value, expires_at) values (?, ?, ${now} + ?)
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  add: `insert into entries (key, value, expires_at) values (?, ?, ${now} + ?)
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at where not ${isNotExpired} returning key`,
  replace: `update entries set value = ?, expires_at = ${now} + ? where key = ? and value = ? and ${isNotExpired} returning key`,
  remove: `delete from entries where key = ? and value = ? and ${isNotExpired} returning key`,
  delete: `delete from entries where key = ? returning ${isNotExpired} as was`,
  deleteCount: `delete from counts where key = ? returning ends_at > ${now} as was`,
  list: `select key, value from entries where key > ? and key >= ? and key < ? and ${isNotExpired} order by key limit ?`,
  increment: `insert into counts (key, is_counted, count, ends_at) values (?1, ?2 <= ?4, iif(?2 <= ?4, ?2, 0), ${now} + ?3)
    on conflict (key) do update set
      is_counted = iif(ends_at > ${now}, count, 0) + ?2 <= ?4,
      count = iif(ends_at > ${now}, count, 0) + iif(iif(ends_at > ${now}, count, 0) + ?2 <= ?4, ?2, 0),
      ends_at = iif(ends_at > ${now}, ends_at, ${now} + ?3)
    returning is_counted, count, ends_at - ${now} as ends_in`,
  sweep: [
    `delete from entries where expires_at <= ${now}`,
    `delete from counts where ends_at <= ${now}`,
    `delete from changes where changed_at < ${now} - 60000`,
  ],
};

/** A state table in a SQLite file. */
export class LibsqlTable implements StateTable {
  readonly name: string;
  readonly presence: SocketPresence;
  readonly #file: SqlFile;
  readonly #watchers: Watchers;
  #sweepAt = Date.now() + sweepIntervalMs;

  private constructor(file: SqlFile, watchers: Watchers) {
    this.name = file.file;
    this.presence = new SocketPresence(file.file);
    this.#file = file;
    this.#watchers = watchers;
  }

  /**
   * Opens the file. `isExclusive`: for this process alone, also when its calls were moved. Rejects with STATE_UNAVAILABLE, or with
   * DEPENDENCY_MISSING when the library is not installed.
   */
  static async open(path: string, { isExclusive = false }: { readonly isExclusive?: boolean } = {}): Promise<LibsqlTable> {
    const watchers = new Watchers();
    const notify = (keys: readonly string[]): void => {
      for (const key of keys) watchers.notify(key);
    };
    const file = new SqlFile(path, notify, isExclusive);
    try {
      await (isExclusive ? openMovedSchema(file) : openSchema(file));
    } catch (error) {
      await file.close();
      throw error;
    }
    return new LibsqlTable(file, watchers);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const [rows] = await this.#file.run([sql.get, key]);
    return rows?.[0] === undefined ? undefined : bytes(rows[0]['value']);
  }

  async set(key: string, value: Uint8Array, { ttlMs }: TimeToLive): Promise<void> {
    await this.#write([sql.set, key, value, ttlMs ?? null]);
  }

  async replace(
    key: string,
    expected: Uint8Array | undefined,
    value: Uint8Array | undefined,
    { ttlMs, also = [] }: ReplaceOptions,
  ): Promise<boolean> {
    const more = also.map(toStatement);
    if (expected === undefined && value === undefined) return (await this.get(key)) === undefined;
    const time = ttlMs ?? null;
    if (expected === undefined) return this.#write([sql.add, key, value as Uint8Array, time], more);
    return this.#write(value === undefined ? [sql.remove, key, expected] : [sql.replace, value, time, key, expected], more);
  }

  async delete(key: string): Promise<boolean> {
    const deleted = await this.#file.run([sql.delete, key], [sql.deleteCount, key]);
    return deleted.some((rows) => rows[0]?.['was'] === 1);
  }

  async increment(key: string, { windowMs, by = 1, limit = maxCount }: WindowOptions): Promise<WindowCount> {
    const [rows] = await this.#file.run([sql.increment, key, by, windowMs, limit]);
    this.#sweep();
    const row = rows?.[0];
    return { isCounted: row?.['is_counted'] === 1, count: Number(row?.['count']), endsInMs: Number(row?.['ends_in']) };
  }

  async list(prefix: string, { after = '', limit = 1000 }: ListOptions): Promise<readonly { key: string; value: Uint8Array }[]> {
    const [rows = []] = await this.#file.run([sql.list, after, prefix, endOfPrefix(prefix), limit]);
    return rows.map((row) => ({ key: row['key'] as string, value: bytes(row['value']) }));
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    const remove = this.#watchers.add(prefix, onChange);
    try {
      await this.#file.watch(true);
    } catch (error) {
      remove();
      throw error;
    }
    return async () => {
      remove();
      if (this.#watchers.size === 0) await this.#file.watch(false);
    };
  }

  /** Returns the store to which the calls were moved. Undefined when this store is in use. */
  movedTo(): Promise<string | undefined> {
    return movedTo(this.#file);
  }

  /** Closes the store for good: every process that opens it from now on is refused. */
  markMoved(destination: string): Promise<void> {
    return markMoved(this.#file, destination);
  }

  async close(): Promise<void> {
    await this.presence.close();
    await this.#file.close();
  }

  /** Runs a statement that returns the written row. Resolves to true when there is one; only then the further statements run. */
  async #write(statement: Statement, more: readonly Statement[] = []): Promise<boolean> {
    const [rows = []] = await this.#file.runIf(statement, ...more);
    this.#sweep();
    return rows.length > 0;
  }

  #sweep(): void {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + sweepIntervalMs;
    // A failure does no harm: no query returns expired rows.
    this.#file.run(...sql.sweep.map((statement) => [statement] as const)).catch(() => {});
  }
}

function toStatement({ key, value, ttlMs }: TableChange): Statement {
  return value === undefined ? [sql.delete, key] : [sql.set, key, value, ttlMs ?? null];
}

function bytes(value: unknown): Uint8Array {
  return new Uint8Array(value as ArrayBuffer);
}
