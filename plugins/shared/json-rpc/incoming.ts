import type { Message, Parameters, RequestId, Wire } from './message.ts';

/** A running request of the other side. */
export class Incoming {
  readonly id: RequestId;
  #wire: Wire;
  /** Created at the first use of `signal`: most requests end without one. */
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(id: RequestId, wire: Wire) {
    this.id = id;
    this.#wire = wire;
  }

  /** Aborts when the other side cancels the request or disconnects. */
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

  /** Aborts the request. The first reason stays. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(reason);
  }

  /** Sends all further messages, the response among them, to another wire. */
  redirect(wire: Wire): void {
    this.#wire = wire;
  }

  /** Sends a message that belongs to this request. An aborted request sends nothing more. */
  send(message: Message): void {
    if (this.#aborted === undefined) this.#wire.send(message, this.id);
  }

  notify(method: string, params: Parameters): void {
    this.send({ jsonrpc: '2.0', method, params });
  }
}
