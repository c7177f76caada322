import { randomBytes } from 'node:crypto';
import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

/** Time after its last heartbeat at which a process counts as dead, in milliseconds. */
const heartbeatTtlMs = 15_000;

/** Interval between two heartbeats, in milliseconds. */
const heartbeatMs = 4_000;

/** Knows which of the processes that share a store are alive. A process sends heartbeats after `begin`. */
export class Processes {
  /** Name of this process: 8 hexadecimal digits. */
  readonly ownName = randomBytes(4).toString('hex');
  readonly #state: StateStore;
  readonly #logger: Pick<Logger, 'debug'>;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(state: StateStore, logger: Pick<Logger, 'debug'>) {
    this.#state = state;
    this.#logger = logger;
  }

  /** Starts the heartbeat of this process, until `close`. Rejects when the store cannot be reached. */
  async begin(): Promise<void> {
    if (this.#heartbeat !== undefined) return;
    this.#heartbeat = setInterval(() => {
      this.#sendHeartbeat().catch((error: unknown) =>
        this.#logger.debug(`the heartbeat of this process was not written: ${messageOf(error)}`),
      );
    }, heartbeatMs).unref();
    await this.#sendHeartbeat();
  }

  async isAlive(name: string): Promise<boolean> {
    return name === this.ownName || (await this.#state.get(keyOf(name))) !== undefined;
  }

  /** Ends the heartbeat and deletes this process's entry. Never rejects: the entry expires soon. */
  async close(): Promise<void> {
    if (this.#heartbeat === undefined) return;
    clearInterval(this.#heartbeat);
    await this.#state.delete(keyOf(this.ownName)).catch(() => {});
  }

  #sendHeartbeat(): Promise<void> {
    return this.#state.set(keyOf(this.ownName), '', { ttlMs: heartbeatTtlMs });
  }
}

function keyOf(name: string): string {
  return `process/${name}`;
}
