import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '../../../../shared/mcp-sdk/client.ts';
import type { ChildServer } from './child-server.ts';

/** Client side of stdio for a process that already runs. The SDK's own transport starts the process with a package that cannot be bundled. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: ChildServer;
  readonly #buffer = new ReadBuffer();

  constructor(server: ChildServer) {
    this.#server = server;
    // Keeps output that arrives before `start`: execa would discard it.
    server.output.pause();
  }

  async start(): Promise<void> {
    this.#server.output.on('data', (chunk: Buffer) => this.#read(chunk)).resume();
    void this.#server.ended.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#server.input.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#server.input.end();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) this.onmessage?.(message);
    } catch (error) {
      // Standard output holds something other than the protocol.
      this.onerror?.(error as Error);
      void this.#server.end();
    }
  }
}
