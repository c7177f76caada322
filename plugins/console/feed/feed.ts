import { type Kernel, type Logger, messageOf, type PluginApi } from '../../../kernel/index.ts';
import { LazyResource } from '../../shared/state/lazy-resource.ts';
import type { ConsoleEvent } from '../wire/events.ts';
import { EventsStream, type FeedClient } from './events-stream.ts';
import { Throttle } from './throttle.ts';

/** An event of the feed. `session` is each client's own. */
export type FeedEvent = Exclude<ConsoleEvent, 'session'>;

/** Minimum time between two equal events, in milliseconds. `calls`: their number says nothing, and a page that reads each time is busy with it. */
const intervalsMs: Readonly<Record<FeedEvent, number>> = { approvals: 100, calls: 250, tools: 100, sources: 100 };

const events = Object.keys(intervalsMs) as readonly FeedEvent[];

/**
 * Tells clients what has changed, so that they read it again. It watches from the first client on, and remembers nothing for later ones: a client
 * reads everything once it is connected.
 */
export class ConsoleFeed {
  readonly #kernel: () => Kernel;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #streams = new Set<EventsStream>();
  readonly #throttles: Readonly<Record<FeedEvent, Throttle>>;
  readonly #approvals = new LazyResource(() => this.#watchApprovals());
  #stopListening: (() => void) | undefined;
  #hasWarned = false;
  #isClosed = false;

  /** `kernel`: called with the first client. */
  constructor(kernel: () => Kernel, logger: Pick<Logger, 'warn'>) {
    this.#kernel = kernel;
    this.#logger = logger;
    this.#throttles = Object.fromEntries(events.map((event) => [event, this.#throttle(event)])) as Record<FeedEvent, Throttle>;
  }

  /** Number of connected clients. */
  get size(): number {
    return this.#streams.size;
  }

  /** Tells all clients that something has changed: calls at most four times a second, anything else ten times. */
  changed(event: FeedEvent): void {
    if (this.#streams.size > 0) this.#throttles[event].trigger();
  }

  /** Returns the events from now on, as texts of server-sent events. They end when the kernel closes. */
  subscribe(client: FeedClient): AsyncIterable<string> {
    const stream: EventsStream = new EventsStream(client, () => void this.#streams.delete(stream));
    if (this.#isClosed || client.signal.aborted) stream.end();
    else {
      this.#streams.add(stream);
      this.#start();
    }
    return stream;
  }

  /** Ends all streams. Does not reject. */
  async close(): Promise<void> {
    this.#end();
    await (await this.#approvals.close(new Error('The console is closed.')))?.().catch(() => {});
  }

  async #watchApprovals(): Promise<() => Promise<void>> {
    const changed = (): void => this.changed('approvals');
    const end = await this.#kernel().approvals.watch(changed);
    // The first clients have read the records before the watch began.
    changed();
    return end;
  }

  #throttle(event: FeedEvent): Throttle {
    return new Throttle(intervalsMs[event], () => {
      for (const stream of this.#streams) stream.send(event);
    });
  }

  #start(): void {
    const kernel = this.#kernel();
    if (this.#stopListening === undefined) {
      this.#stopListening = kernel.onReload(() => {
        this.changed('tools');
        this.changed('sources');
      });
      // Streams keep a server from ending, so they do not wait until plugins are disposed.
      kernel.closing.addEventListener('abort', () => this.#end(), { once: true });
    }
    if (kernel.closing.aborted) this.#end();
    if (this.#isClosed || !kernel.approvals.areKept) return;
    this.#approvals.get().catch((error: unknown) => {
      if (this.#isClosed || this.#hasWarned) return;
      this.#hasWarned = true;
      this.#logger.warn(`the console does not see at once what other processes do with approvals: ${messageOf(error)}`);
    });
  }

  #end(): void {
    this.#isClosed = true;
    this.#stopListening?.();
    for (const throttle of Object.values(this.#throttles)) throttle.close();
    for (const stream of this.#streams) stream.end();
  }
}

/** Returns the feed of a plugin, which ends with it. Call it in `apply`. */
export function openFeed(api: Pick<PluginApi, 'extend' | 'hooks' | 'logger' | 'kernel'>): ConsoleFeed {
  // `api.kernel` throws before all plugins are applied.
  const feed = new ConsoleFeed(() => api.kernel, api.logger);
  // Also those that change no record, such as an answer that was refused, and where the keeper reports no changes.
  api.extend.approvalEvents(() => feed.changed('approvals'));
  api.hooks.dispose.tapPromise('console-feed', () => feed.close());
  return feed;
}
