import { ToolkitError } from '../../../../kernel/index.ts';
import { errorCodes, isRequest, type Message, type Notification, type RequestId, type Wire } from '../../../shared/json-rpc/message.ts';
import { Peer } from '../../../shared/json-rpc/peer.ts';
import { errorObject, RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import { toRpcError } from '../errors.ts';
import { cancellation, cancelledBy } from './cancellation.ts';
import type { ClientIdentity, ProtocolOptions } from './connection.ts';
import { hasEnvelope } from './envelope.ts';
import { RequestClient } from './request-client.ts';
import { SessionClient } from './session-client.ts';

/** Client that may do both: each message describes its client, or belongs to the session that `initialize` opened. */
export class EitherClient {
  readonly #options: ProtocolOptions;
  readonly #identity: ClientIdentity;
  readonly #wire: Wire;
  readonly #peer: Peer;
  #session: SessionClient | undefined;
  #requests: RequestClient | undefined;

  constructor(options: ProtocolOptions, identity: ClientIdentity, wire: Wire) {
    this.#options = options;
    this.#identity = identity;
    this.#wire = wire;
    this.#peer = new Peer({ wire, cancellation });
  }

  /** Protocol version of the client's session; undefined without a session. */
  get version(): string | undefined {
    return this.#session?.protocolVersion;
  }

  /** True while a request with this id has no answer. */
  isRunning(id: RequestId): boolean {
    return this.#peer.isRunning(id);
  }

  /** Handles the client's next message, whose form has been checked. A cancellation may name a request of either kind. */
  receive(message: Message): void {
    if (isRequest(message) && this.#peer.isRunning(message.id)) {
      const error = errorObject(new RpcError(errorCodes.invalidRequest, 'A request with this id is still running.'));
      this.#wire.send({ jsonrpc: '2.0', id: message.id, error }, message.id);
      return;
    }
    const cancelled = isRequest(message) ? undefined : cancelledBy(message);
    if (cancelled !== undefined) this.#peer.cancel(cancelled, (message as Notification).params?.['reason']);
    else if ('method' in message && hasEnvelope(message.params)) {
      this.#requests ??= new RequestClient(this.#options, this.#identity, this.#wire, this.#peer);
      this.#requests.receive(message);
    } else {
      this.#session ??= new SessionClient(this.#options, this.#identity, this.#wire, this.#peer);
      this.#session.receive(message);
    }
  }

  /** Rejects all open and future questions: the client can answer no more. */
  refuseQuestions(): void {
    this.#peer.silence(new ToolkitError('ABORTED', 'The client has closed its input, so nobody answers what it is asked.'));
  }

  /** Resolves when each request has its response. After `limitMs` milliseconds the remaining requests get an error. */
  drain(limitMs: number): Promise<void> {
    return this.#peer.drain(limitMs, () => toRpcError(this.#options.catalog.kernel, stopped()));
  }

  /** Ends the client's running requests. */
  async close(): Promise<void> {
    this.#requests?.close();
    await this.#session?.close();
  }
}

function stopped(): ToolkitError {
  return new ToolkitError('ABORTED', 'The server has stopped before this request was answered. Send it again where it may run twice.');
}
