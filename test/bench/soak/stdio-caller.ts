import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { answerTo, type Caller, type Message, type Outcome, opening, outcomeOf, type RequestOptions } from './caller.ts';

interface StdioCallerOptions {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly decide: () => 'accept' | 'decline' | 'cancel';
  readonly onLost: (why: string) => void;
}

/** A server that does not end by itself after so long is a failure. In milliseconds. */
const maxEndMs = 30_000;

/** A client that starts a server of its own, and speaks with it over its standard streams. */
export class StdioCaller implements Caller {
  readonly transport = 'stdio';
  readonly #options: StdioCallerOptions;
  readonly #waiting = new Map<number | string, (answer: Message | undefined) => void>();
  #child: ChildProcess | undefined;
  #nextId = 1;

  private constructor(options: StdioCallerOptions) {
    this.#options = options;
  }

  static async open(options: StdioCallerOptions): Promise<StdioCaller> {
    const caller = new StdioCaller(options);
    await caller.#open();
    return caller;
  }

  async request(method: string, params: object, { cancelAfterMs }: RequestOptions = {}): Promise<Outcome> {
    const id = this.#nextId++;
    const answered = new Promise<Message | undefined>((resolve) => this.#waiting.set(id, resolve));
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
      this.#send({ method: 'notifications/cancelled', params: { requestId: id } });
      // Nothing comes any more.
      this.#receive({ id });
    };
    const timer = cancelAfterMs === undefined ? undefined : setTimeout(cancel, cancelAfterMs);
    this.#send({ id, method, params: { ...params, _meta: { progressToken: id } } });
    const answer = await answered;
    clearTimeout(timer);
    if (isCancelled) return { kind: 'cancelled', text: '' };
    return answer === undefined ? { kind: 'broken', text: 'the server ended' } : outcomeOf(answer);
  }

  async renew(): Promise<void> {
    await this.close();
    await this.#open();
  }

  async vanish(): Promise<void> {
    await this.#end((child) => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    });
    await this.#open();
  }

  mute(): void {}

  rest(): void {}

  async close(): Promise<void> {
    const code = await this.#end((child) => void child.stdin?.end());
    if (code !== 0) this.#options.onLost(`a server over stdio ended with ${code}`);
  }

  async #open(): Promise<void> {
    const { args, cwd, env } = this.#options;
    const child = spawn(process.execPath, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stderr.resume();
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(JSON.parse(line) as Message));
    child.once('exit', (code) => {
      for (const resolve of this.#waiting.values()) resolve(undefined);
      this.#waiting.clear();
      if (this.#child === child) this.#options.onLost(`a server over stdio ended by itself with ${code}`);
    });
    const { kind, text } = await this.request(opening.method, opening.params);
    if (kind !== 'ok') throw new Error(`initialize over stdio: ${kind} ${text}`);
    this.#send({ method: 'notifications/initialized' });
  }

  async #end(leave: (child: ChildProcess) => void): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return 0;
    const exit = once(child, 'exit') as Promise<[number | null]>;
    const timer = setTimeout(() => {
      this.#options.onLost(`a server over stdio did not end within ${maxEndMs} ms`);
      child.kill('SIGKILL');
    }, maxEndMs);
    leave(child);
    const [code] = await exit;
    clearTimeout(timer);
    return code;
  }

  #send(message: object): void {
    this.#child?.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(message: Message): void {
    if (message.id === undefined) return;
    if (message.method !== undefined) {
      this.#send({ id: message.id, ...answerTo(message, this.#options.decide) });
      return;
    }
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}
