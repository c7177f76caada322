import type { Writable } from 'node:stream';
import type { Kernel, RunningServer } from '../../kernel/index.ts';
import { type McpOptions, mcp } from '../mcp/index.ts';
import { McpOptionsSchema } from '../mcp/options.ts';
import { ownsStdout } from '../mcp/transports/index.ts';
import { reserveStdout } from '../shared/process/reserve-stdout.ts';
import { Toolkit, type ToolkitOptions } from './toolkit.ts';

export interface MCPServerOptions extends McpOptions, Omit<ToolkitOptions, 'autoDiscover' | 'silencesDebug'> {
  /** Finds installed provider packages. @default true */
  readonly autoDiscover?: boolean;
}

interface CloseOptions {
  /** Time for running calls to end, in milliseconds. @default the option `drainMs` */
  readonly drainMs?: number;
}

/** An MCP server in your own program: `new MCPServer(options)`, then `start()`. Reads a configuration only with `config`. */
export class MCPServer implements AsyncDisposable {
  readonly #options: MCPServerOptions;
  #toolkit: Toolkit | undefined;
  /** Standard output, when the transport owns it; reserved before the first log line. */
  #output: ReturnType<typeof reserveStdout> | undefined;
  #servers: readonly RunningServer[] = [];

  constructor(options: MCPServerOptions = {}) {
    this.#options = options;
  }

  /** Loads the tools and starts the transport. `output`: standard output, when the host has reserved it. Throws ToolkitError. */
  async start({ output }: { readonly output?: Writable } = {}): Promise<void> {
    const { plugins = [], autoDiscover = true, ...serverOptions } = this.#options;
    const isServerOption = ([name, value]: readonly [string, unknown]): boolean =>
      name in McpOptionsSchema.properties && value !== undefined;
    const entries = Object.entries(serverOptions);
    const server = mcp(Object.fromEntries(entries.filter(isServerOption)) as McpOptions);
    const rest = Object.fromEntries(entries.filter(([name]) => !(name in McpOptionsSchema.properties))) as ToolkitOptions;
    const needsStdout = ownsStdout(serverOptions);
    if (needsStdout) this.#output = output === undefined ? reserveStdout() : { stream: output, release: () => {} };
    try {
      this.#toolkit = await Toolkit.init({
        ...rest,
        silencesDebug: needsStdout,
        autoDiscover,
        plugins: [...plugins, server],
      });
      this.#servers = await this.#toolkit.kernel.serve(this.#output === undefined ? {} : { output: this.#output.stream });
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * Announces the end of this process, before `close`, when other processes take over. Over HTTP, `/ready` answers 503 from now on, and requests are
   * still accepted. Resolves after the option `shutdownDelayMs`.
   */
  async leave(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.leave?.()));
  }

  /** Ends the transport, running calls and everything that was started. A second call has no effect. */
  async close({ drainMs = Math.max(0, ...this.#servers.map((server) => server.drainMs ?? 0)) }: CloseOptions = {}): Promise<void> {
    try {
      await this.#toolkit?.close({ drainMs });
    } finally {
      this.#output?.release();
      this.#output = undefined;
    }
  }

  /** Same as `close`. */
  stop(options: CloseOptions = {}): Promise<void> {
    return this.close(options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the bearer token; undefined over stdio and before `start`. */
  getActiveToken(): string | undefined {
    return this.#servers[0]?.token;
  }

  /** URL of the endpoint; undefined over stdio and before `start`. */
  get url(): string | undefined {
    return this.#servers[0]?.url;
  }

  /** Resolves when the server has ended by itself, as one over stdio does when its client ends. */
  get ended(): Promise<void> {
    const ends = this.#servers.flatMap(({ ended }) => (ended === undefined ? [] : [ended]));
    return ends.length === 0 ? new Promise(() => {}) : Promise.race(ends);
  }

  /** The kernel of the server; undefined before `start`. */
  get kernel(): Kernel | undefined {
    return this.#toolkit?.kernel;
  }
}

/**
 * Creates an MCP server and starts it. Without options: over stdio, with every tool. Resolves when it accepts requests. Throws ToolkitError when the
 * tools cannot be loaded or the transport cannot start, for example because the port is in use.
 * @example
 * const server = await createMCPServer({ transport: 'http', port: 3000, toolPaths: ['./tools'] });
 * console.log(server.url, server.getActiveToken());
 * await server.stop();
 */
export async function createMCPServer(options: MCPServerOptions = {}): Promise<MCPServer> {
  const server = new MCPServer(options);
  await server.start();
  return server;
}
