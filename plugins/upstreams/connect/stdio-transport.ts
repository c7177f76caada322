import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { excerpt, isPlainObject, type Logger, readJson, ToolkitError } from '../../../kernel/index.ts';
import { LineGate, readLines } from '../../shared/json-rpc/lines.ts';
import type { CountChild } from '../gauges.ts';
import { logErrorOutput } from './error-output.ts';
import { MessageRate } from './message-rate.ts';
import { NotSentError } from './not-sent-error.ts';
import { printable } from './printable.ts';
import { ServerProcess, type ServerProcessOptions } from './server-process.ts';

/** Limit of one message, in bytes. */
const maxMessageBytes = 32 * 1024 * 1024;

/** Bytes that are no message, after which a server is ended. */
const maxNoiseBytes = 4 * 1024 * 1024;

export interface StdioTransportOptions extends ServerProcessOptions {
  /** The name of the server, for the log. */
  readonly name: string;
  readonly logger: Logger;
  /** Called with the end of the process that has begun. */
  readonly onStart?: CountChild | undefined;
}

/**
 * The transport to a server on standard input and output (MCP, Transports, stdio). Lines that are no messages are logged and dropped; a server
 * that writes little else is ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** By these two members the client knows a transport on standard input and output. */
  readonly stderr = null;
  pid: number | null = null;
  /** The end of the server's error output, for messages. */
  readonly errorOutput: { text: string } = { text: '' };
  readonly #options: StdioTransportOptions;
  readonly #rate = new MessageRate();
  #process: ServerProcess | undefined;
  #starting: Promise<ServerProcess> | undefined;
  #noise = 0;
  #isClosed = false;
  #isWorking = true;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#starting !== undefined) throw new Error('The transport was started twice.');
    this.#starting = ServerProcess.start(this.#options);
    const server = await this.#starting;
    this.#options.onStart?.(server.ended);
    this.#process = server;
    this.pid = server.pid;
    server.keepAliveWhile(this.#isWorking);
    const { name, logger } = this.#options;
    logErrorOutput(server.errors, name, logger, this.errorOutput);
    const gate = new LineGate({
      maxBytes: maxMessageBytes,
      refuse: ({ problem }) => this.#onNoise(maxNoiseBytes, `a line that ${problem}`),
    });
    readLines(server.output, gate, (line) => this.#onLine(line));
    void server.ended.then(() => {
      gate.destroy();
      this.#closed();
    });
    if (this.#isClosed) await server.end();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#process?.input;
    const { name } = this.#options;
    if (input === undefined || !input.writable) throw new NotSentError(name);
    // Of a line behind which nothing waits, a failed write has left the end out: the server cannot have read it.
    const isAlone = input.writableLength === 0;
    // Written at once, so that messages keep their order.
    await new Promise<void>((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(isAlone ? new NotSentError(name, error) : error);
      });
    });
  }

  /** Resolves when the process has ended and is reaped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const server = await this.#starting?.catch(() => undefined);
    await server?.end();
    this.#closed();
  }

  keepAliveWhile(isWorking: boolean): void {
    this.#isWorking = isWorking;
    this.#process?.keepAliveWhile(isWorking);
  }

  #closed(): void {
    const { onclose } = this;
    delete this.onclose;
    onclose?.();
  }

  #onLine(line: string): Promise<void> | undefined {
    const message = messageIn(line);
    if (message === undefined) {
      if (line.trim() !== '') this.#onNoise(Buffer.byteLength(line), line);
      return undefined;
    }
    this.#noise = 0;
    this.onmessage?.(message);
    return this.#rate.count();
  }

  #onNoise(bytes: number, shown: string): void {
    const { name, logger } = this.#options;
    if (this.#noise === 0)
      logger.debug(`the MCP server "${name}" wrote a line that is no message`, { line: excerpt(printable(shown), 200) });
    this.#noise += bytes;
    if (this.#noise < maxNoiseBytes) return;
    this.onerror?.(
      new ToolkitError('UPSTREAM_UNAVAILABLE', `The MCP server "${name}" floods its output with what is no message, and was ended.`),
    );
    this.#process?.kill();
  }
}

function messageIn(line: string): JSONRPCMessage | undefined {
  if (!line.includes('"jsonrpc"')) return undefined;
  try {
    const value = readJson(line);
    return isPlainObject(value) && value['jsonrpc'] === '2.0' ? (value as unknown as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
