import { EventEmitter } from 'node:events';
import { ToolkitError } from '../errors.ts';
import { type Liveness, Members } from './liveness.ts';
import type {
  CompareOptions,
  ListOptions,
  StateChange,
  StateEntry,
  StateStore,
  TimeToLive,
  WindowCount,
  WindowOptions,
} from './state-store.ts';

interface TimedValue<Value> {
  readonly value: Value;
  /** Time of expiry, in epoch ms. */
  readonly expiresAt: number;
}

/** Maximum size of all keys and values together, in characters. */
const maxCharacters = 64 * 1024 * 1024;

/** Number of changes between two sweeps of expired entries. */
const changesBetweenSweeps = 1000;

/** A store in the memory of this process. */
export class MemoryStore implements StateStore {
  readonly isShared = false;
  readonly #now: () => number;
  readonly #values = new Map<string, TimedValue<string>>();
  readonly #counts = new Map<string, TimedValue<number>>();
  readonly #members = new Members('memory.');
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #characters = 0;
  #changesToSweep = changesBetweenSweeps;

  /** `now` returns the time in epoch ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  async get(key: string): Promise<string | undefined> {
    return this.#valueOf(key);
  }

  async set(key: string, value: string, options: TimeToLive = {}): Promise<void> {
    this.#change([{ ...options, key, value }]);
  }

  async compareAndSet(
    key: string,
    expected: string | undefined,
    value: string | undefined,
    { also = [], ...options }: CompareOptions = {},
  ): Promise<boolean> {
    if (this.#valueOf(key) !== expected) return false;
    this.#change([{ ...options, key, value }, ...also]);
    return true;
  }

  /** Nothing of another process is in this store. */
  join(): Liveness {
    return this.#members.join(
      async () => {},
      async () => true,
    );
  }

  async delete(key: string): Promise<boolean> {
    const hadCount = this.#countOf(key) !== undefined;
    this.#counts.delete(key);
    return this.#remove(key) || hadCount;
  }

  async increment(key: string, { windowMs, by = 1, limit = Number.POSITIVE_INFINITY }: WindowOptions): Promise<WindowCount> {
    this.#sweep();
    const now = this.#now();
    const window = this.#countOf(key) ?? { value: 0, expiresAt: now + windowMs };
    const isCounted = window.value + by <= limit;
    const count = window.value + (isCounted ? by : 0);
    if (isCounted) this.#counts.set(key, { ...window, value: count });
    return { isCounted, count, endsInMs: window.expiresAt - now };
  }

  async list(prefix: string, { after, limit = 1000 }: ListOptions = {}): Promise<readonly StateEntry[]> {
    const keys = [...this.#values.keys()]
      .filter((key) => key.startsWith(prefix) && this.#valueOf(key) !== undefined && (after === undefined || byBytes(key, after) > 0))
      .sort(byBytes);
    return keys.slice(0, limit).map((key) => ({ key, value: this.#valueOf(key) ?? '' }));
  }

  async watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    const tell = (key: string): void => {
      if (key.startsWith(prefix)) queueMicrotask(() => onChange(key));
    };
    this.#changes.on('change', tell);
    return async () => void this.#changes.off('change', tell);
  }

  async close(): Promise<void> {
    this.#changes.removeAllListeners();
    this.#values.clear();
    this.#counts.clear();
    this.#characters = 0;
  }

  #valueOf(key: string): string | undefined {
    const entry = this.#values.get(key);
    return entry === undefined || entry.expiresAt <= this.#now() ? undefined : entry.value;
  }

  #countOf(key: string): TimedValue<number> | undefined {
    const window = this.#counts.get(key);
    return window === undefined || window.expiresAt <= this.#now() ? undefined : window;
  }

  /** Applies all changes, or none when the store is full. */
  #change(changes: readonly StateChange[]): void {
    this.#sweep();
    const sizeOf = ({ key, value }: StateChange): number => (value === undefined ? 0 : key.length + value.length);
    const more = changes.reduce((sum, change) => sum + sizeOf(change) - this.#sizeOf(change.key), 0);
    if (more > 0 && this.#characters + more > maxCharacters) throw storeFullError();
    for (const { key, value, ttlMs = Number.POSITIVE_INFINITY } of changes) {
      if (value === undefined) {
        this.#remove(key);
        continue;
      }
      this.#characters += key.length + value.length - this.#sizeOf(key);
      this.#values.set(key, { value, expiresAt: this.#now() + ttlMs });
      this.#changes.emit('change', key);
    }
  }

  #remove(key: string): boolean {
    const was = this.#valueOf(key) !== undefined;
    this.#characters -= this.#sizeOf(key);
    if (this.#values.delete(key)) this.#changes.emit('change', key);
    return was;
  }

  #sizeOf(key: string): number {
    const entry = this.#values.get(key);
    return entry === undefined ? 0 : key.length + entry.value.length;
  }

  #sweep(): void {
    this.#changesToSweep--;
    if (this.#changesToSweep > 0) return;
    this.#changesToSweep = Math.max(changesBetweenSweeps, this.#values.size + this.#counts.size);
    const now = this.#now();
    for (const [key, { expiresAt: until }] of this.#counts) if (until <= now) this.#counts.delete(key);
    for (const [key, { value, expiresAt: until }] of this.#values) {
      if (until > now) continue;
      this.#values.delete(key);
      this.#characters -= key.length + value.length;
    }
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function storeFullError(): ToolkitError {
  return new ToolkitError(
    'STATE_UNAVAILABLE',
    `The store of this process is full: it takes ${maxCharacters} characters. Wait until something of it is over its time, or configure a store that keeps it elsewhere, such as storeLibsql().`,
  );
}
