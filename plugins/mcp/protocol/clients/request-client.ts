import { exposureFor } from '../../../shared/exposure/exposure.ts';
import {
  errorCodes,
  isRequest,
  isSerializedOnce,
  type Message,
  type Request,
  serializeOnce,
  type Wire,
} from '../../../shared/json-rpc/message.ts';
import { Incoming, Peer } from '../../../shared/json-rpc/peer.ts';
import { errorObject, RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import { RequestQuestions } from '../asking/request-questions.ts';
import { serverIdentity } from '../methods/lifecycle.ts';
import type { Method } from '../methods/method.ts';
import { answerRequest, findMethod } from '../methods/methods.ts';
import { type Revision, revisions } from '../revisions.ts';
import { supportsTasks } from '../tasks/extension.ts';
import type { Task } from '../tasks/task.ts';
import type { Arrival } from './arrival.ts';
import { cancellation, cancelledBy } from './cancellation.ts';
import type { ClientIdentity, Connection, ProtocolOptions } from './connection.ts';
import { type Envelope, metaKeys, readEnvelope } from './envelope.ts';
import type { Exchange } from './exchange.ts';
import { withSpan } from './request-span.ts';

/** Client without a session: each of its requests describes it (MCP since 2026-07-28). Keeps no state but the running requests. */
export class RequestClient {
  readonly #options: ProtocolOptions;
  readonly #identity: ClientIdentity;
  readonly #wire: Wire;
  readonly #peer: Peer;
  #isClosed = false;

  constructor(options: ProtocolOptions, identity: ClientIdentity, wire: Wire, peer = new Peer({ wire, cancellation })) {
    this.#options = options;
    this.#identity = identity;
    this.#wire = wire;
    this.#peer = peer;
  }

  /**
   * Handles the next message, whose form has been checked.
   * `envelope`: the message's description of its client, where it was read before.
   */
  receive(message: Message, arrival: Arrival = {}, envelope?: Envelope): void {
    if (this.#isClosed || !('method' in message)) return;
    if (isRequest(message)) {
      this.#answer(message, arrival, envelope);
      return;
    }
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#peer.cancel(cancelled, message.params?.['reason']);
  }

  /** Ends all running requests. */
  close(): void {
    this.#isClosed = true;
    this.#peer.close();
  }

  #answer(request: Request, arrival: Arrival, known: Envelope | undefined): void {
    const { id, params } = request;
    try {
      if (this.#peer.isRunning(id)) throw new RpcError(errorCodes.invalidRequest, 'A request with this id is still running.');
      this.#run(request, this.#connectionOf(known ?? readEnvelope(params)), arrival);
    } catch (error) {
      this.#wire.send({ jsonrpc: '2.0', id, error: errorObject(error) }, id);
    }
  }

  #run(request: Request, connection: Connection, arrival: Arrival): void {
    const { id, params = {} } = request;
    const asking = new RequestQuestions(this.#options.states, { caller: this.#identity.caller, method: request.method, params });
    let task: Task | undefined;
    const convertToTask = (status?: string): boolean => {
      task ??= this.#convertToTask(exchange, status);
      return task !== undefined;
    };
    const exchange: Exchange = new Incoming(id, this.#wire, {
      arrival,
      ask: (question, signal) => (task ?? asking).ask(question, signal),
      repeatsRequest: true,
      get answersRecord() {
        return asking.answersRecord;
      },
      ...(supportsTasks(connection) ? { convertToTask } : {}),
    });
    /** Returns the open questions, which are the result of a request that asks its client. */
    const questions = (): object | undefined => (task === undefined ? asking.required : undefined);
    const run = (): object | Promise<object> => {
      const method = findMethod(connection.revision, request.method);
      const answer = (): object | Promise<object> => answerRequest(method, connection, request, exchange);
      const begun = method.mayAsk === true ? asking.begin()?.catch((error: unknown) => this.#refuseAnswer(error)) : undefined;
      const result = begun === undefined ? answer() : begun.then(answer);
      if (!(result instanceof Promise)) return this.#complete(result, method, connection);
      return result.then(
        (given) => questions() ?? this.#complete(given, method, connection),
        (error: unknown) => questions() ?? Promise.reject(error),
      );
    };
    const { tracer } = connection.catalog.kernel;
    this.#peer.run(exchange, tracer === undefined ? run : () => withSpan({ tracer, connection, request, exchange }, run));
  }

  /** Reports answers that belong to another request, or are none: no call begins that the trail would have. */
  #refuseAnswer(error: unknown): never {
    const { caller } = this.#identity;
    if (error instanceof RpcError) this.#options.catalog.kernel.reportRefusal({ reason: 'answer', address: '', caller, count: 1 });
    throw error;
  }

  /** Answers a call with a task, which takes over the call. Undefined when the caller has too many, or the call is over. */
  #convertToTask(exchange: Exchange, status: string | undefined): Task | undefined {
    const { tasks } = this.#options;
    if (exchange.isAborted || !this.#peer.detach(exchange)) return undefined;
    const task = tasks.open({ caller: this.#identity.caller, status, abort: (reason) => exchange.abort(reason) });
    if (task === undefined) return void this.#peer.attach(exchange);
    exchange.redirect(task);
    const send = (): void => {
      const result = { ...this.#withServer(task.summary), resultType: 'task' };
      this.#wire.send({ jsonrpc: '2.0', id: exchange.id, result }, exchange.id);
    };
    const shared = tasks.share(task);
    if (shared === undefined) send();
    else void shared.then(send);
    return task;
  }

  /** Returns the result with its cache rules and the members that every result has. Once for results that many requests share. */
  #complete(result: object, { caching }: Method, connection: Connection): object {
    const known = completed.get(result);
    if (known !== undefined) return known;
    const isCached = caching !== undefined && connection.revision.hasCaching;
    const made = this.#withServer(isCached ? { ...result, ...caching(connection) } : result);
    if (isSerializedOnce(result)) completed.set(result, serializeOnce(made));
    return made;
  }

  #withServer(result: object): object {
    const { _meta } = result as { readonly _meta?: object };
    return { ...result, resultType: 'complete', _meta: { ..._meta, [metaKeys.server]: serverIdentity(this.#options.version) } };
  }

  #connectionOf({ version: requested, capabilities, name, logLevel }: Envelope): Connection {
    const { catalog, version, pageSize, shares, tasks, expose } = this.#options;
    return {
      revision: revisions.get(requested) as Revision,
      catalog,
      version,
      pageSize,
      shares,
      tasks,
      ...this.#identity,
      hasOwnLists: expose === 'auto',
      client: { capabilities, ...(name === undefined ? {} : { name }) },
      logLevel,
      get exposure() {
        return exposureFor(expose, name, () => catalog.size);
      },
    };
  }
}

/** Completed results by the result that many requests share. */
const completed = new WeakMap<object, object>();
