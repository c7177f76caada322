import type { Client, Tool, Transport } from '@modelcontextprotocol/client';
import { excerpt, isPlainObject, type JsonObject, messageOf, ToolkitError } from '../../kernel/index.ts';
import { answerRequest, declined, isDeclined, rootsResult, type ServerRequest } from './ask/answer-request.ts';
import type { Asker } from './ask/asker.ts';
import { RunningRequests } from './ask/running-requests.ts';
import { type OpenClient, type OpenOptions, openClient } from './connect/open-client.ts';
import { printable } from './connect/printable.ts';
import { ProgressRoutes, type ReportedProgress } from './connect/progress-routes.ts';
import { itemDigest } from './define/item-digest.ts';
import { readLists, type ServerLists } from './server-lists.ts';

export interface ConnectionOptions extends Omit<OpenOptions, 'prepare'> {
  /** True when all requests of this connection are of one caller. */
  readonly isOfOneCaller: boolean;
  readonly roots: () => readonly string[];
  /** Called after each notice of a changed list. */
  readonly onListChanged: (connection: Connection) => void;
  /** Called when the server asks while it is not certain for which call. */
  readonly onUncertain: () => void;
  readonly onResourceUpdated: (uri: string) => void;
}

/** Maximum rounds of questions in one request. */
const maxRounds = 20;

/** Longest time that timers take, in milliseconds: the time limit of a call comes with its signal. */
const noTimeoutMs = 2_000_000_000;

/** An open connection to a server: one process, or one session. */
export class Connection {
  readonly requests: RunningRequests;
  /** The lists of the server as last read. */
  lists: ServerLists = { tools: [], resources: [], resourceTemplates: [], prompts: [], completes: false };
  isOpen = true;
  /** Time of the last end of a request, as `performance.now()`. */
  usedAt = performance.now();
  readonly #options: ConnectionOptions;
  readonly #progress = new ProgressRoutes();
  #open: OpenClient | undefined;
  #digests: ReadonlyMap<string, string> = new Map();
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
      await connection.readLists(options.signal);
      connection.#listen();
      connection.#open.keepAliveWhile(false);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.requests = new RunningRequests(options.isOfOneCaller);
  }

  get #client(): Client {
    return (this.#open as OpenClient).client;
  }

  get era(): string | undefined {
    return this.#open?.client.getNegotiatedProtocolVersion();
  }

  /** True for a version of 2025 or before, whose servers ask without naming the request. */
  get isLegacy(): boolean {
    return this.#open?.client.getProtocolEra() !== 'modern';
  }

  /** Returns the digest of a tool as the server lists it now; undefined for none. */
  digestOf(tool: string): string | undefined {
    return this.#digests.get(tool);
  }

  async readLists(signal: AbortSignal): Promise<void> {
    this.lists = await readLists(this.#client, signal, this.#options.timeoutMs);
    this.#digests = new Map(this.lists.tools.map((tool) => [String(tool['name']), itemDigest(tool)]));
  }

  /** Calls a tool, and answers what the server asks meanwhile. Resolves to the result as it was sent. */
  async callTool(name: string, parameters: JsonObject, asker: Asker, onProgress: (progress: ReportedProgress) => void): Promise<JsonObject> {
    const tool = this.lists.tools.find((listed) => listed['name'] === name);
    // Without its output schema, which the client would check and refuse: the kernel does that.
    const { outputSchema: _outputSchema, ...definition } = (tool ?? { name, inputSchema: { type: 'object' } }) as JsonObject;
    const toolDefinition = definition as unknown as Tool;
    const progressToken = this.#progress.begin(onProgress);
    try {
      return await this.#request(asker, { progressToken }, (more, options) =>
        this.#client.callTool({ name, arguments: parameters, ...more } as never, { ...options, toolDefinition }),
      );
    } finally {
      this.#progress.end(progressToken);
    }
  }

  /** Sends another request, and answers what the server asks meanwhile. */
  request(method: string, params: JsonObject, asker: Asker): Promise<JsonObject> {
    return this.#request(asker, {}, (more, options) => this.#client.request({ method: method as 'prompts/get', params: { ...params, ...more } }, options));
  }

  /** Ends the connection. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.isOpen = false;
    await this.#open?.transport.close().catch(() => {});
    this.#end();
  }

  async #request(
    asker: Asker,
    meta: JsonObject,
    send: (more: object, options: { signal: AbortSignal; timeout: number; allowInputRequired: true }) => Promise<unknown>,
  ): Promise<JsonObject> {
    let isAnswered = false;
    this.requests.begin(asker);
    this.#open?.keepAliveWhile(true);
    try {
      const options = { signal: asker.signal, timeout: noTimeoutMs, allowInputRequired: true } as const;
      const _meta = { ...meta, ...(this.#logs && !this.isLegacy ? { 'io.modelcontextprotocol/logLevel': 'info' } : {}) };
      let more: object = { _meta };
      for (let round = 0; round < maxRounds; round++) {
        const result = await send(more, options);
        if (!isPlainObject(result) || result['resultType'] !== 'input_required') {
          isAnswered = true;
          return result as JsonObject;
        }
        more = { _meta, ...(await this.#answers(result, asker, round)) };
      }
      throw new ToolkitError('EXECUTION_FAILED', `The MCP server "${this.#name}" asks more than ${maxRounds} times in one call.`);
    } catch (error) {
      isAnswered = !asker.signal.aborted && this.isOpen;
      throw error;
    } finally {
      this.usedAt = performance.now();
      this.requests.end(asker, isAnswered);
      if (this.requests.size === 0) this.#open?.keepAliveWhile(false);
    }
  }

  /** Answers the requests of an `input_required` result (MCP 2026-07-28). */
  async #answers({ inputRequests, requestState }: Readonly<Record<string, unknown>>, asker: Asker, round: number): Promise<object> {
    const asked = Object.entries(isPlainObject(inputRequests) ? inputRequests : {});
    const inputResponses: JsonObject = {};
    for (const [key, request] of asked) {
      const { method, params } = (isPlainObject(request) ? request : {}) as Readonly<Record<string, unknown>>;
      const shown = { method: String(method), params: isPlainObject(params) ? params : {}, key: `${this.#name}.${round}.${key}` };
      Object.defineProperty(inputResponses, key, { value: await this.#answer(shown, asker), enumerable: true, configurable: true, writable: true });
    }
    return { ...(asked.length === 0 ? {} : { inputResponses }), ...(requestState === undefined ? {} : { requestState }) };
  }

  async #answer(asked: ServerRequest, asker: Asker): Promise<JsonObject> {
    const { sampling = false } = this.#options.settings;
    const answer = await answerRequest(asked, asker, { name: this.#name, sampling, roots: this.#options.roots });
    if (!isDeclined(answer)) return answer;
    this.#logDeclined(asked.method, answer.reason);
    return answer.result;
  }

  #prepare(client: Client, transport: Transport): void {
    this.#progress.intercept(transport);
    const { onListChanged, onResourceUpdated } = this.#options;
    client.setRequestHandler('roots/list', () => rootsResult(this.#options.roots()) as never);
    client.setRequestHandler('elicitation/create', ({ params }) => this.#onAsked({ method: 'elicitation/create', params }) as never);
    if (this.#options.settings.sampling === true)
      client.setRequestHandler('sampling/createMessage', ({ params }) => this.#onAsked({ method: 'sampling/createMessage', params }) as never);
    for (const list of ['tools', 'resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => onListChanged(this));
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => onResourceUpdated(params.uri));
    client.setNotificationHandler('notifications/message', ({ params }) => this.#onLog(params.level, params.data));
    client.onerror = (error) => this.#options.logger.debug(`the MCP server "${this.#name}": ${excerpt(printable(messageOf(error)), 200)}`);
  }

  /** Answers an own request of a server of 2025: only when it is certain whose call asks. */
  async #onAsked(asked: ServerRequest): Promise<JsonObject> {
    const asker = this.requests.certain();
    if (typeof asker === 'string') {
      this.#options.onUncertain();
      const reasons = {
        idle: 'no call runs for which it could ask',
        several: 'several calls run, and it is not certain whose call asks',
        abandoned: 'a call of another caller was given up, and it is not certain whose call asks',
      };
      this.#logDeclined(asked.method, reasons[asker]);
      if (asked.method !== 'elicitation/create') throw new Error(`Declined: ${reasons[asker]}.`);
      return declined(reasons[asker]).result;
    }
    try {
      return await this.#answer(asked, asker);
    } catch (error) {
      // The client of the caller answers in another request: the call ends, and runs again then.
      if (ToolkitError.is(error) && asked.method === 'elicitation/create') asker.fail(error);
      throw error;
    }
  }

  #onLog(level: string, data: unknown): void {
    const asker = this.requests.certain();
    const text = excerpt(printable(typeof data === 'string' ? data : JSON.stringify(data)), 500);
    if (typeof asker === 'string' || asker.client.log === undefined) this.#options.logger.debug(`the MCP server "${this.#name}" logs: ${text}`);
    else asker.client.log(levels[level] ?? 'error', text);
  }

  /** Asks for notices of changed lists (MCP 2026-07-28, Subscriptions), and for the log. Servers of 2025 send notices unasked. */
  #listen(): void {
    const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
    if (this.isLegacy) {
      if (this.#logs) this.#client.setLoggingLevel('info').catch(() => {});
      return;
    }
    const filter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(filter).length > 0) void this.#listenAgain(filter);
  }

  async #listenAgain(filter: Parameters<Client['listen']>[0]): Promise<void> {
    for (let delayMs = 1000; this.isOpen; delayMs = Math.min(delayMs * 2, 300_000)) {
      const subscription = await this.#client.listen(filter).catch(() => undefined);
      if (subscription !== undefined) {
        delayMs = 1000;
        await Promise.race([subscription.closed, this.closed]);
        // Notices may have been missed meanwhile.
        if (this.isOpen) this.#options.onListChanged(this);
      }
      await Promise.race([
        new Promise((resolve) => {
          setTimeout(resolve, delayMs).unref();
        }),
        this.closed,
      ]);
    }
  }

  get #logs(): boolean {
    return this.#client.getServerCapabilities()?.logging !== undefined;
  }

  get #name(): string {
    return this.#options.settings.name;
  }

  #logDeclined(method: string, reason: string): void {
    this.#options.logger.warn(`declined a question of the MCP server "${this.#name}" (${excerpt(printable(method), 60)}): ${reason}`, { server: this.#name });
  }

  #end(): void {
    this.isOpen = false;
    this.#onClosed();
  }
}

const levels: Readonly<Record<string, 'debug' | 'info' | 'warn'>> = { debug: 'debug', info: 'info', notice: 'info', warning: 'warn' };
