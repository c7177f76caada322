import type { ServerLists } from '../server-lists.ts';

/** The definitions of a server that were accepted. */
export interface AcceptedServer {
  readonly lists: ServerLists;
  /** Names of tools, as the server gives them, that were accepted as read-only. */
  readonly readOnly: ReadonlySet<string>;
}

/** Keeps the accepted definitions of servers. */
export interface AcceptedServers {
  /** Returns those of a server; undefined for a server without an entry. Throws CONFIG_INVALID when they were changed by hand. */
  read(server: string): Promise<AcceptedServer | undefined>;
  /** Writes the first list of a server (`pin: first-use`), unless there is an entry already. */
  writeFirst(server: string, lists: ServerLists): Promise<void>;
  /** Changes the accepted lists of a server. `merge` gets those of the entry. Writes nothing when nothing differs. */
  change(server: string, merge: (before: ServerLists | undefined) => ServerLists): Promise<void>;
}
