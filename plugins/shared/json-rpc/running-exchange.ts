import type { Exchange, Question } from '../../mcp/protocol/clients/exchange.ts';
import { errorMember } from '../../mcp/protocol/protocol-error.ts';
import type { RequestId } from './message.ts';
import type { RequestInFlight } from './requests-in-flight.ts';
import type { Wire } from './wire.ts';

export interface RunningExchangeOptions extends Pick<Exchange, 'convertToTask' | 'scopes'> {
  /** Sends the client a question. */
  readonly ask: Exchange['ask'];
}

/** A request that runs in this process. */
export class RunningExchange implements Exchange, RequestInFlight {
  readonly id: RequestId;
  readonly scopes: readonly string[] | undefined;
  readonly convertToTask?: () => void;
  readonly #ask: Exchange['ask'];
  #wire: Wire;
  /** Created at the first use of `signal`: most requests end without one. */
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(id: RequestId, wire: Wire, { ask, convertToTask, scopes }: RunningExchangeOptions) {
    this.id = id;
    this.scopes = scopes;
    this.#wire = wire;
    if (convertToTask !== undefined) this.convertToTask = convertToTask;
    this.#ask = ask;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#aborted !== undefined;
  }

  /** Sends all further messages to another wire. */
  redirect(wire: Wire): void {
    this.#wire = wire;
  }

  /** Aborts the request. The first reason stays. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  notify(notification: Parameters<Exchange['notify']>[0]): void {
    if (!this.isAborted) this.#wire.send({ jsonrpc: '2.0', ...notification }, this.id);
  }

  ask(question: Question, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return this.#ask(question, signal);
  }
}

/** Outcome of a request, as a member of the response. */
export type Outcome = { readonly result: object } | { readonly error: object };

/** Calls `end` with the outcome of a handler: at once when the handler returns no promise. */
export function settle(answer: () => object | Promise<object>, end: (outcome: Outcome) => void): void {
  try {
    const result = answer();
    if (result instanceof Promise)
      result.then(
        (given) => end({ result: given }),
        (error: unknown) => end({ error: errorMember(error) }),
      );
    else end({ result });
  } catch (error) {
    end({ error: errorMember(error) });
  }
}
