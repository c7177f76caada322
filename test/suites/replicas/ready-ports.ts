import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../support/until.ts';

/** How long it waits between two questions, as proxies do: one that goes on and on takes the processors from its servers. In milliseconds. */
const everyMs = 10;

/** Health checks of a proxy: asks each server repeatedly for its readiness, and sends requests only to the ready ones. */
export class ReadyPorts {
  readonly #onChange: (ports: readonly number[]) => void;
  readonly #ready = new Map<number, boolean>();
  #isClosed = false;

  constructor(onChange: (ports: readonly number[]) => void) {
    this.#onChange = onChange;
  }

  /** Asks this one too, until it is closed. Resolves once it is ready. */
  async add(port: number): Promise<void> {
    this.#ready.set(port, false);
    void this.#follow(port);
    await until(() => this.#ready.get(port) || undefined);
  }

  /** Resolves once it gets no more work. */
  async leaves(port: number): Promise<void> {
    await until(() => (this.#ready.get(port) === false ? true : undefined));
  }

  remove(port: number): void {
    this.#ready.delete(port);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #follow(port: number): Promise<void> {
    while (!this.#isClosed && this.#ready.has(port)) {
      const isReady = await asksReady(port);
      if (this.#ready.get(port) !== isReady && this.#ready.has(port)) {
        this.#ready.set(port, isReady);
        this.#onChange([...this.#ready].filter(([, ready]) => ready).map(([own]) => own));
      }
      await wait(everyMs);
    }
  }
}

function asksReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/ready', agent: false, headers: { host: `10.0.0.1:${port}` } }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode === 200));
    }).once('error', () => resolve(false));
  });
}
