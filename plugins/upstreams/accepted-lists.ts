import type { ServerLists } from './server-lists.ts';

/** The definitions of a server that were accepted. */
export interface AcceptedServer {
  readonly lists: ServerLists;
  /** Names of tools, as the server gives them, that were accepted as read-only. */
  readonly readOnly: ReadonlySet<string>;
}

/** Keeps the accepted definitions of servers, such as in `toolkit.lock`. */
export interface AcceptedServers {
  /** Returns those of a server; undefined for a server without an entry. */
  read(server: string): Promise<AcceptedServer | undefined>;
  /** Writes the first list of a server (`pin: first-use`), unless there is an entry already. */
  writeFirst(server: string, lists: ServerLists): Promise<void>;
}

/** Returns a keeper in memory, for a process without a folder of its own. */
export function acceptedInMemory(): AcceptedServers {
  const entries = new Map<string, AcceptedServer>();
  return {
    read: (server) => Promise.resolve(entries.get(server)),
    async writeFirst(server, lists) {
      if (!entries.has(server)) entries.set(server, { lists, readOnly: new Set() });
    },
  };
}
