import type { Agent, Dispatcher } from 'undici';
import { wholeBodies } from './whole-bodies.ts';

interface Opened {
  readonly agent: Agent;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/**
 * Connections for what a plugin itself asks, past the guard for what tools fetch. A compressed body that is cut off or broken is an error, as a cut plain one is.
 * A connection that is idle closes after some seconds and keeps no process alive. Give one to all that ask the same server: it is asked over one connection again.
 */
export class WholeConnections {
  readonly #ca: readonly string[] | undefined;
  #opened: Promise<Opened> | undefined;

  /** `ca`: the certificates to trust, in PEM. @default the usual authorities */
  constructor(ca?: readonly string[]) {
    this.#ca = ca;
  }

  async fetch(url: string | URL, init: RequestInit): Promise<Response> {
    this.#opened ??= this.#open();
    const { dispatcher } = await this.#opened;
    return fetch(url, { ...init, dispatcher } as unknown as RequestInit);
  }

  /** Ends every connection; what is asked later opens another. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await (await opened)?.agent.destroy();
  }

  async #open(): Promise<Opened> {
    const { Agent: Opening } = await import('undici');
    const agent = new Opening(this.#ca === undefined ? {} : { connect: { ca: [...this.#ca] } });
    return { agent, dispatcher: { dispatch: wholeBodies((...given) => agent.dispatch(...given)) } };
  }
}
