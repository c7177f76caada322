import { Socket } from 'node:net';
import type pg from 'pg';
import { readOnlyServer } from '../shared/state/lost-connection.ts';
import type { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { setKeepalive } from '../shared/state/postgres-keepalive.ts';
import type { StoreLimits } from './store-limits.ts';

/** Delay until the first keep-alive probe of an idle connection, in milliseconds. */
const keepAliveMs = 2000;

/** Settings of each connection to one of the hosts: the client's part of a time limit. */
export function clientSettings({ answerMs }: StoreLimits): pg.ClientConfig {
  return {
    application_name: 'toolkit',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}

/** A connection to the server in use that can be destroyed at any moment: `end` waits for an answer of the server. */
export type StoreClient = pg.Client & {
  /** URL of its server. */
  readonly url: string;
  readonly isDestroyed: boolean;
  destroy(): void;
};

/** Returns the class of connections to the server that `hosts` names when one is created. */
export function storeClientClass({ Client }: typeof pg, hosts: PostgresHosts, limits: StoreLimits): new () => StoreClient {
  return class extends Client {
    readonly url: string;
    readonly #socket: Socket;

    constructor() {
      const [socket, url] = [new Socket(), hosts.current];
      super({ ...clientSettings(limits), connectionString: url, stream: () => socket });
      this.#socket = socket;
      this.url = url;
      // The pending statement rejects, and the `end` event follows.
      this.on('error', () => {});
    }

    get isDestroyed(): boolean {
      return this.#socket.destroyed;
    }

    destroy(): void {
      this.#socket.destroy();
    }
  };
}

/** Sets the server's part: packets of a client that vanish are noticed within eight seconds, and a statement ends. */
const settingsOf = ({ serverMs }: StoreLimits): string =>
  `set statement_timeout = ${serverMs}; ${setKeepalive}; select current_setting('transaction_read_only') = 'on' as read_only`;

/** Prepares a new connection. Rejects with SQLSTATE 25006 for a server that does not write, such as a standby. */
export async function prepareClient(client: pg.ClientBase, limits: StoreLimits): Promise<void> {
  const answers = (await client.query(settingsOf(limits))) as unknown as readonly pg.QueryResult<{ read_only: boolean }>[];
  if (answers.at(-1)?.rows[0]?.read_only === true) throw readOnlyServer();
}
