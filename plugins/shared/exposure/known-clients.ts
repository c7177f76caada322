/** What is known of an MCP client, by its own documentation in 2026. */
export interface KnownClient {
  /** How `clientInfo.name` begins, in lower case. Bridges write themselves behind it. */
  readonly prefix: string;
  /** It keeps definitions from the model until the model has searched for them. */
  readonly searchesTools?: true;
  /** Tools that it takes at most, of all servers together. */
  readonly maxTools?: number;
}

const knownClients = [
  { prefix: 'claude-code', searchesTools: true },
  { prefix: 'cursor', maxTools: 40 },
  { prefix: 'visual studio code', maxTools: 128 },
  { prefix: 'windsurf', maxTools: 100 },
  { prefix: 'codex', maxTools: 128 },
  { prefix: 'openai', maxTools: 128 },
] as const satisfies readonly KnownClient[];

/** A client of which something is known. */
export type KnownPrefix = (typeof knownClients)[number]['prefix'];

/** By the name that the client gives of itself when it connects; undefined where nothing is known of it. */
export function knownClient(name: string | undefined): KnownClient | undefined {
  const given = name?.toLowerCase();
  return given === undefined ? undefined : knownClients.find(({ prefix }) => given.startsWith(prefix));
}
