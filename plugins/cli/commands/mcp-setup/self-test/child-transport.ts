import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ChildServer } from './child-server.ts';

/** The client's side of stdio. The library's own starts the process itself, by a package that does not bear to be bundled. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: ChildServer;
  readonly #buffer = new ReadBuffer();

  constructor(server: ChildServer) {
    this.#server = server;
    // What the server says before `start` is kept: execa throws away what nobody reads.
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
      // Something else than the protocol on standard output.
      this.onerror?.(error as Error);
      void this.#server.end();
    }
  }
}
