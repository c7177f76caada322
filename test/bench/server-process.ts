import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** How to start a server. */
export interface ServerCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Each request says who asks (2026-07-28), and no session is opened. @default false */
  readonly isModern?: boolean;
  /** Its arguments import a probe, which answers messages. @default false */
  readonly isProbed?: boolean;
}

/** Probe that answers with the longest block of the event loop. */
export const probe = path.join(import.meta.dirname, 'block-probe.mjs');

export interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Clock ticks of /proc in a second (Linux, on every architecture). */
const ticksPerSecond = 100;

/** Connections of a client over HTTP. */
const connections = 32;

export const opening = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

const modernVersion = '2026-07-28';

/** `_meta` of each request about its client, where there is no session. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': opening.clientInfo,
};

/** A server in a process of its own, asked by a client that does as little as it can: what the server costs is what is measured. */
export abstract class ServerProcess {
  protected readonly process: ChildProcessWithoutNullStreams;
  /** Rejects when the server ends, with what it said. */
  protected readonly ended: Promise<never>;
  readonly #isModern: boolean;
  #nextId = 1;
  #isEnding = false;

  constructor({ args, cwd, env = {}, isModern = false, isProbed = false }: ServerCommand) {
    this.#isModern = isModern;
    this.process = spawn(process.execPath, [...args], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
      stdio: ['pipe', 'pipe', 'pipe', ...(isProbed ? ['ipc' as const] : [])],
    }) as ChildProcessWithoutNullStreams;
    let said = '';
    this.process.stderr.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(-2000)));
    this.ended = new Promise((_, reject) => {
      this.process.once('exit', (code) => {
        if (!this.#isEnding) reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`));
      });
    });
    this.ended.catch(() => {});
  }

  protected abstract send(message: object, id: number | undefined): Promise<Answer>;

  request(method: string, params: object = {}): Promise<Answer> {
    const id = this.#nextId++;
    const said = this.#isModern ? { ...params, _meta: envelope } : params;
    return Promise.race([this.send({ jsonrpc: '2.0', id, method, params: said }, id), this.ended]);
  }

  async open(): Promise<void> {
    if (this.#isModern) {
      await this.request('server/discover');
      return;
    }
    await this.request('initialize', opening);
    await this.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, undefined);
  }

  async call(name: string, parameters: object): Promise<void> {
    const { result, error } = await this.request('tools/call', { name, arguments: parameters });
    if (error !== undefined || (result as { isError?: boolean }).isError === true)
      throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}`);
  }

  /** Number of the process. */
  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Processor time of the process and its threads so far, in milliseconds. */
  get cpuMs(): number {
    const stat = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8');
    // Behind the name, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  }

  /** Memory of the process, in MiB: now, and what it is counted for when others share it. */
  get residentMiB(): number {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.process.pid}/status`, 'utf8'))?.[1]) / 1024;
  }

  /** The longest time for which its event loop did nothing else since this was asked last, in milliseconds. */
  async longestBlock(): Promise<number> {
    return (await this.probe()) as number;
  }

  /** Asks the probe, and returns its answer. */
  async probe(): Promise<unknown> {
    const answered = once(this.process, 'message');
    this.process.send('probe');
    const [answer] = await Promise.race([answered, this.ended]);
    return answer;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.process.exitCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.stdin.end();
    this.process.kill('SIGTERM');
    await ended;
  }
}

export class StdioProcess extends ServerProcess {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  /** Lines of one turn, written at once as clients with many calls do. */
  #lines: string[] = [];

  constructor(command: ServerCommand) {
    super(command);
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id === undefined) return;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  protected override send(message: object, id: number | undefined): Promise<Answer> {
    if (this.#lines.length === 0)
      setImmediate(() => {
        this.process.stdin.write(this.#lines.join(''));
        this.#lines = [];
      });
    this.#lines.push(`${JSON.stringify(message)}\n`);
    return id === undefined ? Promise.resolve({}) : new Promise((resolve) => this.#waiting.set(id, resolve));
  }
}

interface HttpConnection {
  readonly port: RegExp;
  readonly token?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class HttpProcess extends ServerProcess {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: connections });
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #port: Promise<number>;

  /** `port`: finds it in what the server prints. `headers`: sent in addition. */
  constructor(command: ServerCommand, { port, token, path = '/mcp', headers = {} }: HttpConnection) {
    super(command);
    this.#path = path;
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    };
    this.#port = new Promise((resolve, reject) => {
      let text = '';
      const read = (chunk: Buffer): void => {
        text += String(chunk);
        const found = port.exec(text)?.[1];
        if (found !== undefined) resolve(Number(found));
      };
      this.process.stdout.on('data', read);
      this.process.stderr.on('data', read);
      this.ended.catch(reject);
    });
  }

  /** Resolves when it listens. */
  async listening(): Promise<void> {
    await this.#port;
  }

  /** Number of the port. */
  get port(): Promise<number> {
    return this.#port;
  }

  /** A session beside the own one, which nobody uses. */
  async openAnother(): Promise<void> {
    const { 'mcp-session-id': _, ...headers } = this.#headers;
    await this.#post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening }), headers);
  }

  protected override async send(message: object): Promise<Answer> {
    const { body, session } = await this.#post(JSON.stringify(message), { ...this.#headers, ...modernHeaders(message) });
    if (session !== undefined) this.#headers['mcp-session-id'] = session;
    const text = body.startsWith('{') ? body : (/^data: (\{.*)$/m.exec(body)?.[1] ?? '{}');
    return JSON.parse(text) as Answer;
  }

  async #post(body: string, headers: Readonly<Record<string, string>>): Promise<{ body: string; session: string | undefined }> {
    const port = await this.#port;
    return new Promise((resolve, reject) => {
      const options = { method: 'POST', port, host: '127.0.0.1', path: this.#path, agent: this.#agent };
      const asked = request({ ...options, headers: { ...headers, 'content-length': Buffer.byteLength(body) } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ body: text, session: response.headers['mcp-session-id'] as string | undefined }));
        response.once('error', reject);
      });
      asked.once('error', reject).end(body);
    });
  }

  override async end(): Promise<void> {
    this.#agent.destroy();
    await super.end();
  }
}

/** Returns the headers that repeat a message without a session. */
function modernHeaders(message: { readonly method?: string; readonly params?: { readonly _meta?: object; readonly name?: string } }) {
  const { method = '', params } = message;
  if (params?._meta === undefined) return {};
  const name = params.name === undefined ? {} : { 'mcp-name': params.name };
  return { 'mcp-protocol-version': modernVersion, 'mcp-method': method, ...name };
}
