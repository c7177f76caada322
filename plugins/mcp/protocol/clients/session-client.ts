import { setImmediate as nextTurn } from 'node:timers/promises';
import { ToolkitError } from '../../../../kernel/index.ts';
import { type Exposure, type ExposureChoice, exposureFor } from '../../../shared/exposure/exposure.ts';
import { isRequest, type Message, type Request, type RequestId } from '../../../shared/json-rpc/message.ts';
import { RequestsInFlight } from '../../../shared/json-rpc/requests-in-flight.ts';
import { type Outcome, RunningExchange, settle } from '../../../shared/json-rpc/running-exchange.ts';
import type { Wire } from '../../../shared/json-rpc/wire.ts';
import type { LogLevel } from '../../../shared/mcp-sdk/types.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type ListName, listNames } from '../catalog/catalog-lists.ts';
import { type Answer, answers, initializeError, negotiateVersion } from '../methods/lifecycle.ts';
import type { SdkServer } from '../sdk/sdk-server.ts';
import type { ClientState, Connection, Peer, ProtocolOptions } from './connection.ts';
import type { Question } from './exchange.ts';
import type { Shares } from './shares.ts';

/**
 * Connection of one client. Handles the most frequent requests (`answers.ts`) itself. Passes all other messages to the protocol
 * library, which the first of them imports.
 */
export class ClientConnection implements Connection {
  readonly era = 'legacy';
  readonly catalog: Catalog;
  readonly version: string;
  readonly pageSize: number;
  readonly shares: Shares;
  readonly tasks: ProtocolOptions['tasks'];
  readonly caller: string;
  readonly tenant: string;
  logLevel: LogLevel | undefined = 'info';
  readonly #expose: ExposureChoice;
  readonly #usesSdkOnly: boolean;
  readonly #wire: Wire;
  readonly #inFlight: RequestsInFlight;
  readonly #stopAnnouncing: () => void;
  /** The client's `initialize` request, which the library must receive as well. */
  #initializeRequest: Request | undefined;
  #client: ClientState = { capabilities: {} };
  #sdk: Promise<SdkServer> | undefined;
  #isResumed = false;
  #isClosed = false;

  constructor(
    { catalog, expose, version, pageSize, shares, tasks, usesSdkOnly = process.env['TOOLKIT_MCP_SDK_ONLY'] === '1' }: ProtocolOptions,
    { caller, tenant }: Peer,
    wire: Wire,
    inFlight = new RequestsInFlight(),
  ) {
    this.catalog = catalog;
    this.version = version;
    this.pageSize = pageSize;
    this.shares = shares;
    this.tasks = tasks;
    this.caller = caller;
    this.tenant = tenant;
    this.#expose = expose;
    this.#usesSdkOnly = usesSdkOnly;
    this.#wire = wire;
    this.#inFlight = inFlight;
    this.#stopAnnouncing = catalog.onChange(
      (list) => wire.send(listChanged(list)),
      () => this.exposure,
    );
  }

  get exposure(): Exposure {
    return exposureFor(this.#expose, this.#client.name, () => this.catalog.size);
  }

  get hasOwnLists(): boolean {
    return this.#expose === 'auto';
  }

  get client(): ClientState {
    return this.#client;
  }

  /** Version agreed on in `initialize`; undefined before. */
  get protocolVersion(): string | undefined {
    const { params } = this.#initializeRequest ?? {};
    return params === undefined || initializeError(params) !== undefined ? undefined : negotiateVersion(params['protocolVersion']);
  }

  /** Handles the client's next message, whose envelope has been checked. `scopes`: see `Exchange`. */
  receive(message: Message, scopes?: readonly string[]): void {
    if (this.#isClosed) return;
    const isCall = isRequest(message);
    if (isCall && message.method === 'initialize') this.#handleInitialize(message);
    const answer = isCall && !this.#usesSdkOnly ? answers.get(message.method) : undefined;
    if (isCall && answer !== undefined) this.#answer(message, answer, scopes);
    else if ('method' in message && message.method === 'notifications/cancelled') this.#cancel(message);
    else if (isCall || this.#sdk !== undefined || this.#usesSdkOnly) this.#passToLibrary(message, scopes);
  }

  /**
   * Resumes a session that another server began with this `initialize` request.
   * `hasEnded`: true when that server has ended since and the client has its lists.
   */
  resume(initializeRequest: Request, hasEnded: boolean): void {
    this.#isResumed = true;
    this.#handleInitialize(initializeRequest);
    if (hasEnded) this.notifyAllLists();
  }

  /** Notifies the client that every list may have changed. */
  notifyAllLists(): void {
    for (const list of listNames) this.#wire.send(listChanged(list));
  }

  /** Ends the client's running requests. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopAnnouncing();
    this.#inFlight.abortAll(disconnected());
    const sdk = await this.#sdk;
    await sdk?.close();
  }

  /** Sends the client a question that belongs to one of its running requests. */
  async ask(question: Question, request: RequestId, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const library = await abortable(signal, this.#library());
    return library.ask(question, request, signal);
  }

  #handleInitialize(message: Request): void {
    this.#initializeRequest = message;
    const { capabilities, clientInfo } = (message.params ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
    const name = clientInfo?.['name'];
    this.#client = { capabilities: capabilities ?? {}, ...(typeof name === 'string' ? { name } : {}) };
  }

  #answer({ id, params = {} }: Request, answer: Answer, scopes: readonly string[] | undefined): void {
    const exchange = new RunningExchange(id, this.#wire, { ask: (question, signal) => this.ask(question, id, signal), scopes });
    this.#inFlight.set(id, exchange);
    settle(
      () => answer(this, params, exchange),
      (outcome) => this.#end(exchange, outcome),
    );
  }

  #end(exchange: RunningExchange, outcome: Outcome): void {
    if (this.#inFlight.get(exchange.id) === exchange) this.#inFlight.delete(exchange.id);
    // A cancelled request has no answer (MCP, Cancellation).
    if (!exchange.isAborted) this.#wire.send({ jsonrpc: '2.0', id: exchange.id, ...outcome } as Message, exchange.id);
  }

  #cancel(message: Message): void {
    const { requestId, reason } = ('params' in message ? (message.params ?? {}) : {}) as { requestId?: RequestId; reason?: unknown };
    if (requestId !== undefined) this.#inFlight.cancel(requestId, reason);
  }

  /** Passes a message to the library. A request is in flight until the library has answered it, or has received its cancellation. */
  #passToLibrary(message: Message, scopes?: readonly string[]): void {
    if (isRequest(message)) this.#inFlight.set(message.id, { abort: (reason) => this.#cancelPassed(message.id, reason) });
    void this.#library().then((sdk) => sdk.receive(message, scopes));
  }

  #cancelPassed(requestId: RequestId, reason: unknown): void {
    const why = typeof reason === 'string' ? { reason } : {};
    this.#passToLibrary({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, ...why } });
  }

  #library(): Promise<SdkServer> {
    this.#sdk ??= this.#startLibrary();
    return this.#sdk;
  }

  /** Yields to the event loop between the parts, because the library's protocol schemas take as long to build as the rest of it. */
  async #startLibrary(): Promise<SdkServer> {
    await import('@modelcontextprotocol/sdk/types.js');
    await nextTurn();
    const { SdkServer: Server } = await import('../sdk/sdk-server.ts');
    const wire: Wire = {
      send: (message, request) => {
        if (!('method' in message) && request !== undefined) this.#inFlight.delete(request);
        this.#wire.send(message, request);
      },
    };
    return Server.start(
      this,
      { wire, inFlight: this.#inFlight },
      this.#usesSdkOnly && !this.#isResumed ? undefined : this.#initializeRequest,
    );
  }
}

/** Returns the value. Rejects if the signal aborts first. */
function abortable<T>(signal: AbortSignal, value: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    value.then(resolve, reject);
  });
}

function listChanged(list: ListName): Message {
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
}

function disconnected(): ToolkitError {
  return new ToolkitError('ABORTED', 'The client has closed its connection.');
}
