import { ToolkitError } from '../../../../kernel/index.ts';
import { errorCodes, isRequest, type Message, type RequestId } from '../../../shared/json-rpc/message.ts';
import { RequestsInFlight } from '../../../shared/json-rpc/requests-in-flight.ts';
import type { Wire } from '../../../shared/json-rpc/wire.ts';
import { errorMember, ProtocolError, toProtocolError } from '../protocol-error.ts';
import type { Peer, ProtocolOptions } from './connection.ts';
import { hasEnvelope } from './envelope.ts';
import { ModernConnection } from './request-client.ts';
import { ClientConnection } from './session-client.ts';

/** Connection of a client that may use either era: each message describes its client, or belongs to the session that `initialize` opened. */
export class DualEraConnection {
  readonly #options: ProtocolOptions;
  readonly #peer: Peer;
  readonly #wire: Wire;
  readonly #inFlight = new RequestsInFlight();
  #legacy: ClientConnection | undefined;
  #modern: ModernConnection | undefined;

  constructor(options: ProtocolOptions, peer: Peer, wire: Wire) {
    this.#options = options;
    this.#peer = peer;
    this.#wire = wire;
  }

  /** Protocol version of the client's session; undefined without a session. */
  get version(): string | undefined {
    return this.#legacy?.protocolVersion;
  }

  /** True while a request with this id has no answer. */
  isRunning(id: RequestId): boolean {
    return this.#inFlight.has(id);
  }

  /** Handles the client's next message, whose envelope has been checked. */
  receive(message: Message): void {
    if (isRequest(message) && this.#inFlight.has(message.id)) {
      this.#refuse(message.id, new ProtocolError(errorCodes.invalidRequest, 'A request with this id is still running.'));
      return;
    }
    // A cancellation may hold only a request id, of either era.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId, reason } = message.params ?? {};
      this.#inFlight.cancel(requestId as RequestId, reason);
      return;
    }
    const isModern = 'method' in message && hasEnvelope(message.params);
    if (isModern) {
      this.#modern ??= new ModernConnection(this.#options, this.#peer, this.#wire, this.#inFlight);
      this.#modern.receive(message);
      return;
    }
    this.#legacy ??= new ClientConnection(this.#options, this.#peer, this.#wire, this.#inFlight);
    this.#legacy.receive(message);
  }

  /** Rejects all open and future questions: the client can answer no more. */
  refuseQuestions(): void {
    this.#inFlight.refuseQuestions();
  }

  /** Resolves when each request has its response. After `limitMs` the remaining requests get an error. */
  async drain(limitMs: number): Promise<void> {
    await this.#inFlight.drain(limitMs);
    const error = new ToolkitError(
      'ABORTED',
      'The server has stopped before this request was answered. Send it again where it may run twice.',
    );
    for (const [id] of this.#inFlight.entries()) {
      this.#inFlight.cancel(id, error);
      this.#refuse(id, toProtocolError(this.#options.catalog.kernel, error));
    }
  }

  #refuse(id: RequestId, error: ProtocolError): void {
    this.#wire.send({ jsonrpc: '2.0', id, error: errorMember(error) }, id);
  }

  /** Ends the client's running requests. */
  async close(): Promise<void> {
    this.#modern?.close();
    await this.#legacy?.close();
  }
}
