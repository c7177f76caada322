/**
 * A console of the child: `mcp` on its MCP server, `own` on a listener of its own, `people` with logins at an OpenID provider, `proxied` behind a
 * proxy whose address is https. All have one store and the same tools.
 */
export type SiteKind = 'mcp' | 'own' | 'people' | 'proxied';

/** A tool of the child. It counts its runs. */
export interface TargetTool {
  readonly name: string;
  readonly description: string;
  readonly parameters?: object;
  /** True when each call waits for a person. */
  readonly requires_approval?: boolean;
  /** Its result. @default its parameters */
  readonly output?: unknown;
  readonly [member: string]: unknown;
}

/** The start of a child. */
export interface ServerSettings {
  /** A folder for its files. */
  readonly folder: string;
  readonly tools: readonly TargetTool[];
  /** Issuer of `people`. */
  readonly issuer: string;
  readonly mcpToken: string;
}

/** An order to the child, which answers each with a `ServerReply` of the same id. */
export type ServerOrder =
  /** Opens a console, once. Replies with its `OpenedSite`. */
  | { readonly kind: 'open'; readonly site: SiteKind }
  /** Replies with a new one-time code. */
  | { readonly kind: 'code'; readonly site: SiteKind }
  /** Calls a tool as a model does. Replies with its `ModelOutcome`. */
  | { readonly kind: 'call'; readonly tool: string; readonly parameters: object }
  /** Replies with a record of the inbox. */
  | { readonly kind: 'approval'; readonly id: string }
  /** Replies with the number of runs of a tool. */
  | { readonly kind: 'runs'; readonly tool: string }
  /** Lists these tools in the source `shelf` from now on. Replies with the names of its changes that wait to be accepted. */
  | { readonly kind: 'list'; readonly tools: readonly object[] }
  /** Puts the clock forward. */
  | { readonly kind: 'shift'; readonly ms: number };

export interface OpenedSite {
  readonly port: number;
  readonly mcpPort: number;
}

export interface ModelOutcome {
  readonly output?: unknown;
  /** Code of its error. */
  readonly code?: string;
  /** Id of the record of a held call. */
  readonly approval?: string;
}

export interface ServerReply {
  readonly id: number;
  readonly value?: unknown;
  /** Text of the failure. */
  readonly failure?: string;
}
