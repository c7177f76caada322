import { ToolkitError } from '../../../kernel/index.ts';
import { ClientConnection } from './client-connection.ts';
import type { Peer, ProtocolOptions } from './connection.ts';
import { RequestsInFlight } from './in-flight.ts';
import { errorCodes, isRequest, type Message, type RequestId } from './messages.ts';
import { hasEnvelope } from './modern/envelope.ts';
import { ModernConnection } from './modern/modern-connection.ts';
import { errorMember, ProtocolError, toProtocolError } from './protocol-error.ts';
import type { Wire } from './wire.ts';

/** One client on one wire, whose messages tell of which era they are: a request either says who asks, or belongs to the session that `initialize` opened. */
export class EitherConnection {
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

  /** The version of the session that the client has opened; undefined where it has opened none. */
  get version(): string | undefined {
    return this.#legacy?.protocolVersion;
  }

  /** True while a request with this id has no answer. */
  isRunning(id: RequestId): boolean {
    return this.#inFlight.has(id);
  }

  /** Takes the next message of the client: one whose envelope was checked. */
  receive(message: Message): void {
    if (isRequest(message) && this.#inFlight.has(message.id)) {
      this.#refuse(message.id, new ProtocolError(errorCodes.invalidRequest, 'A request with this id is still running.'));
      return;
    }
    // It may say nothing but the id of a request, of either era.
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

  /** Refuses what the client is asked, now and from now on: it can answer nothing any more. */
  refuseQuestions(): void {
    this.#inFlight.refuseQuestions();
  }

  /** Resolves when each request has its answer: an error, where it has none after so many milliseconds. */
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

  /** Ends what runs for the client. */
  async close(): Promise<void> {
    this.#modern?.close();
    await this.#legacy?.close();
  }
}
