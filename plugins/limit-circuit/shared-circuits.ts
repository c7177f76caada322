import { createHash, randomUUID } from 'node:crypto';
import type { Logger, StateStore } from '../../kernel/index.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { Circuit, CircuitOwner, OtherProcesses } from './circuit.ts';

/** A message about a circuit to the other processes. Stored as JSON. */
interface CircuitMessage {
  readonly owner: CircuitOwner;
  /** Absent where the circuit is closed. Its number, in epoch milliseconds, is for processes of an earlier version: clocks differ. */
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
  /** The last read: messages are handled in order. */
  #lastRead: Promise<unknown> = Promise.resolve();
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
      notifyOpened: () => {
        // The store counts the time for which it is open.
        this.#inOrder((state) => state.increment(`open/${id}`, { windowMs: resetTimeoutMs }));
        send({ openUntil: Date.now() + resetTimeoutMs });
      },
      notifyClosed: () => {
        this.#inOrder((state) => state.delete(`open/${id}`));
        send({});
      },
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
    this.#unsubscribe = await this.#state.ask((state) => state.watch(prefix, (key) => this.#read(key)));
    this.#isSubscribed = this.#unsubscribe !== undefined;
    const entries = (await this.#state.ask((state) => state.list(prefix, { limit: this.#options.maxCircuits }))) ?? [];
    await Promise.all(entries.map(({ value }) => this.#onMessage(value)));
  }

  #read(key: string): void {
    this.#lastRead = this.#lastRead.then(async () => {
      const value = await this.#state.ask((state) => state.get(key));
      if (value !== undefined) await this.#onMessage(value);
    });
  }

  async #onMessage(value: string): Promise<void> {
    // Own text: a record of the store.
    const { owner, openUntil, by } = JSON.parse(value) as CircuitMessage;
    if (by === this.#process) return;
    const circuit = this.#options.circuitOf(owner);
    if (openUntil === undefined) circuit.close();
    else circuit.openUntil(Date.now() + (await this.#remainingMs(owner)));
  }

  /** Returns the time until the trial request, in milliseconds by the clock of the store. */
  async #remainingMs(owner: CircuitOwner): Promise<number> {
    // Where no window runs, this begins one that ends at once.
    const window = await this.#state.ask((state) => state.increment(`open/${idOf(owner)}`, { windowMs: 1, limit: 1 }));
    if (window === undefined) return this.#options.resetTimeoutMs;
    return window.isCounted ? 0 : window.endsInMs;
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
