import { createHmac, randomBytes } from 'node:crypto';
import { type Call, type Kernel, type Logger, revealSecret, type StateStore, stateLimits, type Tool } from '../../kernel/index.ts';
import { build } from '../shared/project/build.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { Keys } from './keys.ts';

/** Where other processes have the result of a call, and the digest of the credentials that it must have been got with. */
export interface SharedPlace {
  readonly key: string;
  readonly credentials: string;
}

export interface SharedResult {
  readonly result: Buffer;
  /** Epoch ms, by the clock of the process that got it. */
  readonly storedAt: number;
}

interface Kept {
  readonly credentials: string;
  readonly storedAt: number;
  /** As it was written. */
  readonly result: string;
}

/** The results of all processes that share a store. Where it cannot be reached, there are none. */
export class SharedResults {
  readonly #kernel: Kernel;
  readonly #keys: Keys;
  readonly #state: OptionalState;
  readonly #writes = new Set<Promise<unknown>>();
  #secret: string | undefined;

  constructor(kernel: Kernel, state: StateStore, logger: Logger, keys: Keys) {
    this.#kernel = kernel;
    this.#keys = keys;
    this.#state = new OptionalState(state, logger, 'results are those of each process alone');
  }

  /**
   * Undefined for a call whose result stays here: one with credentials that came with it, or of its caller, or one of a tool whose code is in
   * no file, of which nobody can tell whether another process has the same.
   */
  async placeOf({ tool, parameters, caller, origin, credentials }: Call): Promise<SharedPlace | undefined> {
    const { registry } = this.#kernel;
    const handles = [...credentials].sort(([a], [b]) => (a < b ? -1 : 1));
    if (handles.some(([, handle]) => this.#kernel.secret(handle.name) !== handle)) return undefined;
    if (build === undefined || hasFunction(tool) || registry.tools.get(tool.name) !== tool) return undefined;
    const marks = await this.#kernel.fingerprints();
    const what = [marks.get(`tool ${tool.name}`), marks.get(`provider ${tool.provider?.name}`), build];
    const values = handles.map(([name, handle]) => [name, revealSecret(handle)]);
    // No secret is empty: a handle that does not open is of somebody else.
    if (values.some(([, value]) => value === '')) return undefined;
    const names = handles.map(([name, handle]) => [name, handle.name]);
    const text = this.#keys.canonical([tool.name, what, parameters, caller, origin, names].map((part) => part ?? null));
    const secret = text === undefined ? undefined : await this.#ownSecret();
    if (text === undefined || secret === undefined) return undefined;
    const key = `result/${digest(secret, text)}`;
    // With the key, so that the same credentials look different in every entry. Whoever could guess at a value by this needs the secret in the store.
    return { key, credentials: digest(secret, JSON.stringify([key, values])) };
  }

  /** Undefined where there is none. */
  async get({ key, credentials }: SharedPlace): Promise<SharedResult | undefined> {
    const value = await this.#state.ask((state) => state.get(key));
    if (value === undefined) return undefined;
    // Own text: a record of the store.
    const kept = JSON.parse(value) as Kept;
    return kept.credentials === credentials ? { result: Buffer.from(kept.result), storedAt: kept.storedAt } : undefined;
  }

  /** Nobody waits for it. What is too large for the store stays here. */
  set({ key, credentials }: SharedPlace, result: Buffer, ttlMs: number): void {
    // Own text: a result as it was put into the cache
    const value = JSON.stringify({ credentials, storedAt: Date.now(), result: result.toString('utf8') } satisfies Kept);
    if (Buffer.byteLength(value) > stateLimits.valueBytes) return;
    const write = this.#state.ask((state) => state.set(key, value, { ttlMs }));
    this.#writes.add(write);
    void write.finally(() => this.#writes.delete(write));
  }

  async close(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** Of all processes, enciphered as every value: keys can be read in the database, and nobody there shall find parameters by trying. */
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
