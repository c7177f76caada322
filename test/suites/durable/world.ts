import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request of a tool, which says what it does and in which process. */
export interface Deed {
  readonly what: string;
  readonly name: string;
  readonly pid: number;
  readonly at: number;
}

/** The service that tools of the workers ask: it counts what they do, and may keep them waiting. */
export class World {
  readonly deeds: Deed[] = [];
  /** @default 0 */
  answerAfterMs = 0;
  /** Requests that are not answered yet, those that nobody answers included. */
  running = 0;
  /** Requests whose client gave up before the answer. */
  aborted = 0;
  /** Called for each deed; where it says so, nobody answers it. */
  onDeed: (deed: Deed) => 'held' | undefined = () => undefined;
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => this.#hear(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How often each name was done. */
  countsOf(what: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const deed of this.deeds) if (deed.what === what) counts.set(deed.name, (counts.get(deed.name) ?? 0) + 1);
    return counts;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #hear(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://world');
    const deed = {
      what: pathname.slice(1),
      name: searchParams.get('name') ?? '',
      pid: Number(searchParams.get('pid')),
      at: performance.now(),
    };
    this.deeds.push(deed);
    this.running++;
    response.once('close', () => {
      this.running--;
      if (!response.writableFinished) this.aborted++;
    });
    if (this.onDeed(deed) === undefined) setTimeout(() => response.end('{}'), this.answerAfterMs);
  }
}
