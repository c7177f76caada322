import { createHash, randomUUID } from 'node:crypto';
import type { Logger, StateStore } from '../../kernel/index.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { Circuit, CircuitOwner, OtherProcesses } from './circuit.ts';

/** A message about a circuit to the other processes. Stored as JSON. */
interface CircuitMessage {
  readonly owner: CircuitOwner;
  /** Epoch milliseconds; absent where the circuit is closed. */
  readonly openUntil?: number;
  /** The id of the process that sent the message. */
  readonly by: string;
}

const prefix = 'circuit/';

/** Shortest lease of the trial request, in milliseconds: the process that holds it may be killed meanwhile. */
const minTrialLeaseMs = 10_000;

export interface SharedCircuitsOptions {
  readonly resetTimeoutMs: number;
  /** Limit of circuits that are read at the start. */
  readonly maxCircuits: number;
  readonly circuitOf: (owner: CircuitOwner) => Circuit;
}

/** Shares the circuits of this process with other processes. While the store cannot be reached, each process has its own. */
export class SharedCircuits {
  readonly #process = randomUUID();
  readonly #state: OptionalState;
  readonly #options: SharedCircuitsOptions;
  /** The last write: messages are sent in order. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  #firstRead: Promise<void> | undefined;
  #isSubscribed = false;
  #unsubscribe: (() => Promise<void>) | undefined;

  constructor(state: StateStore, logger: Logger, options: SharedCircuitsOptions) {
    this.#state = new OptionalState(state, logger, 'each process has circuits of its own');
    this.#options = options;
  }

  /** Resolves when the messages of the other processes have been read. Waits only the first time. */
  ready(): Promise<void> {
    if (this.#firstRead !== undefined && !this.#isSubscribed && this.#state.isAvailable) void this.#subscribe();
    this.#firstRead ??= this.#subscribe();
    return this.#firstRead;
  }

  /** Returns the other processes for one circuit. */
  of(owner: CircuitOwner): OtherProcesses {
    const id = idOf(owner);
    const { resetTimeoutMs } = this.#options;
    const send = (message: Omit<CircuitMessage, 'owner' | 'by'>): void => {
      const value = JSON.stringify({ ...message, owner, by: this.#process } satisfies CircuitMessage);
      // Longer than `resetTimeoutMs`, so that a process that starts later sends one trial request and need not count failures first.
      this.#inOrder((state) => state.set(prefix + id, value, { ttlMs: 2 * resetTimeoutMs }));
    };
    return {
      notifyOpened: () => send({ openUntil: Date.now() + resetTimeoutMs }),
      notifyClosed: () => send({}),
      mayTry: async () =>
        (await this.#state.ask((state) =>
          state.compareAndSet(`trial/${id}`, undefined, this.#process, { ttlMs: Math.max(resetTimeoutMs, minTrialLeaseMs) }),
        )) ?? true,
      endTrial: () => this.#inOrder((state) => state.compareAndSet(`trial/${id}`, this.#process, undefined)),
    };
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#unsubscribe?.();
  }

  async #subscribe(): Promise<void> {
    this.#isSubscribed = true;
    this.#unsubscribe = await this.#state.ask((state) => state.watch(prefix, (key) => void this.#read(key)));
    this.#isSubscribed = this.#unsubscribe !== undefined;
    const entries = (await this.#state.ask((state) => state.list(prefix, { limit: this.#options.maxCircuits }))) ?? [];
    for (const { value } of entries) this.#onMessage(value);
  }

  async #read(key: string): Promise<void> {
    const value = await this.#state.ask((state) => state.get(key));
    if (value !== undefined) this.#onMessage(value);
  }

  #onMessage(value: string): void {
    // Own text: a record of the store.
    const { owner, openUntil, by } = JSON.parse(value) as CircuitMessage;
    if (by === this.#process) return;
    const circuit = this.#options.circuitOf(owner);
    if (openUntil === undefined) circuit.close();
    else circuit.openUntil(openUntil);
  }

  #inOrder(work: (state: StateStore) => Promise<unknown>): void {
    this.#lastWrite = this.#lastWrite.then(() => this.#state.ask(work));
  }
}

/** Hashed, because keys can be read in the database. */
function idOf({ tenant, origin }: CircuitOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, origin]))
    .digest('base64url');
}
