import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import type { Liveness } from './liveness.ts';
import { MemoryStore } from './memory-store.ts';
import { type CompareOptions, type StateChange, type StateStore, stateLimits, type TimeToLive } from './state-store.ts';
import { StoreNumbers } from './store-numbers.ts';

/** The store of one kernel: in memory, or from a plugin. Each plugin has its own keys. */
export class KernelState {
  readonly numbers = new StoreNumbers();
  #store: StateStore;

  /** `now` returns the time in epoch ms. */
  constructor(now: () => number) {
    this.#store = new MemoryStore(now);
  }

  /** Sets the store, whose operations are counted. */
  use(store: StateStore): void {
    this.#store = this.numbers.counted(store);
  }

  /** Returns the store for one plugin, with its own keys. Its methods reject with PLUGIN_INVALID for invalid arguments. */
  of(plugin: string): StateStore {
    const store = (): StateStore => this.#store;
    const own = `${plugin}/`;
    const full = (key: string): string => {
      checkText('key', key, stateLimits.keyBytes);
      return own + key;
    };
    return {
      get isShared() {
        return store().isShared;
      },
      get spansMachines() {
        return store().spansMachines === true;
      },
      get pollMs() {
        return store().pollMs;
      },
      get: async (key) => store().get(full(key)),
      set: async (key, value, options) => store().set(full(key), checkValue(value), checkTime(options)),
      compareAndSet: async (key, expected, value, options) =>
        store().compareAndSet(full(key), expected, checkOptional(value), checkCompare(key, expected ?? value, options, full)),
      delete: async (key) => store().delete(full(key)),
      increment: async (key, options) => {
        checkNumber('windowMs', options.windowMs);
        if (options.by !== undefined) checkNumber('by', options.by);
        return store().increment(full(key), options);
      },
      list: async (prefix, { after, limit = 1000, onUnreadable } = {}) => {
        checkNumber('limit', limit);
        const page = { limit, ...(after === undefined ? {} : { after: own + after }) };
        const report = onUnreadable === undefined ? {} : { onUnreadable: (key: string) => onUnreadable(key.slice(own.length)) };
        const entries = await store().list(own + prefix, { ...page, ...report });
        return entries.map(({ key, value }) => ({ key: key.slice(own.length), value }));
      },
      watch: async (prefix, onChange) => store().watch(own + prefix, (key) => onChange(key.slice(own.length))),
      join: (onReturn) => memberOf(() => store().join(onReturn)),
      // Created by the kernel, so the kernel closes it.
      close: async () => {},
    };
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Returns a member that joins on first use: a plugin may ask for it before another one has set the store. */
function memberOf(join: () => Liveness): Liveness {
  let joined: Liveness | undefined;
  const member = (): Liveness => {
    joined ??= join();
    return joined;
  };
  return {
    get id() {
      return member().id;
    },
    enter: async () => member().enter(),
    leave: () => member().leave(),
    isDead: async (id) => member().isDead(id),
    isStalled: async (id) => (await member().isStalled?.(id)) === true,
  };
}

function checkValue(value: string): string {
  checkText('value', value, stateLimits.valueBytes);
  return value;
}

function checkOptional(value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkValue(value);
}

function checkCompare(
  key: string,
  changed: string | undefined,
  { also = [], ...options }: CompareOptions = {},
  full: (key: string) => string,
): CompareOptions {
  checkTime(options);
  if (also.length === 0) return options;
  if (changed === undefined) throw refusal('"also"', 'a value that is set or deleted in the same step', 'none');
  const keys = [key, ...also.map((change) => change.key)];
  const twice = keys.find((one, index) => keys.indexOf(one) !== index);
  if (twice !== undefined) throw refusal('"also"', 'changes of one key each', `two of ${JSON.stringify(twice)}`);
  return { ...options, also: also.map((change) => checkChange(change, full)) };
}

function checkChange(change: StateChange, full: (key: string) => string): StateChange {
  checkTime(change);
  return { ...change, key: full(change.key), value: checkOptional(change.value) };
}

function checkTime(options: TimeToLive = {}): TimeToLive {
  if (options.ttlMs !== undefined) checkNumber('ttlMs', options.ttlMs);
  return options;
}

function checkText(what: string, text: string, most: number): void {
  if (typeof text !== 'string') throw refusal(what, 'a text', describeValue(text));
  if (what === 'key' && (text === '' || text.includes('\0')))
    throw refusal(what, 'at least one character, and no null bytes', JSON.stringify(text));
  if (!text.isWellFormed()) throw refusal(what, 'text that UTF-8 can hold', 'half of a surrogate pair');
  const bytes = Buffer.byteLength(text);
  if (bytes > most) throw refusal(what, `at most ${most} bytes`, `${bytes}`);
}

function checkNumber(what: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1) throw refusal(what, 'a whole number of at least 1', describeValue(value));
}

function refusal(what: string, expected: string, received: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', `A ${what} of a state is invalid: expected ${expected}, received ${received}.`);
}
