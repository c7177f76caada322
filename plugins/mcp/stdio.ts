import type { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { reserveStdout } from '../shared/reserve-stdout.ts';
import { createProtocolServer, type ProtocolOptions } from './protocol.ts';

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
  await server.connect(new StdioServerTransport(process.stdin, output.stream));
  return {
    ended,
    async stop() {
      await server.close();
      process.stdin.pause();
      output.release();
    },
  };
}
