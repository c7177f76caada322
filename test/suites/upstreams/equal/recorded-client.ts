import { pathToFileURL } from 'node:url';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterFile } from '../../../support/after-each.ts';

export type Era = '2025' | '2026';

export type Json = Readonly<Record<string, unknown>>;

/** A program that speaks MCP on standard input and output. */
export interface Launch {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders that the client offers as roots. @default no roots */
  readonly roots?: readonly string[];
}

/** One request, by the names of the server itself. */
export interface Asked {
  readonly method: string;
  readonly params: Json;
}

/** All that one request led to, as it was on the wire. */
export interface Outcome {
  /** The result, or the error. Lists are whole, whatever their pages. */
  readonly answer: Json;
  readonly progress: readonly Json[];
  readonly logs: readonly Json[];
  readonly questions: readonly Json[];
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: Json;
}

const capabilities = { elicitation: { form: {} }, sampling: {} };

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'];

/** The official client, which records every message. It answers each question in the same way. */
export class RecordedClient {
  readonly #client: Client;
  readonly #messages: Message[] = [];
  readonly #questions: Json[] = [];
  readonly #methods = new Map<unknown, string>();
  readonly #era: Era;

  private constructor(era: Era, roots: readonly string[] | undefined) {
    this.#era = era;
    const own = roots === undefined ? capabilities : { ...capabilities, roots: {} };
    this.#client = new Client(
      { name: 'suite', version: '1.0.0' },
      { capabilities: own, versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: '2026-07-28' } } },
    );
    if (roots !== undefined)
      this.#client.setRequestHandler('roots/list', async () => ({ roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }));
    this.#client.setRequestHandler('elicitation/create', async ({ params }) => {
      this.#questions.push({ method: 'elicitation/create', params });
      return { action: 'accept', content: { name: 'Ada', check: true } };
    });
    this.#client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      this.#questions.push({ method: 'sampling/createMessage', params });
      return { role: 'assistant', model: 'suite', content: { type: 'text', text: 'an answer' }, stopReason: 'endTurn' };
    });
  }

  /** Connects to a program, which is ended after the file. */
  static async open(era: Era, { args, cwd, env = {}, roots }: Launch): Promise<RecordedClient> {
    const recorded = new RecordedClient(era, roots);
    const variables = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env };
    const transport = new StdioClientTransport({ command: process.execPath, args: [...args], cwd, env: variables, stderr: 'pipe' });
    await recorded.#client.connect(transport);
    recorded.#record(transport);
    closers.push(() => recorded.close());
    if (era === '2025' && recorded.#client.getServerCapabilities()?.logging !== undefined) await recorded.#client.setLoggingLevel('debug');
    return recorded;
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #record(transport: Transport): void {
    const { onmessage, send } = transport;
    transport.onmessage = (message, extra) => {
      this.#messages.push(message as Message);
      onmessage?.(message, extra);
    };
    transport.send = (message, options) => {
      const { id, method } = message as Message;
      if (method !== undefined) this.#methods.set(id, method);
      return send.call(transport, message, options);
    };
  }

  /** Subscribes to a resource, calls a tool that changes it until that is reported, and returns the notice. */
  async changeOf(uri: string, tool: string): Promise<Json> {
    const isModern = this.#era === '2026';
    let report = (_params: Json): void => {};
    const reported = new Promise<Json>((resolve) => {
      report = resolve;
    });
    this.#client.setNotificationHandler('notifications/resources/updated', ({ params }) => report(params as Json));
    const listening = isModern ? await this.#client.listen({ resourceSubscriptions: [uri] }) : undefined;
    if (!isModern) await this.#client.subscribeResource({ uri });
    let notice: Json | undefined;
    // A subscription through another server may be accepted before that server's own is.
    while (notice === undefined) {
      await this.#client.callTool({ name: tool, arguments: { uri } });
      notice = await Promise.race([reported, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))]);
    }
    if (isModern) await listening?.close();
    else await this.#client.unsubscribeResource({ uri });
    return notice;
  }

  /** Asks, and returns all that came until the answer. */
  async ask({ method, params }: Asked): Promise<Outcome> {
    this.#messages.length = 0;
    this.#questions.length = 0;
    const _meta = this.#era === '2026' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } : {};
    const options = { onprogress: () => {}, timeout: 60_000 };
    const given = { ...params, ..._meta };
    await this.#send(method, given as never, options).catch(() => {});
    const answers = this.#messages.filter(({ id, method: own }) => own === undefined && this.#methods.get(id) === method);
    const notices = (name: string): readonly Json[] =>
      this.#messages.flatMap(({ method: own, params: about }) => (own === name && about !== undefined ? [about] : []));
    return {
      answer: answerOf(answers),
      progress: notices('notifications/progress'),
      logs: notices('notifications/message'),
      questions: [...this.#questions],
    };
  }

  #send(method: string, params: never, options: object): Promise<unknown> {
    switch (method) {
      case 'tools/list':
        return this.#client.listTools(params, options);
      case 'resources/list':
        return this.#client.listResources(params, options);
      case 'resources/templates/list':
        return this.#client.listResourceTemplates(params, options);
      case 'prompts/list':
        return this.#client.listPrompts(params, options);
      case 'tools/call':
        return this.#client.callTool(params, options);
      case 'resources/read':
        return this.#client.readResource(params, options);
      case 'prompts/get':
        return this.#client.getPrompt(params, options);
      case 'completion/complete':
        return this.#client.complete(params, options);
      default:
        throw new Error(`The suite has no call for ${method}.`);
    }
  }
}

function answerOf(answers: readonly Message[]): Json {
  const last = answers.at(-1);
  if (last === undefined) return { missing: 'no answer' };
  if (last.error !== undefined) return { error: last.error };
  const merged = Object.fromEntries(
    lists.flatMap((key) => {
      const pages = answers.flatMap(({ result }) => (Array.isArray(result?.[key]) ? [result[key] as unknown[]] : []));
      return pages.length === 0 ? [] : [[key, pages.flat()]];
    }),
  );
  return { ...last.result, ...merged };
}

const closers: (() => Promise<void>)[] = [];

afterFile(async () => {
  await Promise.all(closers.splice(0).map((close) => close().catch(() => {})));
});
