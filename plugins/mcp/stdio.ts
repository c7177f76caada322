import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createProtocolServer, type ProtocolOptions } from './protocol.ts';
import { reserveStdout } from './reserve-stdout.ts';

/** Serves one client on standard input and output. */
export async function serveStdio(options: ProtocolOptions): Promise<{ ended: Promise<void>; stop(): Promise<void> }> {
  const output = reserveStdout();
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
