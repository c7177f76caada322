import { createHash, randomUUID } from 'node:crypto';
import type { Logger, StateStore } from '../../kernel/index.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { Circuit, CircuitOwner, OtherProcesses } from './circuit.ts';

/** A message about a circuit to the other processes. Stored as JSON. */
interface Said {
  readonly owner: CircuitOwner;
  /** Epoch milliseconds; absent where the circuit is closed. */
  readonly openUntil?: number;
  /** The id of the process that sent the message. */
  readonly by: string;
}

const prefix = 'circuit/';

/** Shortest lease of the trial request, in milliseconds: the process that holds it may be killed meanwhile. */
const trialMs = 10_000;

export interface SharedCircuitsOptions {
  readonly openMs: number;
  /** Limit of circuits that are read at the start. */
  readonly most: number;
  readonly circuitOf: (owner: CircuitOwner) => Circuit;
}

/** Shares the circuits of this process with other processes. While the store cannot be reached, each process has its own. */
export class SharedCircuits {
  readonly #process = randomUUID();
  readonly #state: OptionalState;
  readonly #options: SharedCircuitsOptions;
  /** The last write: messages are sent in order. */
  #last: Promise<unknown> = Promise.resolve();
  #first: Promise<void> | undefined;
  #isFollowing = false;
  #stop: (() => Promise<void>) | undefined;

  constructor(state: StateStore, logger: Logger, options: SharedCircuitsOptions) {
    this.#state = new OptionalState(state, logger, 'each process has circuits of its own');
    this.#options = options;
  }

  /** Resolves when the messages of the other processes have been read. Waits only the first time. */
  ready(): Promise<void> {
    if (this.#first !== undefined && !this.#isFollowing && this.#state.isAvailable) void this.#follow();
    this.#first ??= this.#follow();
    return this.#first;
  }

  /** Returns the other processes for one circuit. */
  of(owner: CircuitOwner): OtherProcesses {
    const id = idOf(owner);
    const { openMs } = this.#options;
    const say = (said: Omit<Said, 'owner' | 'by'>): void => {
      const value = JSON.stringify({ ...said, owner, by: this.#process } satisfies Said);
      // Longer than `openMs`, so that a process that starts later sends one trial request and need not count failures first.
      this.#inOrder((state) => state.set(prefix + id, value, { ttlMs: 2 * openMs }));
    };
    return {
      opened: () => say({ openUntil: Date.now() + openMs }),
      closed: () => say({}),
      mayTry: async () =>
        (await this.#state.ask((state) =>
          state.compareAndSet(`trial/${id}`, undefined, this.#process, { ttlMs: Math.max(openMs, trialMs) }),
        )) ?? true,
      hasTried: () => this.#inOrder((state) => state.compareAndSet(`trial/${id}`, this.#process, undefined)),
    };
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#stop?.();
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
    this.#stop = await this.#state.ask((state) => state.watch(prefix, (key) => void this.#read(key)));
    this.#isFollowing = this.#stop !== undefined;
    const entries = (await this.#state.ask((state) => state.list(prefix, { limit: this.#options.most }))) ?? [];
    for (const { value } of entries) this.#hear(value);
  }

  async #read(key: string): Promise<void> {
    const value = await this.#state.ask((state) => state.get(key));
    if (value !== undefined) this.#hear(value);
  }

  #hear(value: string): void {
    // Own text: a record of the store.
    const { owner, openUntil, by } = JSON.parse(value) as Said;
    if (by === this.#process) return;
    const circuit = this.#options.circuitOf(owner);
    if (openUntil === undefined) circuit.close();
    else circuit.openUntil(openUntil);
  }

  #inOrder(work: (state: StateStore) => Promise<unknown>): void {
    this.#last = this.#last.then(() => this.#state.ask(work));
  }
}

/** Hashed, because keys can be read in the database. */
function idOf({ tenant, origin }: CircuitOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, origin]))
    .digest('base64url');
}
