import { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createProtocolServer, type ProtocolOptions } from './protocol.ts';

/** Serves one client on standard input and output. */
export async function serveStdio(options: ProtocolOptions): Promise<{ ended: Promise<void>; stop(): Promise<void> }> {
  const output = reserveStdout();
  const server = createProtocolServer(options);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
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

/** Keeps standard output for the protocol: whatever else is printed there, by a tool or a library, goes to standard error. */
function reserveStdout(): { stream: Writable; release(): void } {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const stream = new Writable({ write: (chunk, encoding, callback) => void write(chunk, encoding, callback) });
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  return {
    stream,
    release: () => {
      stdout.write = write as typeof stdout.write;
    },
  };
}
