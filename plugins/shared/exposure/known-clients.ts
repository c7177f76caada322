/** Known traits of an MCP client, from its documentation in 2026. */
export interface KnownClient {
  /** Beginning of `clientInfo.name`, in lower case. Bridges append their own name. */
  readonly prefix: string;
  /** True when the client hides definitions from the model until the model searches for them. */
  readonly searchesTools?: true;
  /** Maximum tools that the client accepts, of all servers together. */
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

/** Prefix of a known client. */
export type KnownPrefix = (typeof knownClients)[number]['prefix'];

/** Finds a client by the name that it gives when it connects. Undefined when it is not known. */
export function knownClient(name: string | undefined): KnownClient | undefined {
  const given = name?.toLowerCase();
  return given === undefined ? undefined : knownClients.find(({ prefix }) => given.startsWith(prefix));
}
