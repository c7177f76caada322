import type * as cockatiel from 'cockatiel';
import { type JsonObject, type Logger, ToolkitError } from '../../kernel/index.ts';
import { isFailedRequest, isFailedStatus } from './failure.ts';

export interface CircuitOptions {
  readonly failures: number;
  readonly openMs: number;
}

/** How long to wait while a trial runs, in milliseconds. */
const trialMs = 1000;

/** Says that a request failed because of the service; it never leaves this file. */
class Failed extends Error {
  thrown: unknown;

  constructor(thrown: unknown) {
    super('failed');
    this.thrown = thrown;
  }

  /** The breaker keeps the last failure, which must not keep a call. */
  take(): unknown {
    const { thrown } = this;
    this.thrown = undefined;
    return thrown;
  }
}

/** Whose circuit it is, to which service. */
export interface CircuitOwner {
  readonly host: string;
  readonly tenant: string;
}

/** The circuit of one tenant to one service: open while it fails, so that requests are refused at once. */
export class Circuit {
  readonly #policy: cockatiel.CircuitBreakerPolicy;
  readonly #library: typeof cockatiel;
  readonly #owner: CircuitOwner;
  readonly #options: CircuitOptions;
  #openedAt = 0;

  constructor(library: typeof cockatiel, owner: CircuitOwner, options: CircuitOptions, logger: Logger) {
    const { failures, openMs } = options;
    this.#library = library;
    this.#owner = owner;
    this.#options = options;
    this.#policy = library.circuitBreaker(
      library.handleType(Failed).orWhenResult((response) => isFailedStatus((response as Response).status)),
      { breaker: new library.ConsecutiveBreaker(failures), halfOpenAfter: openMs },
    );
    this.#policy.onBreak(() => {
      this.#openedAt = Date.now();
      logger.warn(`${owner.host} failed ${failures} times in a row and is not asked for ${openMs} ms`, { ...owner });
    });
    this.#policy.onReset(() => logger.info(`${owner.host} is asked again`, { ...owner }));
  }

  /** Undefined while it is closed. */
  get status(): JsonObject | undefined {
    const { CircuitState } = this.#library;
    const { state } = this.#policy;
    return state === CircuitState.Closed ? undefined : { ...this.#owner, state: state === CircuitState.HalfOpen ? 'half open' : 'open' };
  }

  /** Throws UPSTREAM_UNAVAILABLE without sending while the circuit is open, and while a first request tries whether it may close. */
  async send(request: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
    // Others would wait here for the trial, which may take as long as a call may.
    if (this.#policy.state === this.#library.CircuitState.HalfOpen) throw this.#openCircuit(trialMs);
    try {
      return await this.#policy.execute(async () => {
        try {
          return await request();
        } catch (error) {
          throw isFailedRequest(error, signal) ? new Failed(error) : error;
        }
      });
    } catch (error) {
      if (error instanceof Failed) throw error.take();
      if (this.#library.isBrokenCircuitError(error)) throw this.#openCircuit(this.#openedAt + this.#options.openMs - Date.now());
      throw error;
    }
  }

  #openCircuit(retryAfterMs: number): ToolkitError {
    const { failures } = this.#options;
    const { host } = this.#owner;
    return new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${host} was not asked, because its last ${failures} requests failed. It is tried again in ${Math.ceil(retryAfterMs / 1000)} s.`,
      { host, retryAfterMs },
    );
  }
}
