import type { Writable } from 'node:stream';
import type { WorkOptions } from '../durable/work-options.ts';

/** A running transport. */
export interface RunningServer {
  readonly name: string;
  /** The URL of the server, if it has an address. */
  readonly url?: string;
  /** The bearer token that the server accepts. */
  readonly token?: string;
  /** Resolves when the server ends by itself, such as stdio at the end of its input. */
  readonly ended?: Promise<void>;
  /** Time for running calls to end when the host stops, in milliseconds. @default 1000 */
  readonly drainMs?: number;
  /** Announces the stop to the senders of requests, and goes on serving. Resolves when they have had time to notice; then the kernel closes. */
  leave?(): Promise<void>;
}

export interface ServeOptions {
  /** Standard output, if the host keeps it free of other prints. */
  readonly output?: Writable;
  /** Options of a worker process: it runs durable calls and takes no requests, and transports do not start. */
  readonly work?: WorkOptions;
}

export interface ServeSink extends ServeOptions {
  started(server: RunningServer): void;
}
