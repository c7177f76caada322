import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { reserveStdout } from '../../../shared/reserve-stdout.ts';
import type { ProtocolOptions } from '../../protocol/connection.ts';
import { createProtocolServer } from '../../protocol/protocol-server.ts';

/** Serves one client on standard input and output; without an `output` that the host has reserved, it is reserved here. */
export async function serveStdio(
  options: ProtocolOptions,
  given: Writable | undefined,
): Promise<{ ended: Promise<void>; stop(): Promise<void> }> {
  const output = given === undefined ? reserveStdout() : { stream: given, release: () => {} };
  const server = createProtocolServer(options, 'default');
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // A reader that has gone away.
    output.stream.once('error', () => resolve());
  });
  await server.connect(new GatheringTransport(process.stdin, output.stream));
  return {
    ended,
    async stop() {
      await server.close();
      process.stdin.pause();
      output.release();
    },
  };
}

/** Sends what is said in one turn of the event loop in one piece: each write is a system call that wakes the client. */
class GatheringTransport extends StdioServerTransport {
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.#output = output;
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#output.writableCorked === 0) {
      this.#output.cork();
      process.nextTick(() => this.#output.uncork());
    }
    return super.send(message);
  }
}
