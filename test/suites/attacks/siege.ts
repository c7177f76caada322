import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { token } from './attack-server.ts';

export interface SiegeOptions {
  /** Connections at the same time. @default 600 */
  readonly count?: number;
  /** The address that a connection comes from. @default that of the system */
  readonly from?: (index: number) => string;
  /** Runs when a connection is open. */
  begin(socket: Socket): void;
  /** Reads nothing of what comes back. @default false */
  readonly isDeaf?: boolean;
}

/** Connections of strangers to a server, each renewed when it is closed, until the siege ends. */
export class Siege {
  readonly #options: SiegeOptions;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #opened = 0;
  #isOver = false;
  #onOpened: () => void = () => {};

  private constructor(port: number, options: SiegeOptions) {
    this.#port = port;
    this.#options = options;
  }

  /** Resolves when as many have been opened as there are to be, also where some of them are closed by then. */
  static async begin(port: number, options: SiegeOptions): Promise<Siege> {
    const siege = new Siege(port, options);
    const { count = 600 } = options;
    await new Promise<void>((resolve) => {
      siege.#onOpened = () => {
        if (siege.#opened >= count) resolve();
      };
      for (let index = 0; index < count; index++) siege.#open(index);
    });
    return siege;
  }

  end(): void {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(index: number): void {
    const { from, begin, isDeaf = false } = this.#options;
    const localAddress = from?.(index);
    const socket = connect({ port: this.#port, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) });
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('connect', () => {
      this.#opened++;
      this.#onOpened();
      begin(socket);
    });
    if (!isDeaf) socket.resume();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (!this.#isOver) this.#open(index);
    });
  }
}

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } },
};

/** How often a client comes again: it and the strangers share the loop of this process, so its request may come late behind theirs. */
const attempts = 20;

/** The status line that a client with a token gets, on a connection of its own; rejects where each is broken. */
export async function served(port: number, options: { readonly isSecure?: boolean } = {}): Promise<string> {
  for (let attempt = 1; attempt < attempts; attempt++) {
    const line = await visit(port, options).catch(() => undefined);
    if (line !== undefined) return line;
  }
  return visit(port, options);
}

function visit(port: number, { isSecure = false }): Promise<string> {
  const body = JSON.stringify(hello);
  const request = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    const where = { port, host: '127.0.0.1' };
    const socket = isSecure
      ? connectSecurely({ ...where, rejectUnauthorized: false }, () => socket.write(request))
      : connect(where, () => socket.write(request));
    let text = '';
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.once('error', reject).once('close', () => {
      const [line] = text.split('\r\n');
      if (line === undefined || line === '') reject(new Error('the connection was closed without an answer'));
      else resolve(line);
    });
  });
}
