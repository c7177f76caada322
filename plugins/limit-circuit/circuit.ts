import type * as cockatiel from 'cockatiel';
import { type JsonObject, type Logger, ToolkitError } from '../../kernel/index.ts';
import { isFailedRequest, isFailedStatus } from './failure.ts';
import type { Standstill } from './standstill.ts';

export interface CircuitOptions {
  readonly maxFailures: number;
  readonly resetTimeoutMs: number;
  readonly standstill: Standstill;
}

/** Wait to suggest while a trial runs, in milliseconds. */
const trialMs = 1000;

/** Marks a request that failed because of the service. It never leaves this file. */
class FailedRequest extends Error {
  thrown: unknown;

  constructor(thrown: unknown) {
    super('failed');
    this.thrown = thrown;
  }

  /** Returns the error and forgets it: the breaker retains its last failure, which must not retain a call. */
  take(): unknown {
    const { thrown } = this;
    this.thrown = undefined;
    return thrown;
  }
}

/** The tenant and the service of a circuit. */
export interface CircuitOwner {
  readonly origin: string;
  readonly host: string;
  readonly tenant: string;
}

/** The other processes that share a store. */
export interface OtherProcesses {
  notifyOpened(): void;
  notifyClosed(): void;
  /** True when this process is the one that sends the trial request. */
  mayTry(): Promise<boolean>;
  endTrial(): void;
}

/** `half_open`: a trial request runs. */
export const circuitStates = ['closed', 'half_open', 'open'] as const;

export type CircuitState = (typeof circuitStates)[number];

/** The circuit of one tenant to one service. It is open while the service fails, so that requests are refused at once. */
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

  /** Opens the circuit, because another process has opened it, until a time in epoch milliseconds. */
  openUntil(until: number): void {
    const { CircuitState } = this.#library;
    const { resetTimeoutMs } = this.#options;
    // Clocks may differ.
    const openedAt = Math.min(until - resetTimeoutMs, Date.now());
    if (this.#policy.state === CircuitState.HalfOpen || (this.#policy.state === CircuitState.Open && this.#openedAt >= openedAt)) return;
    this.#openedAt = openedAt;
    // In the form in which the policy exports its state (`toJSON`).
    this.#policy = this.#newPolicy({ ownState: { value: CircuitState.Open, openedAt, attemptNo: 1 }, breakerState: 0 });
    this.#logger.info(`${this.#owner.host} failed in another process and is not asked`, this.#logMembers);
  }

  /** Closes the circuit, because another process has closed it. */
  close(): void {
    if (this.#policy.state === this.#library.CircuitState.Closed) return;
    this.#policy = this.#newPolicy();
    this.#logger.info(`${this.#owner.host} is asked again, as another process is`, this.#logMembers);
  }

  get state(): CircuitState {
    const { CircuitState: states } = this.#library;
    const { state } = this.#policy;
    if (state === states.Closed) return 'closed';
    return state === states.HalfOpen ? 'half_open' : 'open';
  }

  /** The state of the circuit for people; undefined while it is closed. */
  get status(): JsonObject | undefined {
    const { state } = this;
    return state === 'closed' ? undefined : { ...this.#logMembers, state: state.replace('_', ' ') };
  }

  /** Sends a request. Throws UPSTREAM_UNAVAILABLE without sending while the circuit is open, and while a trial request runs. */
  send(request: () => Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
    const others = this.#others;
    return others === undefined || !this.#isTrialDue ? this.#execute(request, signal) : this.#sendTrial(others, request, signal);
  }

  async #sendTrial(others: OtherProcesses, ...[request, signal]: Parameters<Circuit['send']>): Promise<Response> {
    if (!(await others.mayTry())) throw this.#openCircuitError(trialMs);
    try {
      return await this.#execute(request, signal);
    } finally {
      others.endTrial();
    }
  }

  async #execute(...[request, signal]: Parameters<Circuit['send']>): Promise<Response> {
    // Without this, other requests would wait for the trial, which may take as long as a call may.
    if (this.#policy.state === this.#library.CircuitState.HalfOpen) throw this.#openCircuitError(trialMs);
    try {
      return await this.#policy.execute(async () => {
        const process = this.#options.standstill.observe();
        let hasStoodStill = false;
        try {
          return await request().finally(() => {
            hasStoodStill = process.end();
          });
        } catch (error) {
          throw !hasStoodStill && isFailedRequest(error, signal) ? new FailedRequest(error) : error;
        }
      });
    } catch (error) {
      if (error instanceof FailedRequest) throw error.take();
      if (this.#library.isBrokenCircuitError(error))
        throw this.#openCircuitError(this.#openedAt + this.#options.resetTimeoutMs - Date.now());
      throw error;
    }
  }

  get #isTrialDue(): boolean {
    return this.#policy.state === this.#library.CircuitState.Open && Date.now() >= this.#openedAt + this.#options.resetTimeoutMs;
  }

  get #logMembers(): { readonly host: string; readonly tenant: string } {
    const { host, tenant } = this.#owner;
    return { host, tenant };
  }

  #newPolicy(initialState?: object): cockatiel.CircuitBreakerPolicy {
    const { circuitBreaker, ConsecutiveBreaker, handleType } = this.#library;
    const { maxFailures, resetTimeoutMs } = this.#options;
    const { host } = this.#owner;
    const policy = circuitBreaker(
      handleType(FailedRequest).orWhenResult((response) => isFailedStatus((response as Response).status)),
      {
        breaker: new ConsecutiveBreaker(maxFailures),
        halfOpenAfter: resetTimeoutMs,
        ...(initialState === undefined ? {} : { initialState }),
      },
    );
    // A request may be sent before another process changes the circuit. Its result belongs to a policy that no longer counts.
    const ifCurrent = (change: () => void) => (): void => {
      if (this.#policy === policy) change();
    };
    policy.onBreak(
      ifCurrent(() => {
        this.#openedAt = Date.now();
        this.#logger.warn(`${host} failed ${maxFailures} times in a row and is not asked for ${resetTimeoutMs} ms`, this.#logMembers);
        this.#others?.notifyOpened();
      }),
    );
    policy.onReset(
      ifCurrent(() => {
        this.#logger.info(`${host} is asked again`, this.#logMembers);
        this.#others?.notifyClosed();
      }),
    );
    return policy;
  }

  #openCircuitError(retryAfterMs: number): ToolkitError {
    const { maxFailures } = this.#options;
    const { host } = this.#owner;
    return new ToolkitError(
      'UPSTREAM_UNAVAILABLE',
      `${host} was not asked, because its last ${maxFailures} requests failed. It is tried again in ${Math.ceil(retryAfterMs / 1000)} s.`,
      // For plugins that count effects: no request was sent.
      { host, retryAfterMs, isSent: false },
    );
  }
}
