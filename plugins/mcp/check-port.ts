import { createServer } from 'node:net';
import type { Finding } from '../../kernel/index.ts';
import type { McpOptions } from './options.ts';

const check = 'Port';

/** Reports whether the HTTP transport could listen now. Does not find out which program uses the port. */
export async function checkPort({ port = 3000, host = '127.0.0.1' }: Pick<McpOptions, 'port' | 'host'>): Promise<Finding> {
  const address = `${host}:${port}`;
  const code = await tryListen(port, host);
  if (code === undefined) return { check, state: 'ok', message: `${address} is free` };
  const inUse = code === 'EADDRINUSE';
  return {
    check,
    state: 'warning',
    message: inUse ? `${address} is in use, perhaps by this very server` : `this program cannot listen on ${address} (${code})`,
    hint: inUse
      ? 'To serve over HTTP beside it, choose another with --port; 0 takes a free one.'
      : 'To serve over HTTP, choose others with --port and --host.',
  };
}

/** Returns the error code of an attempt to listen; undefined when it succeeds. */
async function tryListen(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
