import type { Agent, Dispatcher } from 'undici';
import { requireCompleteBodies } from './complete-bodies.ts';

interface Opened {
  readonly agent: Agent;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/**
 * Connection pool for a plugin's own requests, without the guard on tool requests. A truncated compressed body is an error. Idle
 * connections close after some seconds and keep no process alive. Share one pool among requests to the same server to reuse its
 * connections.
 */
export class PluginConnections {
  readonly #ca: readonly string[] | undefined;
  #pool: Promise<Opened> | undefined;

  /** `ca`: trusted certificates in PEM. @default the usual authorities */
  constructor(ca?: readonly string[]) {
    this.#ca = ca;
  }

  async fetch(url: string | URL, init: RequestInit): Promise<Response> {
    this.#pool ??= this.#open();
    const { dispatcher } = await this.#pool;
    return fetch(url, { ...init, dispatcher } as unknown as RequestInit);
  }

  /** Closes all connections; later requests open new ones. */
  async close(): Promise<void> {
    const opened = this.#pool;
    this.#pool = undefined;
    await (await opened)?.agent.destroy();
  }

  async #open(): Promise<Opened> {
    const { Agent: Opening } = await import('undici');
    const agent = new Opening(this.#ca === undefined ? {} : { connect: { ca: [...this.#ca] } });
    return { agent, dispatcher: { dispatch: requireCompleteBodies((...given) => agent.dispatch(...given)) } };
  }
}
