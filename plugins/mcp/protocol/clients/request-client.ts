import { ToolkitError } from '../../../../kernel/index.ts';
import { exposureFor } from '../../../shared/exposure/exposure.ts';
import { errorCodes, isRequest, type Message, type Request, type RequestId } from '../../../shared/json-rpc/message.ts';
import { type RequestInFlight, RequestsInFlight } from '../../../shared/json-rpc/requests-in-flight.ts';
import { type Outcome, RunningExchange, settle } from '../../../shared/json-rpc/running-exchange.ts';
import type { Wire } from '../../../shared/json-rpc/wire.ts';
import { RequestQuestions } from '../asking/request-questions.ts';
import type { Answer } from '../methods/lifecycle.ts';
import { completeResult, modernAnswers } from '../modern/modern-answers.ts';
import { errorMember, ProtocolError } from '../protocol-error.ts';
import { supportsTasks } from '../tasks/extension.ts';
import type { Task } from '../tasks/task.ts';
import type { Connection, Peer, ProtocolOptions } from './connection.ts';
import { type Envelope, readEnvelope } from './envelope.ts';

/** Methods that the protocol library handles, with handlers of ours. The first such request imports the library. */
export const libraryMethods: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

interface RunningRequest extends RequestInFlight {
  readonly exchange: RunningExchange;
  readonly asking: RequestQuestions;
  /** Set when the call has become a task. */
  task?: Task;
}

/** Requests of the era without sessions, in which each request describes its client. Keeps no state but the running requests. */
export class ModernConnection {
  readonly #options: ProtocolOptions;
  readonly #peer: Peer;
  readonly #wire: Wire;
  readonly #inFlight: RequestsInFlight;
  readonly #usesLibraryOnly: boolean;
  #isClosed = false;

  constructor(options: ProtocolOptions, peer: Peer, wire: Wire, inFlight = new RequestsInFlight()) {
    const { usesSdkOnly = process.env['TOOLKIT_MCP_SDK_ONLY'] === '1' } = options;
    this.#options = options;
    this.#peer = peer;
    this.#wire = wire;
    this.#inFlight = inFlight;
    this.#usesLibraryOnly = usesSdkOnly;
  }

  /**
   * Handles the next message, whose form has been checked. `scopes`: see `Exchange`.
   * `envelope`: the message's description of its client, where it was read before.
   */
  receive(message: Message, scopes?: readonly string[], envelope?: Envelope): void {
    if (this.#isClosed || !('method' in message)) return;
    if (isRequest(message)) this.#answer(message, scopes, envelope);
    else if (message.method === 'notifications/cancelled')
      this.cancel(message.params?.['requestId'] as RequestId, message.params?.['reason']);
  }

  /** Cancels a request. It gets no response. */
  cancel(request: RequestId, reason: unknown): void {
    this.#inFlight.cancel(request, reason);
  }

  /** Ends all running requests. */
  close(): void {
    this.#isClosed = true;
    this.#inFlight.abortAll(new ToolkitError('ABORTED', 'The client has closed its connection.'));
  }

  #answer(request: Request, scopes: readonly string[] | undefined, envelope: Envelope | undefined): void {
    const { id, method, params = {} } = request;
    let connection: Connection;
    let answer: Answer;
    try {
      if (this.#inFlight.has(id)) throw new ProtocolError(errorCodes.invalidRequest, 'A request with this id is still running.');
      connection = this.#connectionOf(envelope ?? readEnvelope(params));
      answer = this.#takeExchange(request);
    } catch (error) {
      this.#wire.send({ jsonrpc: '2.0', id, error: errorMember(error) }, id);
      return;
    }
    const asking = new RequestQuestions(this.#options.states, { caller: this.#peer.caller, method, params });
    const exchange = new RunningExchange(id, this.#wire, {
      ask: (question, signal) => (running.task ?? asking).ask(question, signal),
      scopes,
      ...(supportsTasks(connection) ? { convertToTask: () => this.#convertToTask(running) } : {}),
    });
    const running: RunningRequest = { asking, exchange, abort: (reason) => exchange.abort(reason) };
    this.#inFlight.set(id, running);
    settle(
      () => {
        const begun = asking.begin();
        return begun === undefined ? answer(connection, params, exchange) : begun.then(() => answer(connection, params, exchange));
      },
      (outcome) => this.#end(running, outcome),
    );
  }

  /** Answers a call with a task. The task takes over the call. */
  #convertToTask(running: RunningRequest): void {
    const { exchange } = running;
    const isWaiting = this.#inFlight.get(exchange.id) === running && !exchange.isAborted;
    const task = isWaiting ? this.#options.tasks.open({ caller: this.#peer.caller, abort: (reason) => exchange.abort(reason) }) : undefined;
    if (task === undefined) return;
    running.task = task;
    exchange.redirect(task);
    this.#inFlight.delete(exchange.id);
    const send = (): void => {
      const result = { ...completeResult(this.#options, task.summary), resultType: 'task' };
      this.#wire.send({ jsonrpc: '2.0', id: exchange.id, result } as Message, exchange.id);
    };
    const shared = this.#options.tasks.share(task);
    if (shared === undefined) send();
    else void shared.then(send);
  }

  #end(running: RunningRequest, outcome: Outcome): void {
    const { exchange, asking, task } = running;
    if (task !== undefined) {
      task.end(outcome);
      return;
    }
    if (this.#inFlight.get(exchange.id) === running) this.#inFlight.delete(exchange.id);
    // A cancelled request has no answer (MCP, Cancellation).
    if (exchange.isAborted) return;
    this.#wire.send({ jsonrpc: '2.0', id: exchange.id, ...questionsOr(asking, outcome) } as Message, exchange.id);
  }

  #takeExchange(request: Request): Answer {
    const { method } = request;
    const own = modernAnswers.get(method);
    const isOfLibrary = libraryMethods.has(method) || (this.#usesLibraryOnly && method.startsWith('tools/') && own !== undefined);
    if (isOfLibrary)
      return async (connection, _params, exchange) => {
        const { answerByLibrary } = await import('../modern/library.ts');
        return answerByLibrary(connection, request, exchange);
      };
    if (own !== undefined) return own;
    throw new ProtocolError(errorCodes.methodNotFound, `There is no method "${method.slice(0, 100)}".`);
  }

  #connectionOf({ capabilities, name, logLevel }: Envelope): Connection {
    const { catalog, version, pageSize, shares, tasks, expose } = this.#options;
    return {
      era: 'modern',
      catalog,
      version,
      pageSize,
      shares,
      tasks,
      ...this.#peer,
      hasOwnLists: expose === 'auto',
      client: { capabilities, ...(name === undefined ? {} : { name }) },
      logLevel,
      get exposure() {
        return exposureFor(expose, name, () => catalog.size);
      },
    };
  }
}

/** Returns the open questions if there are any, else the outcome. */
function questionsOr(asking: RequestQuestions, outcome: Outcome): object {
  try {
    const { required } = asking;
    return required === undefined ? outcome : { result: required };
  } catch (error) {
    return { error: errorMember(error) };
  }
}
