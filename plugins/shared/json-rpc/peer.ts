import { InFlight, ToolkitError } from '../../../kernel/index.ts';
import type { ErrorObject, Message, Outcome, Parameters, RequestId, Wire } from './message.ts';
import { errorObject, RpcError } from './rpc-error.ts';

/** A running request of the other side. `Context`: members that its handlers need beside. */
export class Incoming<Context = undefined> {
  readonly id: RequestId;
  readonly context: Context;
  #wire: Wire;
  /** Created at the first use of `signal`: most requests end without one. */
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(id: RequestId, wire: Wire, context: Context) {
    this.id = id;
    this.#wire = wire;
    this.context = context;
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

export interface PeerOptions {
  readonly wire: Wire;
  /** Returns the notification that cancels a request to the other side. */
  readonly cancellation: (id: RequestId, reason: unknown) => { readonly method: string; readonly params: Parameters };
  /** Returns the error object for the error of a request. @default errorObject */
  readonly errorOf?: (error: unknown) => ErrorObject;
}

export interface AskOptions {
  /** Aborts the request: the other side is notified, and its response is ignored. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the request of the other side that this one belongs to. */
  readonly request?: RequestId;
  /** Called for each notification about this request: see `Peer.inform`. */
  readonly onNotification?: (method: string, params: Parameters) => void;
}

/** A request to the other side without a response so far. */
interface Asked {
  readonly end: (outcome: { readonly result: unknown } | { readonly error: unknown }) => void;
  readonly onNotification: AskOptions['onNotification'];
}

/** One side of a JSON-RPC 2.0 connection: the running requests of both sides, with cancellation. */
export class Peer {
  readonly #options: PeerOptions;
  readonly #running = new InFlight<RequestId, Incoming<unknown>>();
  readonly #asked = new Map<RequestId, Asked>();
  #lastId = 0;
  /** Set when the other side answers no more. */
  #silence: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Returns true while a request of the other side with this id has no response. */
  isRunning(id: RequestId): boolean {
    return this.#running.has(id);
  }

  /** Runs a request of the other side and sends its response: at once when `answer` returns no promise. */
  run(incoming: Incoming<unknown>, answer: () => unknown): void {
    this.attach(incoming);
    try {
      const result = answer();
      if (result instanceof Promise)
        result.then(
          (given: object) => this.#end(incoming, { result: given }),
          (error: unknown) => this.#fail(incoming, error),
        );
      else this.#end(incoming, { result: result as object });
    } catch (error) {
      this.#fail(incoming, error);
    }
  }

  /** Adds a running request, which gets its response when its handler ends. */
  attach(incoming: Incoming<unknown>): void {
    this.#running.set(incoming.id, incoming);
  }

  /** Removes a running request without a response. Its handler continues. Returns false when it was not running. */
  detach(incoming: Incoming<unknown>): boolean {
    return this.#running.get(incoming.id) === incoming && this.#running.delete(incoming.id);
  }

  /** Cancels a request of the other side. It gets no response. Returns false when there is no such request. */
  cancel(id: RequestId, reason: unknown): boolean {
    const incoming = this.#running.get(id);
    incoming?.abort(reason);
    return this.#running.delete(id);
  }

  /** Sends a request. Rejects with RpcError for an error response, with the reason of the signal, and when the other side answers no more. */
  async ask(method: string, params: Parameters, { signal, request, onNotification }: AskOptions = {}): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#silence !== undefined) throw this.#silence;
    const { wire, cancellation } = this.#options;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        wire.send({ jsonrpc: '2.0', ...cancellation(id, signal?.reason) }, request);
        end({ error: signal?.reason });
      };
      const end: Asked['end'] = (outcome) => {
        if (!this.#asked.delete(id)) return;
        signal?.removeEventListener('abort', cancel);
        if ('error' in outcome) reject(outcome.error as Error);
        else resolve(outcome.result);
      };
      this.#asked.set(id, { end, onNotification });
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        wire.send({ jsonrpc: '2.0', id, method, params }, request);
      } catch (error) {
        end({ error });
      }
    });
  }

  /** Takes the response to a request of this side. Ignores one to no open request. */
  receive({ id, result, error }: { readonly id: RequestId; readonly result?: unknown; readonly error?: ErrorObject | undefined }): void {
    const asked = this.#asked.get(id);
    if (error === undefined) asked?.end({ result });
    else asked?.end({ error: new RpcError(error.code, error.message, error.data) });
  }

  /** Takes a notification of the other side about an open request of this side. */
  inform(id: unknown, method: string, params: Parameters): void {
    this.#asked.get(id as RequestId)?.onNotification?.(method, params);
  }

  /** Rejects all open and future requests of this side: the other side answers no more. */
  silence(reason: Error): void {
    this.#silence ??= reason;
    for (const { end } of [...this.#asked.values()]) end({ error: reason });
  }

  /** Ends the requests of both sides. The running ones get no response. */
  close(reason: ToolkitError = disconnected()): void {
    for (const incoming of this.#running.values()) incoming.abort(reason);
    this.#running.clear();
    this.silence(reason);
  }

  /** Resolves when each request of the other side has its response. After `limitMs` milliseconds the remaining ones fail with `late`. */
  async drain(limitMs: number, late: () => Error): Promise<void> {
    if (this.#running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    // The timer keeps the process alive; the pending requests may not.
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#running.empty(), limit]);
    clearTimeout(timer);
    for (const incoming of this.#running.values()) {
      const error = late();
      this.#fail(incoming, error);
      incoming.abort(error);
    }
  }

  #fail(incoming: Incoming<unknown>, error: unknown): void {
    const { errorOf = errorObject } = this.#options;
    this.#end(incoming, { error: errorOf(error) });
  }

  #end(incoming: Incoming<unknown>, outcome: Outcome): void {
    this.detach(incoming);
    incoming.send({ jsonrpc: '2.0', id: incoming.id, ...outcome });
  }
}

function disconnected(): ToolkitError {
  return new ToolkitError('ABORTED', 'The client has closed its connection.', { isLost: true });
}
