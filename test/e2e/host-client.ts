import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import { ToolkitError } from '../../kernel/index.ts';
import { afterEach } from '../support/after-each.ts';
import { program } from './program.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** Answers what the host asks: gives the result, or throws. */
export type Handlers = Readonly<Record<string, (params: Json, message: Message) => unknown>>;

export interface HostOptions {
  readonly cwd: string;
  readonly handlers?: Handlers;
  /** Speaks over descriptor 3 in place of the standard streams. @default false */
  readonly overSocket?: boolean;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** A program that has started a host. Killed after the test. */
export class HostClient {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly output: Readable;
  /** All that the host said, line by line. */
  readonly lines: string[] = [];
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  readonly #waiting = new Map<number | string | null, (message: Message) => void>();
  readonly #handlers: Handlers;
  #watching: (() => void)[] = [];
  #rest = '';
  #lastId = 0;

  constructor({ cwd, handlers = {}, overSocket = false, args = [], env = {} }: HostOptions) {
    this.#handlers = handlers;
    this.child = spawn(process.execPath, ['--', program, 'host', ...(overSocket ? ['--fd', '3'] : []), ...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    running.add(this.child);
    const socket = this.child.stdio[3] as Duplex;
    this.input = overSocket ? socket : (this.child.stdin as Writable);
    this.output = overSocket ? socket : (this.child.stdout as Readable);
    this.input.on('error', () => {});
    this.exit = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve({ code, signal })));
    this.child.stderr?.resume();
  }

  /** Begins to read, as a client does. */
  read(): this {
    this.output.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${this.#rest}${text}`.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    });
    return this;
  }

  send(message: Json): void {
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** The answer to a request. Throws the ToolkitError that it is. */
  async ask(method: string, params: Json = {}, id: number | string = this.nextId()): Promise<Json> {
    const { error, result } = await this.answerTo({ id, method, params });
    if (error !== undefined) throw new ToolkitError((error.data?.['code'] ?? 'EXECUTION_FAILED') as never, error.message, error.data);
    return result as Json;
  }

  answerTo(request: Json & { readonly id: number | string }): Promise<Message> {
    const answer = this.answerOf(request.id);
    this.send(request);
    return answer;
  }

  /** The answer with this id, of which somebody else has sent the request. */
  answerOf(id: number | string | null): Promise<Message> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  initialize(params: Json = {}): Promise<Json> {
    return this.ask('initialize', { protocol: 1, client: { name: 'e2e', version: '1' }, ...params });
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Returns the messages of this method that the host has sent. */
  said(method: string): readonly Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message).filter((message) => message.method === method);
  }

  /** Resolves when the host has said this, or had said it before. */
  async until(method: string, times = 1): Promise<Message> {
    while (this.said(method).length < times) await new Promise<void>((resolve) => this.#watching.push(resolve));
    return this.said(method)[times - 1] as Message;
  }

  #take(line: string): void {
    this.lines.push(line);
    const message = JSON.parse(line) as Message;
    const { id, method } = message;
    if (method === undefined) {
      const end = this.#waiting.get(id ?? null);
      this.#waiting.delete(id ?? null);
      end?.(message);
    } else if (id !== undefined) void this.#answer(message);
    else this.#handlers[method]?.(message.params ?? {}, message);
    for (const check of this.#watching.splice(0)) check();
  }

  async #answer(message: Message): Promise<void> {
    const { id, method = '', params = {} } = message;
    const handle = this.#handlers[method];
    if (handle === undefined) return;
    try {
      this.send({ id, result: await handle(params, message) });
    } catch (error) {
      this.send({ id, error: { code: -32000, message: (error as Error).message } });
    }
  }
}

/** A client that reads. */
export function hostClient(options: HostOptions): HostClient {
  return new HostClient(options).read();
}

/** The definition of a function of the client. */
export function clientFunction(name: string, more: Json = {}): Json {
  const text = { type: 'string', description: 'Any text.', required: true };
  return { name, description: 'A function of the client.', risk: 'low', parameters: { text }, execution: { type: 'client' }, ...more };
}
