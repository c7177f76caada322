import type { ServerResponse } from 'node:http';
import type { HttpRouteResponse } from '../../../../kernel/index.ts';
import { type RequestRefusal, stopping } from '../refusal.ts';
import { sendStreamHead } from './route-reply.ts';
import { discardStream, sendTexts } from './route-stream.ts';

/** Maximum number of streams at once. */
const maxStreams = 50;

const tooMany: RequestRefusal = {
  status: 503,
  message: 'Too many pages are live at this moment. Close some, or try again later.',
  headers: { 'retry-after': '10' },
};

/** Streams of a server. They end when the server stops, which waits for none. */
export class RouteStreams {
  readonly #running = new Set<AbortController>();
  readonly #closing: AbortSignal;

  constructor(closing: AbortSignal) {
    this.#closing = closing;
    const end = (): void => {
      for (const ending of this.#running) ending.abort(new Error('The server is stopping.'));
    };
    closing.addEventListener('abort', end, { once: true });
  }

  /** Sends a stream to its end, or until `ending` aborts. Returns a refusal where it cannot begin. Throws its failure, with the connection broken. */
  async send(
    response: ServerResponse,
    head: HttpRouteResponse,
    texts: AsyncIterable<string>,
    ending: AbortController,
  ): Promise<RequestRefusal | undefined> {
    const refusal = this.#closing.aborted ? stopping : this.#running.size >= maxStreams ? tooMany : undefined;
    if (refusal !== undefined) {
      discardStream(texts);
      return refusal;
    }
    this.#running.add(ending);
    try {
      sendStreamHead(response, head);
      await sendTexts(response, texts, ending.signal);
      if (!response.closed) response.end();
      return undefined;
    } catch (error) {
      // Without its last chunk the client knows that the answer is not complete.
      if (response.headersSent) response.destroy();
      else discardStream(texts);
      throw error;
    } finally {
      this.#running.delete(ending);
    }
  }
}
