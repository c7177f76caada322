import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';

const channel = 'http.client.response.finish';

/** The last HTTP status of this process's requests to one URL. */
export class AnsweredStatus {
  #last: number | undefined;
  readonly #listen: (message: unknown) => void;

  constructor(url: URL | undefined) {
    this.#listen = (message) => {
      const { request, response } = message as { readonly request: ClientRequest; readonly response: IncomingMessage };
      const isHere = request.getHeader('host') === url?.host && request.path === `${url?.pathname}${url?.search}`;
      if (isHere) this.#last = response.statusCode;
    };
    subscribe(channel, this.#listen);
  }

  /** Undefined before the first answer. */
  get last(): number | undefined {
    return this.#last;
  }

  close(): void {
    unsubscribe(channel, this.#listen);
  }
}
