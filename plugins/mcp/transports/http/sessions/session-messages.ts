import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { ClientConnection } from '../../../protocol/client-connection.ts';
import type { Peer, ProtocolOptions } from '../../../protocol/connection.ts';
import { errorCodes, type Message, type Request, type RequestId } from '../../../protocol/messages.ts';
import type { Wire } from '../../../protocol/wire.ts';
import type { SessionStreams } from './session-streams.ts';
import { KeptRequests, setsSomething } from './shared/kept-requests.ts';
import type { SharedSession } from './shared/shared-session.ts';

type Sent = Parameters<Wire['send']>;

export interface SessionMessagesOptions {
  readonly protocol: ProtocolOptions;
  readonly peer: Peer;
  /** Where other processes have the session too. */
  readonly shared?: SharedSession | undefined;
  /** What its client has set at other processes. */
  readonly kept?: ReadonlyMap<string, Request>;
}

/** The messages of a client: to what answers them, which may be in another process that has the session, and back. */
export class SessionMessages {
  readonly #streams: SessionStreams;
  readonly #shared: SharedSession | undefined;
  readonly #connection: ClientConnection;
  readonly #settings: KeptRequests;
  /** Requests that set something, until other processes are told. */
  readonly #setting = new Map<RequestId, Request>();

  constructor({ protocol, peer, shared, kept }: SessionMessagesOptions, streams: SessionStreams) {
    this.#streams = streams;
    this.#shared = shared;
    this.#settings = new KeptRequests(kept);
    const wire = shared === undefined ? streams : { send: (...sent: Sent) => this.#send(shared, ...sent) };
    this.#connection = new ClientConnection(protocol, peer, wire);
  }

  /** The version that its `initialize` agreed on. */
  get version(): string | undefined {
    return this.#connection.protocolVersion;
  }

  /** URIs of the resources that the client has subscribed to, where other processes have the session too. */
  get subscribed(): readonly string[] {
    return this.#settings.subscribed;
  }

  /** Goes on with a session that another server has opened with this request. */
  revive(opening: Request): void {
    this.#connection.revive(opening, this.#shared === undefined);
    for (const request of this.#settings.all) this.#set(request);
  }

  announceAll(): void {
    this.#connection.announceAll();
  }

  /** A request of the client. `scopes`: see `Exchange`. */
  ask(message: Request, scopes: readonly string[] | undefined): void {
    if (this.#shared !== undefined && setsSomething(message)) this.#setting.set(message.id, message);
    this.#connection.receive(message, scopes);
  }

  /** A notification of the client, or its answer. A promise where it is for another process. */
  receive(message: Message): void | Promise<void> {
    const shared = this.#shared;
    const cancelled = cancelledBy(message);
    if (!('method' in message) && message.id !== undefined) this.#streams.answered(message.id);
    if (shared === undefined || (cancelled !== undefined && this.#streams.has(cancelled))) this.hear(message);
    else if (cancelled !== undefined) return shared.cancel(message as Parameters<SharedSession['cancel']>[0]);
    else if (!('method' in message) && message.id !== undefined)
      return shared.incoming(message as Message & { id: RequestId }).then((own) => {
        if (own !== undefined) this.#connection.receive(own);
      });
    else this.#connection.receive(message);
    return undefined;
  }

  /** The same of one that is for this process, whichever it came to. */
  hear(message: Message): void {
    if (this.#shared !== undefined && !('method' in message)) this.#streams.answered(`${this.#shared.label}-${message.id}`);
    this.#connection.receive(message);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#streams.drop(cancelled);
  }

  /** Ends a request whose client does not wait any more. It may still ask for its stream. */
  cancel(params: { readonly requestId: RequestId; readonly reason: string }): void {
    this.#connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  /** The client has set something at another process, or taken it back. */
  change(name: string, request: Request | undefined): void {
    const toMake = this.#settings.change(name, request);
    if (toMake !== undefined) this.#set(toMake);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Makes a request of the client that it has made at another process. */
  #set(request: Request): void {
    if (request.method === 'logging/setLevel') this.#connection.logLevel = request.params?.['level'] as LoggingLevel;
    else this.#connection.receive(request);
  }

  /** What goes to a client that other processes know as well. */
  #send(shared: SharedSession, ...[message, request]: Sent): void {
    const setting = request === undefined || 'method' in message ? undefined : this.#setting.get(request);
    if (setting === undefined) {
      this.#streams.send(shared.outgoing(message), request);
      return;
    }
    this.#setting.delete(setting.id);
    if (!('result' in message)) {
      this.#streams.send(message, request);
      return;
    }
    this.#settings.add(setting);
    // The client is told that it holds when it holds everywhere.
    shared.keep(setting).then(
      () => this.#streams.send(message, request),
      () => this.#streams.send({ jsonrpc: '2.0', id: setting.id, error: notKept }, request),
    );
  }
}

function cancelledBy(message: Message): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** What a client is told that has set something which other processes cannot be told. */
const notKept = { code: errorCodes.internal, message: 'This was not remembered, because the store cannot be reached. Try again later.' };
