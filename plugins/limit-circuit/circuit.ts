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
  readonly origin: string;
  readonly host: string;
  readonly tenant: string;
}

/** Those that share a store with this one. */
export interface OtherProcesses {
  opened(): void;
  closed(): void;
  /** Whether this process is the one that tries. */
  mayTry(): Promise<boolean>;
  hasTried(): void;
}

/** The circuit of one tenant to one service: open while it fails, so that requests are refused at once. */
export class Circuit {
  #policy: cockatiel.CircuitBreakerPolicy;
  readonly #library: typeof cockatiel;
  readonly #owner: CircuitOwner;
  readonly #options: CircuitOptions;
  readonly #logger: Logger;
  readonly #others: OtherProcesses | undefined;
  #openedAt = 0;

  constructor(library: typeof cockatiel, owner: CircuitOwner, options: CircuitOptions, logger: Logger, others?: OtherProcesses) {
    this.#library = library;
    this.#owner = owner;
    this.#options = options;
    this.#logger = logger;
    this.#others = others;
    this.#policy = this.#newPolicy();
  }

  /** It has opened in another process, and stays so until then (epoch ms). */
  openUntil(until: number): void {
    const { CircuitState } = this.#library;
    const { openMs } = this.#options;
    // Clocks may differ.
    const openedAt = Math.min(until - openMs, Date.now());
    if (this.#policy.state === CircuitState.HalfOpen || (this.#policy.state === CircuitState.Open && this.#openedAt >= openedAt)) return;
    this.#openedAt = openedAt;
    // As the policy gives its state itself (`toJSON`).
    this.#policy = this.#newPolicy({ ownState: { value: CircuitState.Open, openedAt, attemptNo: 1 }, breakerState: 0 });
    this.#logger.info(`${this.#owner.host} failed in another process and is not asked`, this.#shown);
  }

  /** It has closed in another process. */
  close(): void {
    if (this.#policy.state === this.#library.CircuitState.Closed) return;
    this.#policy = this.#newPolicy();
    this.#logger.info(`${this.#owner.host} is asked again, as another process is`, this.#shown);
  }

  /** Undefined while it is closed. */
  get status(): JsonObject | undefined {
    const { CircuitState } = this.#library;
    const { state } = this.#policy;
    return state === CircuitState.Closed ? undefined : { ...this.#shown, state: state === CircuitState.HalfOpen ? 'half open' : 'open' };
  }

  /** Throws UPSTREAM_UNAVAILABLE without sending while the circuit is open, and while a first request tries whether it may close. */
  send(request: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
    const others = this.#others;
    return others === undefined || !this.#isTrialDue ? this.#execute(request, signal) : this.#tryForAll(others, request, signal);
  }

  async #tryForAll(others: OtherProcesses, ...[request, signal]: Parameters<Circuit['send']>): Promise<Response> {
    if (!(await others.mayTry())) throw this.#openCircuit(trialMs);
    try {
      return await this.#execute(request, signal);
    } finally {
      others.hasTried();
    }
  }

  async #execute(...[request, signal]: Parameters<Circuit['send']>): Promise<Response> {
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

  get #isTrialDue(): boolean {
    return this.#policy.state === this.#library.CircuitState.Open && Date.now() >= this.#openedAt + this.#options.openMs;
  }

  get #shown(): { readonly host: string; readonly tenant: string } {
    const { host, tenant } = this.#owner;
    return { host, tenant };
  }

  #newPolicy(initialState?: object): cockatiel.CircuitBreakerPolicy {
    const { circuitBreaker, ConsecutiveBreaker, handleType } = this.#library;
    const { failures, openMs } = this.#options;
    const { host } = this.#owner;
    const policy = circuitBreaker(
      handleType(Failed).orWhenResult((response) => isFailedStatus((response as Response).status)),
      { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: openMs, ...(initialState === undefined ? {} : { initialState }) },
    );
    // What was sent before another process said something comes back to a policy that does not count any more.
    const whileItCounts = (change: () => void) => (): void => {
      if (this.#policy === policy) change();
    };
    policy.onBreak(
      whileItCounts(() => {
        this.#openedAt = Date.now();
        this.#logger.warn(`${host} failed ${failures} times in a row and is not asked for ${openMs} ms`, this.#shown);
        this.#others?.opened();
      }),
    );
    policy.onReset(
      whileItCounts(() => {
        this.#logger.info(`${host} is asked again`, this.#shown);
        this.#others?.closed();
      }),
    );
    return policy;
  }

  #openCircuit(retryAfterMs: number): ToolkitError {
    const { failures } = this.#options;
    const { host } = this.#owner;
    return new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${host} was not asked, because its last ${failures} requests failed. It is tried again in ${Math.ceil(retryAfterMs / 1000)} s.`,
      // For who counts effects: no request was sent.
      { host, retryAfterMs, isSent: false },
    );
  }
}
