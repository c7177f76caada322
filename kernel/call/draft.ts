import type { Tool } from '../definition/schema/tool.ts';
import type { Secret } from '../secrets/secret.ts';
import type { CallIdentity } from './identity.ts';
import type { Verdict } from './verdict.ts';

/** The origin of a call: `host`, the program that embeds the kernel; `model`, a model through a host such as MCP. */
export type CallOrigin = 'host' | 'model';

/** A call before its decision. The object is frozen; a tap returns a changed copy. */
export interface DraftCall {
  readonly id: string;
  readonly tool: Tool;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Opaque secret handles by placeholder name. */
  readonly credentials: ReadonlyMap<string, Secret>;
  /** Credentials given with this one call, by placeholder name. They take precedence. */
  readonly ownCredentials: ReadonlyMap<string, Secret>;
  readonly caller: string;
  readonly origin: CallOrigin;
  /** True when the caller claims that a person approved (over MCP: `_toolkit_approved`). An approval plugin decides its worth. */
  readonly approved: boolean;
  /** The approval token that the caller received (over MCP: `_toolkit_approved`, a text). An approval plugin decides its worth. */
  readonly approval?: string;
  /** The host's name for the effect of this call: see `CallRequest.once`. */
  readonly once?: string;
  readonly verdict: Verdict;
}

/** A decided call. Parameters are deeply frozen. */
export type Call = Omit<DraftCall, 'approved' | 'approval' | 'ownCredentials'> & {
  /** The approved identity, if a person was asked: an executor runs exactly this, or refuses. */
  readonly identity?: CallIdentity;
};
