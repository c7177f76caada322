import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { environmentIn } from './folder.ts';

/** The built program. */
export const program = path.resolve('dist/plugins/toolkit/main.js');

/** Messages in the log of the server that always mean a fault. */
const alarming =
  /^(?!.* TIMEOUT ).*(?:MaxListenersExceeded|UnhandledPromise|unhandled|EMFILE|ENFILE|did not end within|heap out of memory|FATAL)/i;

/** A server that does not end by itself after so long is killed. In milliseconds. */
const maxEndMs = 30_000;

export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly count: number;
}

export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** Open handles that keep the process alive, by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** The server that is measured: `toolkit dev` over HTTP, which takes changed definitions, with a probe in it. */
export class SoakServer {
  readonly pid: number;
  readonly port: number;
  /** Alarming lines of its log. */
  readonly alarms: string[];
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;

  private constructor(child: ChildProcess, port: number, alarms: string[]) {
    this.#child = child;
    this.#exit = once(child, 'exit').then(([code]) => code as number | null);
    this.pid = child.pid ?? 0;
    this.port = port;
    this.alarms = alarms;
  }

  static async start(folder: string, config: string): Promise<SoakServer> {
    const probe = path.join(import.meta.dirname, 'probe.mjs');
    const args = ['--expose-gc', '--import', probe, '--', program, 'dev', '--port', '0', '--config', config];
    const child = spawn(process.execPath, args, { cwd: folder, env: environmentIn(folder), stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const alarms: string[] = [];
    let text = '';
    let hasStarted = false;
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${text}`)));
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        text = (text + chunk).slice(-100_000);
        alarms.push(...chunk.split('\n').filter((line) => alarming.test(line)));
        const [, found] = hasStarted ? [] : (/MCP server: \S+:(\d+)\S*\n(?:.*\n)*Ctrl-C ends it/.exec(text) ?? []);
        if (found === undefined) return;
        hasStarted = true;
        resolve(Number(found));
      });
    });
    return new SoakServer(child, port, alarms);
  }

  /** Measures no delays from now on, and gives those since `work`. */
  async rest(): Promise<LoopDelay> {
    return (await this.#ask<{ loopDelayMs: LoopDelay }>('rest')).loopDelayMs;
  }

  async work(): Promise<void> {
    await this.#ask('work');
  }

  /** After full collections. */
  memory(): Promise<Memory> {
    return this.#ask<Memory>('memory');
  }

  /** Ends it by SIGTERM. What it ended with; undefined when it had to be killed. */
  async stop(): Promise<number | undefined> {
    let wasKilled = false;
    const timer = setTimeout(() => {
      wasKilled = true;
      this.#child.kill('SIGKILL');
    }, maxEndMs);
    this.#child.kill('SIGTERM');
    const code = await this.#exit;
    clearTimeout(timer);
    return wasKilled ? undefined : (code ?? undefined);
  }

  async #ask<T = unknown>(what: string): Promise<T> {
    const answer = once(this.#child, 'message') as Promise<[T]>;
    this.#child.send(what);
    const [found] = await Promise.race([answer, this.#exit.then((code) => [code] as const)]);
    if (typeof found === 'object' && found !== null) return found;
    throw new Error(`The server ended with ${found} in the middle of the run.`);
  }
}
