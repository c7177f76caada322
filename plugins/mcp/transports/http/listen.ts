import type { Server } from 'node:http';
import { ToolkitError } from '../../../../kernel/index.ts';

/** Starts to listen. Throws CONFIG_INVALID, which says whether to change the port or the host. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): ToolkitError {
  const advice: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use. Stop the other program, or choose another with --port`,
    EACCES: `port ${port} may not be used by this account. Choose one above 1023 with --port`,
    EADDRNOTAVAIL: `this machine has no address "${host}". Correct --host`,
    ENOTFOUND: `the name "${host}" has no address. Correct --host`,
  };
  return new ToolkitError(
    'CONFIG_INVALID',
    `The MCP server cannot listen on ${host}:${port}: ${advice[error.code ?? ''] ?? error.message}.`,
    { port, host },
    { cause: error },
  );
}
