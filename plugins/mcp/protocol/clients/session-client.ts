import { type Exposure, type ExposureChoice, exposureFor } from '../../../shared/exposure/exposure.ts';
import { isRequest, type Message, type Request, type RequestId, type Wire } from '../../../shared/json-rpc/message.ts';
import { Incoming, Peer } from '../../../shared/json-rpc/peer.ts';
import type { LogLevel } from '../../../shared/mcp-sdk/types.ts';
import { checkedAnswer } from '../asking/client-answer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type ListName, listNames } from '../catalog/catalog-lists.ts';
import { clientIn, initializeError } from '../methods/lifecycle.ts';
import { answerRequest, findMethod } from '../methods/methods.ts';
import { negotiateRevision, type Revision } from '../revisions.ts';
import type { Arrival } from './arrival.ts';
import { cancellation, cancelledBy } from './cancellation.ts';
import type { ClientIdentity, ClientState, Connection, ProtocolOptions } from './connection.ts';
import type { ClientAnswer, Exchange, Question } from './exchange.ts';
import { withSpan } from './request-span.ts';
import type { Shares } from './shares.ts';
import { Subscriptions } from './subscriptions.ts';

/** Client with a session, which `initialize` opens (MCP up to 2025-11-25). */
export class SessionClient implements Connection {
  readonly catalog: Catalog;
  readonly version: string;
  readonly pageSize: number;
  readonly shares: Shares;
  readonly tasks: ProtocolOptions['tasks'];
  readonly caller: string;
  readonly tenant: string;
  logLevel: LogLevel | undefined = 'info';
  readonly #expose: ExposureChoice;
  readonly #wire: Wire;
  readonly #peer: Peer;
  readonly #stopAnnouncing: () => void;
  #revision: Revision | undefined;
  #client: ClientState = { capabilities: {} };
  #subscriptions: Subscriptions | undefined;
  #isClosed = false;

  constructor(
    { catalog, expose, version, pageSize, shares, tasks }: ProtocolOptions,
    { caller, tenant }: ClientIdentity,
    wire: Wire,
    peer = new Peer({ wire, cancellation }),
  ) {
    this.catalog = catalog;
    this.version = version;
    this.pageSize = pageSize;
    this.shares = shares;
    this.tasks = tasks;
    this.caller = caller;
    this.tenant = tenant;
    this.#expose = expose;
    this.#wire = wire;
    this.#peer = peer;
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

  /** The revision agreed on in `initialize`; the newest with sessions before. */
  get revision(): Revision {
    return this.#revision ?? negotiateRevision(undefined);
  }

  /** Version agreed on in `initialize`; undefined before. */
  get protocolVersion(): string | undefined {
    return this.#revision?.version;
  }

  get subscriptions(): Subscriptions {
    this.#subscriptions ??= new Subscriptions(
      this.catalog,
      () => this.shares.take(this.tenant, 'subscriptions'),
      (uri) => this.#wire.send({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
    );
    return this.#subscriptions;
  }

  /** Handles the client's next message, whose form has been checked. */
  receive(message: Message, arrival: Arrival = {}): void {
    if (this.#isClosed) return;
    if (isRequest(message)) this.#answer(message, arrival);
    else if (!('method' in message)) this.#peer.receive(message);
    else {
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) this.#peer.cancel(cancelled, message.params?.['reason']);
    }
  }

  /**
   * Resumes a session that another server began with this `initialize` request.
   * `hasEnded`: true when that server has ended since and the client has its lists.
   */
  resume(initializeRequest: Request, hasEnded: boolean): void {
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
    this.#subscriptions?.close();
    this.#peer.close();
  }

  #handleInitialize(request: Request): void {
    if (initializeError(request.params) === undefined) this.#revision = negotiateRevision(request.params?.['protocolVersion']);
    this.#client = clientIn(request);
  }

  #answer(request: Request, arrival: Arrival): void {
    const { id, method } = request;
    if (method === 'initialize') this.#handleInitialize(request);
    const exchange: Exchange = new Incoming(id, this.#wire, {
      arrival,
      ask: (question, signal) => this.#ask(question, id, signal),
      notifyClient: (name, params) => this.#notify(name, params, id),
    });
    const answer = (): object | Promise<object> => answerRequest(findMethod(this.revision, method), this, request, exchange);
    const { tracer } = this.catalog.kernel;
    this.#peer.run(exchange, tracer === undefined ? answer : () => withSpan({ tracer, connection: this, request, exchange }, answer));
  }

  /** Sends the client a question that belongs to one of its running requests. */
  async #ask({ method, params }: Question, request: RequestId, signal: AbortSignal): Promise<ClientAnswer> {
    return checkedAnswer(method, await this.#peer.ask(method, params, { signal, request }));
  }

  /** Notifies the client: with the request while that runs, else on the stream of the session. */
  #notify(method: string, params: Readonly<Record<string, unknown>>, request: RequestId): void {
    if (!this.#isClosed) this.#wire.send({ jsonrpc: '2.0', method, params }, this.#peer.isRunning(request) ? request : undefined);
  }
}

function listChanged(list: ListName): Message {
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
}
