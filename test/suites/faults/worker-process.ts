import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { FaultProxy, type Target } from '../../support/fault-proxy.ts';
import { deferred } from './deferred.ts';
import type { Order, Report } from './messages.ts';

export interface WorkerOptions {
  /** worker.ts, compiled. */
  readonly program: string;
  /** Folder of the tools. */
  readonly tools: string;
  readonly database: string;
  readonly target: Target;
  readonly concurrency?: number;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A worker in a process of its own, with a proxy of its own before the database. */
export class WorkerProcess {
  readonly proxy: FaultProxy;
  /** Warnings and errors of its log, with their time since its start. */
  readonly log: string[] = [];
  /** Names of the calls that are about to be sent, or were sent, and have not ended. */
  readonly running = new Set<string>();
  /** Names of the calls that have not ended, also of those whose intent is not written yet. */
  readonly prepared = new Set<string>();
  /** Names of ended calls. */
  readonly ended: string[] = [];
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (code: string | undefined) => void>();
  readonly #serving = deferred();
  #readyUrl = '';
  #lastId = 0;

  private constructor(proxy: FaultProxy, { program, tools, database, concurrency = 4, env = {} }: WorkerOptions) {
    this.proxy = proxy;
    const startedAt = performance.now();
    this.#child = fork(program, [tools, proxy.urlOf(database), String(concurrency)], {
      execArgv: [],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.on('error', () => {});
    this.#child.on('message', (report: Report) => {
      if (report.type === 'serving') {
        this.#readyUrl = new URL('/ready', report.url).href;
        this.#serving.resolve();
      }
      if (report.type === 'prepared') this.prepared.add(report.name);
      if (report.type === 'began') this.running.add(report.name);
      if (report.type === 'ended') {
        this.prepared.delete(report.name);
        this.running.delete(report.name);
        this.ended.push(report.name);
      }
      if (report.type === 'answer') this.#answers.get(report.id)?.(report.code);
      if (report.type === 'logged')
        this.log.push(`${((performance.now() - startedAt) / 1000).toFixed(1)} s ${report.level}: ${report.message}`);
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.log.push(text.trim()));
    this.#child.once('exit', (code, signal) => {
      this.log.push(`ended: ${code ?? signal}`);
      for (const answer of this.#answers.values()) answer('KILLED');
    });
  }

  /** Resolves when it serves. */
  static async start(options: WorkerOptions): Promise<WorkerProcess> {
    const worker = new WorkerProcess(await FaultProxy.open(options.target), options);
    const outcome = await Promise.race([
      worker.#serving.promise.then(() => 'serves'),
      once(worker.#child, 'exit').then(([code, signal]) => String(code ?? signal)),
    ]);
    if (outcome === 'serves') return worker;
    await worker.proxy.close();
    throw new Error(`A worker ended before it served: ${outcome}. ${worker.log.join('; ')}`);
  }

  /** Makes an ordinary call in it. Resolves to the code of the error; undefined for a result, `KILLED` where the process has ended. */
  async call(tool: string, name: string): Promise<string | undefined> {
    const id = ++this.#lastId;
    const order: Order = { id, tool, name };
    const answer = new Promise<string | undefined>((resolve) => this.#answers.set(id, resolve));
    this.#child.send(order);
    return answer.finally(() => this.#answers.delete(id));
  }

  /** Resolves to the status of `/ready`; 0 where nothing answers. */
  ready(): Promise<number> {
    return new Promise((resolve) => {
      get(this.#readyUrl, { agent: false }, (response) => {
        response.resume().once('close', () => resolve(response.statusCode ?? 0));
      }).once('error', () => resolve(0));
    });
  }

  /** Holds it up until `resume`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** kill -9. Resolves when it has ended. Its proxy stays open until `close`. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
  }
}
