import type { Queue } from 'bullmq';
import { excerpt, type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import { closeTimeoutMs, connectionOf, queueClosed, queueNameOf } from './connection.ts';
import { DatabaseSockets } from './database-sockets.ts';
import type { BullMq } from './load-bullmq.ts';

const connections = 3;

/** Events of BullMQ that its table keeps. None of ours reads them. */
const maxEvents = 1000;

export interface ServerQueueOptions {
  readonly bullmq: () => Promise<BullMq>;
  readonly logger: Logger;
}

/** Error of work that had no answer in time, and was given up. */
export class SilentServer extends Error {}

/** A BullMQ queue on one server, opened on first use. */
export class ServerQueue {
  /** URL of the server. */
  readonly url: string;
  readonly #setId: string;
  readonly #options: ServerQueueOptions;
  readonly #queue = new LazyResource(() => this.#connect());
  readonly #sockets = new DatabaseSockets();

  constructor(setId: string, url: string, options: ServerQueueOptions) {
    this.#setId = setId;
    this.url = url;
    this.#options = options;
  }

  /**
   * Does work in the queue. Its connections have the limit of a migration: they are destroyed when the answer takes longer than `answerMs`, and
   * the work rejects with SilentServer.
   */
  async request<T>(work: (queue: Queue) => Promise<T>, answerMs: number): Promise<T> {
    let isSilent = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      const queue = await this.#queue.get();
      timer = setTimeout(() => {
        isSilent = true;
        this.#sockets.destroy();
      }, answerMs);
      return await work(queue);
    } catch (error) {
      this.#sockets.replaceAfter(error);
      throw isSilent ? new SilentServer('the server did not answer in time', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const queue = await this.#queue.close(queueClosed());
    if (queue !== undefined) await this.#sockets.close(queue.close(), closeTimeoutMs);
  }

  async #connect(): Promise<Queue> {
    const { bullmq, logger } = this.#options;
    const { Queue, createPostgresBackend } = await bullmq();
    const connection = connectionOf(this.url, { sockets: this.#sockets, max: connections, migrate: true });
    const queue = new Queue(queueNameOf(this.#setId), { connection, streams: { events: { maxLen: maxEvents } } }, createPostgresBackend);
    queue.on('error', (error) => logger.debug(`BullMQ: ${excerpt(messageOf(error))}`));
    try {
      await queue.waitUntilReady();
      return queue as unknown as Queue;
    } catch (error) {
      await queue.close().catch(() => {});
      throw error;
    }
  }
}
