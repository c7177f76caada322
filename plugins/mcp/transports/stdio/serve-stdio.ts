import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { reserveStdout } from '../../../shared/process/reserve-stdout.ts';
import type { ProtocolOptions } from '../../protocol/connection.ts';
import { createProtocolServer } from '../../protocol/protocol-server.ts';
import { LineGate } from './line-gate.ts';

/** Serves one client on standard input and output. Where the host has not reserved standard output, it is reserved here. */
export async function serveStdio(
  options: ProtocolOptions,
  reserved: Writable | undefined,
): Promise<{ ended: Promise<void>; stop(): Promise<void> }> {
  const output = reserved === undefined ? reserveStdout() : { stream: reserved, release: () => {} };
  const server = createProtocolServer(options, { caller: 'default', tenant: 'default' });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // The client no longer reads.
    output.stream.once('error', () => resolve());
  });
  const gate: LineGate = new LineGate((refusal) => void transport.send(refusal as JSONRPCMessage));
  const transport = new GatheringTransport(process.stdin.pipe(gate), output.stream);
  await server.connect(transport);
  return {
    ended,
    async stop() {
      await server.close();
      process.stdin.unpipe(gate).pause();
      output.release();
    },
  };
}

/**
 * Writes all messages of one turn of the event loop at once, because each write is a system call that wakes the client. What waits for a
 * client that reads slowly waits together: the SDK adds a listener for each message.
 */
class GatheringTransport extends StdioServerTransport {
  readonly #output: Writable;
  #drained: Promise<void> | undefined;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.#output = output;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#output.writableCorked === 0) {
      this.#output.cork();
      process.nextTick(() => this.#output.uncork());
    }
    if (!this.#output.write(serializeMessage(message))) await this.#drain();
  }

  #drain(): Promise<void> {
    this.#drained ??= new Promise((resolve) => {
      this.#output.once('drain', () => {
        this.#drained = undefined;
        resolve();
      });
    });
    return this.#drained;
  }
}
