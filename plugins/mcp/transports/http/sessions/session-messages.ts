import type { Wire } from '../../../../shared/json-rpc/message.ts';
import { errorCodes, type Message, type Request, type RequestId } from '../../../../shared/json-rpc/message.ts';
import type { LogLevel } from '../../../../shared/mcp-sdk/types.ts';
import type { ClientIdentity, ProtocolOptions } from '../../../protocol/clients/connection.ts';
import { SessionClient } from '../../../protocol/clients/session-client.ts';
import type { SessionStreams } from './session-streams.ts';
import { isSetting, SessionSettings } from './shared/session-settings.ts';
import type { SharedSession } from './shared/shared-session.ts';

type Sent = Parameters<Wire['send']>;

export interface SessionMessagesOptions {
  readonly protocol: ProtocolOptions;
  readonly peer: ClientIdentity;
  /** Handle on the session, where other processes have it too. */
  readonly shared?: SharedSession | undefined;
  /** Settings that the client made at other processes. */
  readonly settings?: ReadonlyMap<string, Request>;
}

/** Passes a client's messages to their handlers, which may be in another process, and the responses back. */
export class SessionMessages {
  readonly #streams: SessionStreams;
  readonly #shared: SharedSession | undefined;
  readonly #connection: SessionClient;
  readonly #settings: SessionSettings;
  /** Requests for a setting, until it is stored for other processes. */
  readonly #setting = new Map<RequestId, Request>();

  constructor({ protocol, peer, shared, settings: kept }: SessionMessagesOptions, streams: SessionStreams) {
    this.#streams = streams;
    this.#shared = shared;
    this.#settings = new SessionSettings(kept);
    const wire = shared === undefined ? streams : { send: (...sent: Sent) => this.#send(shared, ...sent) };
    this.#connection = new SessionClient(protocol, peer, wire);
  }

  /** Version agreed on in `initialize`. */
  get version(): string | undefined {
    return this.#connection.protocolVersion;
  }

  /** URIs of the client's resource subscriptions, where other processes have the session too. */
  get subscribed(): readonly string[] {
    return this.#settings.subscribed;
  }

  /** Resumes a session that another server opened with this request. */
  resume(initializeRequest: Request): void {
    this.#connection.resume(initializeRequest, this.#shared === undefined);
    for (const request of this.#settings.all) this.#set(request);
  }

  notifyAllLists(): void {
    this.#connection.notifyAllLists();
  }

  /** Handles a request of the client. `scopes`: see `Exchange`. */
  ask(message: Request, scopes: readonly string[] | undefined): void {
    if (this.#shared !== undefined && isSetting(message)) this.#setting.set(message.id, message);
    this.#connection.receive(message, scopes);
  }

  /** Handles a notification or a response of the client. A promise where it is for another process. */
  receive(message: Message): void | Promise<void> {
    const shared = this.#shared;
    const cancelled = cancelledBy(message);
    if (!('method' in message) && message.id !== undefined) this.#streams.onAnswer(message.id);
    if (shared === undefined || (cancelled !== undefined && this.#streams.has(cancelled))) this.onMessage(message);
    else if (cancelled !== undefined) return shared.cancel(message as Parameters<SharedSession['cancel']>[0]);
    else if (!('method' in message) && message.id !== undefined)
      return shared.incoming(message as Message & { id: RequestId }).then((own) => {
        if (own !== undefined) this.#connection.receive(own);
      });
    else this.#connection.receive(message);
    return undefined;
  }

  /** Handles a notification or a response for this process, even if it arrived at another one. */
  onMessage(message: Message): void {
    if (this.#shared !== undefined && !('method' in message)) this.#streams.onAnswer(`${this.#shared.label}-${message.id}`);
    this.#connection.receive(message);
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#streams.drop(cancelled);
  }

  /** Cancels a request whose client no longer waits. The client may still ask for its stream. */
  cancel(params: { readonly requestId: RequestId; readonly reason: string }): void {
    this.#connection.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  /** Applies a setting that the client made, or removed, at another process. */
  change(name: string, request: Request | undefined): void {
    const toMake = this.#settings.change(name, request);
    if (toMake !== undefined) this.#set(toMake);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Repeats a request that the client made at another process. */
  #set(request: Request): void {
    if (request.method === 'logging/setLevel') this.#connection.logLevel = request.params?.['level'] as LogLevel;
    else this.#connection.receive(request);
  }

  /** Sends a message to a client whose session other processes have too. */
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
    // The response waits until the setting is stored for all processes.
    shared.storeSetting(setting).then(
      () => this.#streams.send(message, request),
      () => this.#streams.send({ jsonrpc: '2.0', id: setting.id, error: notStoredError }, request),
    );
  }
}

function cancelledBy(message: Message): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  return message.params?.['requestId'] as RequestId | undefined;
}

/** Error for a setting that cannot be stored for other processes. */
const notStoredError = {
  code: errorCodes.internal,
  message: 'The setting was not stored, because the store cannot be reached. Try again later.',
};
