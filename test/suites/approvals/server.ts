import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ApprovalEvent } from '../../../kernel/index.ts';
import { program } from '../../e2e/program.ts';
import type { End, Orders } from './orders.ts';

export interface ServerPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

type Report = { readonly event: ApprovalEvent } | ({ readonly id: number } & End<unknown>);

/** A server process of the built program, which takes requests over HTTP and orders of the test. */
export class Server {
  readonly port: number;
  /** The events of records in this process. */
  readonly events: ApprovalEvent[] = [];
  /** Called with each event. */
  onEvent: (event: ApprovalEvent) => void = () => {};
  /** Rejects with its standard error when it ends without being killed. */
  readonly died: Promise<never>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #lastId = 0;
  #isKilled = false;

  private constructor(child: ChildProcess, port: number, text: () => string) {
    this.#child = child;
    this.port = port;
    child.on('message', (report: Report) => this.#receive(report));
    this.died = new Promise((_, reject) => {
      child.once('exit', (code, signal) => {
        if (!this.#isKilled) reject(new Error(`the server ended with ${code ?? signal}: ${text().slice(-5000)}`));
      });
    });
    this.died.catch(() => {});
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server has ended'));
      this.#waiting.clear();
    });
  }

  /** Rejects with the program's standard error when it ends before it serves. */
  static async start({ cwd, env }: ServerPlace): Promise<Server> {
    const args = ['mcp', '-t', 'http', '-p', '0', '--config', 'toolkit.config.js'];
    const child = fork(program, args, { cwd, env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let text = '';
    const port = await new Promise<number>((resolve, reject) => {
      child.stderr?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const [, url] = /MCP server: (\S+)\n/.exec(text) ?? [];
        if (url !== undefined) resolve(Number(new URL(url).port));
      });
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    });
    return new Server(child, port, () => text);
  }

  /** Carries out an order there. Rejects when it fails, and when the process ends. */
  order<Name extends keyof Orders>(name: Name, order: Parameters<Orders[Name]>[0]): ReturnType<Orders[Name]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, name, order });
    }) as ReturnType<Orders[Name]>;
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#isKilled = true;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #receive(report: Report): void {
    if ('event' in report) {
      this.events.push(report.event);
      this.onEvent(report.event);
      return;
    }
    const waiting = this.#waiting.get(report.id);
    this.#waiting.delete(report.id);
    if (report.failure === undefined) waiting?.resolve(report.value);
    else waiting?.reject(Object.assign(new Error(report.failure.message), report.failure));
  }
}
