import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../../fixtures/servers/when-read.ts';
import { json } from '../../support/loopback.ts';

/** The services that the tools use: an API, its authorization server, and one that is down (`/down`). */
export class Outside {
  #tokens = 0;
  readonly #server = createServer(
    { keepAliveTimeout: 0 },
    whenRead(({ url }, _body, response) => {
      if (url === '/down') return json(response, { error: 'down' }, 503);
      if (url === '/token') return json(response, { access_token: `access-${++this.#tokens}`, token_type: 'Bearer', expires_in: 3600 });
      json(response, { ok: true });
    }),
  );

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
