import type { Server } from 'node:http';
import { messageOf, ToolkitError } from '../../../../kernel/index.ts';

/** The address of a server, and its words in errors. */
export interface ListenOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** Begins the sentence of an error: `The console cannot listen`. */
  readonly failure: string;
  /** The options of the address, as messages name them: `--port`. */
  readonly options: { readonly port: string; readonly host: string };
}

/** Starts to listen. Throws CONFIG_INVALID, which says whether to change the port or the host. */
export async function listen(server: Server, options: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
}

function listenError(error: NodeJS.ErrnoException, { port, host, failure, options }: ListenOptions): ToolkitError {
  const advice: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use. Stop the other program, or choose another with ${options.port}`,
    EACCES: `port ${port} may not be used by this account. Choose one above 1023 with ${options.port}`,
    EADDRNOTAVAIL: `this machine has no address "${host}". Correct ${options.host}`,
    ENOTFOUND: `the name "${host}" has no address. Correct ${options.host}`,
  };
  const what = advice[error.code ?? ''] ?? messageOf(error);
  return new ToolkitError('CONFIG_INVALID', `${failure} on ${host}:${port}: ${what}.`, { port, host }, { cause: error });
}
