import type { Kernel } from '../../kernel/index.ts';
import { ToolkitError } from '../../kernel/index.ts';
import type { HostedServer } from './host-parts.ts';

/** The MCP servers of a host, by id. */
export class RunningServers {
  readonly #servers = new Map<string, HostedServer>();
  readonly #onEnd: (id: string) => void;
  #lastId = 0;
  #isClosed = false;

  constructor(onEnd: (id: string) => void) {
    this.#onEnd = onEnd;
  }

  get kernels(): readonly Kernel[] {
    return [...this.#servers.values()].flatMap(({ kernel }) => (kernel === undefined ? [] : [kernel]));
  }

  /** Adds a starting server. If `signal` has aborted, stops the server and throws the reason. */
  async start(starting: Promise<HostedServer>, signal: AbortSignal): Promise<{ readonly id: string; readonly server: HostedServer }> {
    const server = await starting;
    if (this.#isClosed || signal.aborted) {
      await server.stop({ drainMs: 0 });
      throw signal.reason ?? new ToolkitError('ABORTED', 'The host is ending.');
    }
    this.#lastId += 1;
    const id = `server-${this.#lastId}`;
    this.#servers.set(id, server);
    void server.ended.then(async () => {
      if (!this.#servers.delete(id)) return;
      this.#onEnd(id);
      await server.stop();
    });
    return { id, server };
  }

  async stop(id: string): Promise<void> {
    const server = this.#servers.get(id);
    if (server === undefined)
      throw new ToolkitError('INVALID_PARAMETERS', `There is no server "${id}". It was stopped, has ended, or never started.`);
    this.#servers.delete(id);
    await server.stop();
  }

  /** Ends all servers. Their running calls have `drainMs` to end. */
  async close(drainMs: number): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#isClosed = true;
    this.#servers.clear();
    await Promise.allSettled(servers.map((server) => server.stop({ drainMs })));
  }
}
