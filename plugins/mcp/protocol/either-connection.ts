import { ClientConnection } from './client-connection.ts';
import type { Peer, ProtocolOptions } from './connection.ts';
import type { Message } from './messages.ts';
import { hasEnvelope } from './modern/envelope.ts';
import { ModernConnection } from './modern/modern-connection.ts';
import type { Wire } from './wire.ts';

/** One client on one wire, whose messages tell of which era they are: a request either says who asks, or belongs to the session that `initialize` opened. */
export class EitherConnection {
  readonly #parts: readonly [ProtocolOptions, Peer, Wire];
  #legacy: ClientConnection | undefined;
  #modern: ModernConnection | undefined;

  constructor(options: ProtocolOptions, peer: Peer, wire: Wire) {
    this.#parts = [options, peer, wire];
  }

  /** Takes the next message of the client: one whose envelope was checked. */
  receive(message: Message): void {
    const isModern = 'method' in message && hasEnvelope(message.params);
    if (isModern) {
      this.#modern ??= new ModernConnection(...this.#parts);
      this.#modern.receive(message);
      return;
    }
    // It may say nothing but the id of a request of either era.
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#modern?.receive(message);
      this.#legacy?.receive(message);
      return;
    }
    this.#legacy ??= new ClientConnection(...this.#parts);
    this.#legacy.receive(message);
  }

  /** Ends what runs for the client. */
  async close(): Promise<void> {
    this.#modern?.close();
    await this.#legacy?.close();
  }
}
