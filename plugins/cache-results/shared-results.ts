import { createHmac, randomBytes } from 'node:crypto';
import { type Call, type Kernel, type Logger, revealSecret, type StateStore, stateLimits, type Tool } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { CacheKeys } from './keys.ts';

/** Key of a shared result, and a digest of the credentials it was obtained with. */
export interface SharedKey {
  readonly key: string;
  readonly credentials: string;
}

export interface SharedResult {
  readonly result: Buffer;
  /** Epoch ms, by the clock of the process that obtained it. */
  readonly storedAt: number;
}

interface StoredEntry {
  readonly credentials: string;
  readonly storedAt: number;
  /** Serialized result. */
  readonly result: string;
}

/** Results of all processes that share a store. Empty while the store is unreachable. */
export class SharedResults {
  readonly #kernel: Kernel;
  readonly #keys: CacheKeys;
  readonly #state: OptionalState;
  readonly #writes = new Set<Promise<unknown>>();
  #secret: string | undefined;

  constructor(kernel: Kernel, state: StateStore, logger: Logger, keys: CacheKeys) {
    this.#kernel = kernel;
    this.#keys = keys;
    this.#state = new OptionalState(state, logger, 'results are those of each process alone');
  }

  /**
   * Returns the shared key of a call. Undefined when its result must stay in this process: the credentials came with the call or from its caller, or
   * the code of the tool is in no file, so that other processes may have other code.
   */
  async sharedKeyOf({ tool, parameters, caller, origin, credentials }: Call): Promise<SharedKey | undefined> {
    const { registry } = this.#kernel;
    const handles = [...credentials].sort(([a], [b]) => (a < b ? -1 : 1));
    if (handles.some(([, handle]) => this.#kernel.secret(handle.name) !== handle)) return undefined;
    if (build === undefined || hasFunction(tool) || registry.tools.get(tool.name) !== tool) return undefined;
    const fingerprints = await this.#kernel.fingerprints();
    const definitionParts = [fingerprints.get(`tool ${tool.name}`), fingerprints.get(`provider ${tool.provider?.name}`), build];
    const values = handles.map(([name, handle]) => [name, revealSecret(handle)]);
    // No secret is empty: a handle with an empty value belongs to another kernel.
    if (values.some(([, value]) => value === '')) return undefined;
    const names = handles.map(([name, handle]) => [name, handle.name]);
    const text = this.#keys.toCanonicalJson([tool.name, definitionParts, parameters, caller, origin, names].map((part) => part ?? null));
    const secret = text === undefined ? undefined : await this.#ownSecret();
    if (text === undefined || secret === undefined) return undefined;
    const key = `result/${digest(secret, text)}`;
    // Includes the key, so that the same credentials have another digest in each entry. Guessing values from it needs the secret in the store.
    return { key, credentials: digest(secret, JSON.stringify([key, values])) };
  }

  /** Returns a shared result; undefined without one. */
  async get({ key, credentials }: SharedKey): Promise<SharedResult | undefined> {
    const value = await this.#state.ask((state) => state.get(key));
    if (value === undefined) return undefined;
    // Own text: a record of the store.
    const stored = JSON.parse(value) as StoredEntry;
    return stored.credentials === credentials ? { result: Buffer.from(stored.result), storedAt: stored.storedAt } : undefined;
  }

  /** Stores a result in the background. A result that is too large for the store is not shared. */
  set({ key, credentials }: SharedKey, result: Buffer, ttlMs: number): void {
    // Own text: a result as it was put into the cache
    const value = JSON.stringify({ credentials, storedAt: Date.now(), result: result.toString('utf8') } satisfies StoredEntry);
    if (Buffer.byteLength(value) > stateLimits.valueBytes) return;
    const write = this.#state.ask((state) => state.set(key, value, { ttlMs }));
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** Returns the secret of all processes, stored encrypted. Keys are readable in the database: without the secret, parameters could be guessed from them. */
  async #ownSecret(): Promise<string | undefined> {
    this.#secret ??= await this.#state.ask(async (state) => {
      await state.compareAndSet('secret', undefined, randomBytes(32).toString('base64url'));
      return state.get('secret');
    });
    return this.#secret;
  }
}

function digest(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function hasFunction({ definition }: Tool): boolean {
  return [definition, definition.execution].some((part) => Object.values(part).some((value) => typeof value === 'function'));
}
