import { createHash, randomUUID } from 'node:crypto';
import type { Logger, StateStore } from '../../kernel/index.ts';
import { OptionalState } from '../shared/state/optional-state.ts';
import type { Circuit, CircuitOwner, OtherProcesses } from './circuit.ts';

/** What one process says of a circuit to the others. */
interface Said {
  readonly owner: CircuitOwner;
  /** Epoch ms; absent where it is closed. */
  readonly openUntil?: number;
  /** The process that said it. */
  readonly by: string;
}

const prefix = 'circuit/';

/** So long, or for the time that a circuit is open, nobody else tries: whoever tries may be killed meanwhile. */
const trialMs = 10_000;

export interface SharedCircuitsOptions {
  readonly openMs: number;
  /** As many are listed at first. */
  readonly most: number;
  readonly circuitOf: (owner: CircuitOwner) => Circuit;
}

/** Tells other processes of the circuits of this one, and these of theirs. Where the store cannot be reached each has its own. */
export class SharedCircuits {
  readonly #process = randomUUID();
  readonly #state: OptionalState;
  readonly #options: SharedCircuitsOptions;
  /** What is said goes out in order. */
  #last: Promise<unknown> = Promise.resolve();
  #first: Promise<void> | undefined;
  #isFollowing = false;
  #stop: (() => Promise<void>) | undefined;

  constructor(state: StateStore, logger: Logger, options: SharedCircuitsOptions) {
    this.#state = new OptionalState(state, logger, 'each process has circuits of its own');
    this.#options = options;
  }

  /** Resolves when it is known what the others have said. After the first time nobody waits. */
  ready(): Promise<void> {
    if (this.#first !== undefined && !this.#isFollowing && this.#state.isAvailable) void this.#follow();
    this.#first ??= this.#follow();
    return this.#first;
  }

  /** The others, as one circuit sees them. */
  of(owner: CircuitOwner): OtherProcesses {
    const id = idOf(owner);
    const { openMs } = this.#options;
    const say = (said: Omit<Said, 'owner' | 'by'>): void => {
      const value = JSON.stringify({ ...said, owner, by: this.#process } satisfies Said);
      // After its time a process that starts has it tried once, and not as often as it takes to open.
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

/** Keys can be read in the database. */
function idOf({ tenant, origin }: CircuitOwner): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, origin]))
    .digest('base64url');
}
