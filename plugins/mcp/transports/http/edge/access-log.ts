import { createWriteStream, type WriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, messageOf } from '../../../../../kernel/index.ts';

/** Maximum number of characters that wait for the disk. Further lines are dropped and counted. */
const maxWaitingChars = 1024 * 1024;

const maxPath = 200;

export interface AccessLogOptions {
  /** Path of the file, created with mode 0600; undefined writes to the server's log. */
  readonly file: string | undefined;
  readonly logger: Logger;
  readonly mask: (text: string) => string;
  /** Returns the path to write in place of that of a request target; undefined for the path itself. */
  readonly replacedPath: (target: string | undefined) => string | undefined;
}

/**
 * Writes one line of JSON for each request when its response or its connection has ended: time, address, method, path, status,
 * duration and caller. Never writes a token, a query, a body, or what is below the route of a plugin.
 */
export class AccessLog {
  readonly #options: AccessLogOptions;
  #stream: WriteStream | undefined;
  #dropped = 0;

  constructor(options: AccessLogOptions) {
    this.#options = options;
    this.reopen();
  }

  /** Logs a request when it ends. `callerOf`: returns the caller of a request with a valid token. */
  follow(request: IncomingMessage, response: ServerResponse, callerOf: () => string | undefined): void {
    const startedAt = performance.now();
    const time = new Date().toISOString();
    const { method, socket } = request;
    const address = socket.remoteAddress;
    const path = this.#options.replacedPath(request.url) ?? (request.url ?? '').split(/[?#]/, 1)[0] ?? '';
    response.once('close', () => {
      this.#write({
        time,
        address,
        method,
        path: this.#options.mask(path).slice(0, maxPath),
        status: response.headersSent ? response.statusCode : undefined,
        duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
        caller: callerOf(),
        ...(response.writableFinished ? {} : { broken: true }),
      });
    });
  }

  /** Opens the file again, in case another process has moved it. */
  reopen(): void {
    const { file, logger } = this.#options;
    if (file === undefined) return;
    this.#stream?.end();
    const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
    stream.on('error', (error) => {
      if (this.#stream === stream) this.#stream = undefined;
      logger.error(`The access log "${file}" cannot be written: ${messageOf(error)}. It goes on after a reload.`);
    });
    this.#stream = stream;
  }

  close(): void {
    this.#stream?.end();
    this.#stream = undefined;
  }

  #write(line: Readonly<Record<string, unknown>>): void {
    const { file, logger } = this.#options;
    if (file === undefined) logger.info('request', line);
    if (this.#stream === undefined) return;
    if (this.#stream.writableLength > maxWaitingChars) {
      this.#dropped++;
      return;
    }
    const lost = this.#dropped === 0 ? {} : { left_out_before: this.#dropped };
    this.#dropped = 0;
    this.#stream.write(`${JSON.stringify({ ...line, ...lost })}\n`);
  }
}
