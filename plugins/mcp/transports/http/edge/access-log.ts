import { createWriteStream, type WriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logger, messageOf } from '../../../../../kernel/index.ts';

/** Characters that may wait for the disk; lines beyond are left out, and counted. */
const maxWaiting = 1024 * 1024;

const maxPath = 200;

export interface AccessLogOptions {
  /** The file, which is made with mode 0600; undefined writes to the log of the server. */
  readonly file: string | undefined;
  readonly logger: Logger;
  readonly mask: (text: string) => string;
}

/**
 * Writes one line of JSON for each request when its answer has gone, or its connection: time, address, method, path, status, duration and caller.
 * Neither a token nor anything of a query or body is in it.
 */
export class AccessLog {
  readonly #options: AccessLogOptions;
  #stream: WriteStream | undefined;
  #left = 0;

  constructor(options: AccessLogOptions) {
    this.#options = options;
    this.reopen();
  }

  /** Follows a request to its end. `callerOf`: its caller, where its token was right. */
  follow(request: IncomingMessage, response: ServerResponse, callerOf: () => string | undefined): void {
    const startedAt = performance.now();
    const time = new Date().toISOString();
    const { method, socket } = request;
    const address = socket.remoteAddress;
    const path = (request.url ?? '').split(/[?#]/, 1)[0] ?? '';
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

  /** Goes on in a new file where somebody has moved the one that is written. */
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
    if (this.#stream.writableLength > maxWaiting) {
      this.#left++;
      return;
    }
    const lost = this.#left === 0 ? {} : { left_out_before: this.#left };
    this.#left = 0;
    this.#stream.write(`${JSON.stringify({ ...line, ...lost })}\n`);
  }
}
