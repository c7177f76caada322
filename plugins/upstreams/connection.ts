import type { Client, Tool, Transport } from '@modelcontextprotocol/client';
import { type EntryLevel, excerpt, isPlainObject, type JsonObject, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { Asker } from './ask/asker.ts';
import type { Uncertain } from './ask/running-requests.ts';
import { ServerRequests } from './ask/server-requests.ts';
import { CallQueue } from './call-queue.ts';
import { type OpenClient, type OpenOptions, openClient } from './connect/open-client.ts';
import { printable } from './connect/printable.ts';
import { ProgressRoutes, type ReportedProgress } from './connect/progress-routes.ts';
import { ResourceWatches } from './connect/resource-watches.ts';
import { subscribeLists } from './connect/subscribe-lists.ts';
import { itemDigest } from './define/item-digest.ts';
import { ListChanges } from './list-changes.ts';
import { readLists, type ServerLists } from './server-lists.ts';

export interface ConnectionOptions extends Omit<OpenOptions, 'prepare'> {
  /** True when all requests of this connection are of one caller. */
  readonly isOfOneCaller: boolean;
  readonly roots: () => readonly string[];
  /** Called when changed lists were read, or could not be. */
  readonly onLists: (lists: ServerLists | undefined, error?: unknown) => void;
  /** Called when the server asks while it is not certain for which call. */
  readonly onUncertain: () => void;
}

/** Maximum rounds of questions in one request. */
const maxRounds = 20;

/** Longest time that timers take, in milliseconds: the time limit of a call comes with its signal. */
const noTimeoutMs = 2_000_000_000;

const entryLevels: readonly EntryLevel[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

interface SendOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly allowInputRequired: true;
}

/** An open connection to a server: one process, or one session. */
export class Connection {
  /** The lists of the server as last read. */
  lists: ServerLists = { tools: [], resources: [], resourceTemplates: [], prompts: [], completes: false };
  isOpen = true;
  /** Time of the last end of a request, as `performance.now()`. */
  usedAt = performance.now();
  readonly #options: ConnectionOptions;
  readonly #requests: ServerRequests;
  /** Requests of one caller who cannot be asked for several at once run one by one. */
  readonly #turns: CallQueue;
  readonly #progress = new ProgressRoutes();
  readonly #watches = new ResourceWatches(() => this.#client);
  readonly #changes = new ListChanges(() => this.#readChanged());
  #open: OpenClient | undefined;
  /** The level that a server of 2025 was asked for: the least severe of all callers. */
  #logLevel: EntryLevel = 'info';
  #digests: ReadonlyMap<string, string> = new Map();
  #definitions: ReadonlyMap<string, Tool> = new Map();
  #onClosed: () => void = () => {};
  readonly closed = new Promise<void>((resolve) => {
    this.#onClosed = resolve;
  });

  /** Connects and reads the lists. Throws an error that names the server; nothing is left behind. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    connection.#open = await openClient({ ...options, prepare: (client, transport) => connection.#prepare(client, transport) });
    try {
      connection.#client.onclose = () => connection.#end();
      await connection.#readLists(options.signal);
      connection.#begin();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { settings, logger, roots, isOfOneCaller } = options;
    const { name, sampling = false } = settings;
    this.#turns = new CallQueue(name, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (isOfOneCaller && options.known.isOneByOne === true) this.#turns.runOneByOne();
    this.#requests = new ServerRequests({
      name,
      sampling,
      logger,
      roots,
      isOfOneCaller,
      onUncertain: (reason) => this.#onUncertain(reason),
    });
  }

  get #client(): Client {
    return (this.#open as OpenClient).client;
  }

  get version(): string | undefined {
    return this.#open?.client.getNegotiatedProtocolVersion();
  }

  /** True for a version of 2025 or before, whose servers ask without naming the request. */
  get isLegacy(): boolean {
    return this.#open?.client.getProtocolEra() !== 'modern';
  }

  /** The number of running requests. */
  get running(): number {
    return this.#requests.running.size;
  }

  /** True while resources are watched: the connection must not be ended for being idle. */
  get isWatched(): boolean {
    return this.#watches.size > 0;
  }

  /** Watches a resource until the connection closes, or the returned function is called. Rejects when the server refuses. */
  watch(uri: string, changed: () => void): Promise<() => void> {
    return this.#watches.add(uri, changed);
  }

  /** True when a question may be one of a request that was given up. */
  get hasAbandoned(): boolean {
    return this.#requests.running.hasAbandoned;
  }

  /** Returns the digest of a tool as the server lists it now; undefined for none. Waits until all that it announced is read. */
  async digestOf(tool: string): Promise<string | undefined> {
    await this.#changes.upToDate();
    return this.#digests.get(tool);
  }

  /** Calls a tool, and answers what the server asks meanwhile. Resolves to the result as it was sent. */
  async callTool(
    name: string,
    parameters: JsonObject,
    asker: Asker,
    { onProgress, traceparent }: { readonly onProgress: (progress: ReportedProgress) => void; readonly traceparent?: string | undefined },
  ): Promise<JsonObject> {
    const toolDefinition = this.#definitions.get(name) ?? ({ name, inputSchema: { type: 'object' } } as Tool);
    const progressToken = this.#progress.begin(onProgress);
    try {
      return await this.#request(asker, { progressToken, ...metaOf(traceparent) }, (more, options) =>
        this.#client.callTool({ name, arguments: parameters, ...more } as never, { ...options, toolDefinition }),
      );
    } finally {
      this.#progress.end(progressToken);
    }
  }

  /** Sends another request, and answers what the server asks meanwhile. */
  request(method: string, params: JsonObject, asker: Asker, traceparent?: string): Promise<JsonObject> {
    return this.#request(asker, metaOf(traceparent), (more, options) =>
      this.#client.request({ method: method as 'prompts/get', params: { ...params, ...more } }, options),
    );
  }

  /** Ends the connection. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.isOpen = false;
    await this.#open?.transport.close().catch(() => {});
    this.#end();
  }

  async #request(asker: Asker, meta: JsonObject, send: (more: object, options: SendOptions) => Promise<unknown>): Promise<JsonObject> {
    const { running } = this.#requests;
    let isAnswered = false;
    const free = await this.#turns.take(asker.signal);
    running.begin(asker);
    this.#open?.keepAliveWhile(true);
    try {
      const options = { signal: asker.signal, timeout: noTimeoutMs, allowInputRequired: true } as const;
      const level = asker.client.logLevel ?? 'info';
      if (this.isLegacy) await this.#lowerLogLevel(level);
      const _meta = { ...meta, ...(this.#logs && !this.isLegacy ? { 'io.modelcontextprotocol/logLevel': level } : {}) };
      let more: object = { _meta };
      for (let round = 0; round < maxRounds; round++) {
        const result = await send(more, options);
        isAnswered = true;
        if (!isPlainObject(result) || result['resultType'] !== 'input_required') return result as JsonObject;
        more = { _meta, ...(await this.#requests.answersTo(result, asker, round)) };
        isAnswered = false;
      }
      const { name } = this.#options.settings;
      throw new ToolkitError('EXECUTION_FAILED', `The MCP server "${name}" asks more than ${maxRounds} times in one call.`);
    } catch (error) {
      isAnswered ||= !asker.signal.aborted && this.isOpen;
      throw error;
    } finally {
      this.usedAt = performance.now();
      running.end(asker, isAnswered);
      free();
      if (running.size === 0) this.#open?.keepAliveWhile(false);
    }
  }

  /** Asks a server of 2025 for entries of this level as well: its level is one for all requests. The caller's client gets those that it wants. */
  async #lowerLogLevel(level: EntryLevel): Promise<void> {
    if (!this.#logs || entryLevels.indexOf(level) >= entryLevels.indexOf(this.#logLevel)) return;
    this.#logLevel = level;
    await this.#client.setLoggingLevel(level).catch(() => {});
  }

  #prepare(client: Client, transport: Transport): void {
    this.#progress.intercept(transport);
    this.#requests.prepare(client);
    for (const list of ['tools', 'resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => this.#changes.notice());
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#watches.onUpdated(params.uri));
    const { logger, settings } = this.#options;
    client.onerror = (error) => logger.debug(`the MCP server "${settings.name}": ${excerpt(printable(messageOf(error)), 200)}`);
  }

  /** Asks for notices and the log. Servers of 2025 send notices unasked. */
  #begin(): void {
    this.#open?.keepAliveWhile(false);
    if (!this.isLegacy) void subscribeLists(this.#client, this.closed, () => this.#changes.notice());
    else if (this.#logs) this.#client.setLoggingLevel(this.#logLevel).catch(() => {});
  }

  async #readLists(signal: AbortSignal): Promise<void> {
    this.lists = await readLists(this.#client, signal, this.#options.timeoutMs);
    this.#digests = new Map(this.lists.tools.map((tool) => [String(tool['name']), itemDigest(tool)]));
    this.#definitions = new Map(this.lists.tools.map((tool) => [String(tool['name']), withoutOutputSchema(tool)]));
  }

  async #readChanged(): Promise<void> {
    if (!this.isOpen) return;
    try {
      await this.#readLists(AbortSignal.timeout(this.#options.timeoutMs));
      this.#options.onLists(this.lists);
    } catch (error) {
      // Nothing is certain about its tools any longer.
      this.#digests = new Map();
      if (this.isOpen) this.#options.onLists(undefined, error);
    }
  }

  /** With calls of several callers, those of the whole server run one by one; with those of one, those of its connection. */
  #onUncertain(reason: Uncertain): void {
    const { isOfOneCaller, known, onUncertain } = this.#options;
    if (!isOfOneCaller) onUncertain();
    else if (reason === 'several') {
      known.isOneByOne = true;
      this.#turns.runOneByOne();
    }
  }

  get #logs(): boolean {
    return this.#client.getServerCapabilities()?.logging !== undefined;
  }

  #end(): void {
    this.isOpen = false;
    this.#changes.end();
    this.#onClosed();
  }
}

function metaOf(traceparent: string | undefined): { readonly traceparent?: string } {
  return traceparent === undefined ? {} : { traceparent };
}

/** Returns a tool without its output schema, which the client would check and refuse: the kernel does that. */
function withoutOutputSchema({ outputSchema: _outputSchema, ...tool }: JsonObject): Tool {
  return tool as unknown as Tool;
}
