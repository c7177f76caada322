import type { CallClient } from '../../client/client.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { Preview } from '../../discovery/live-registry.ts';
import type { ControlFiles } from '../../files/control-files.ts';
import type { OutboundAddresses, OutboundFetch } from '../../outbound.ts';
import type { CallSecrets } from '../../secrets/call-secrets.ts';
import type { ScopeRefusal } from '../../secrets/credential-source.ts';
import type { Secret } from '../../secrets/secret.ts';
import type { HookContext } from '../../taps/hook-context.ts';
import type { Span } from '../../trace/span.ts';
import type { Call, CallOrigin } from '../draft.ts';
import type { Progress } from '../progress.ts';
import type { ToolView } from './tool-view.ts';

/** The context of taps on the hooks of one call. */
export interface CallContext extends HookContext {
  readonly callId: string;
  readonly tool: Tool;
  readonly caller: string;
  /** The tenant whose share of limited resources, such as threads, the call uses: see `CallRequest.tenant`. */
  readonly tenant: string;
  /** The tenant whose accounts the call uses: see `CallRequest.accountTenant`. */
  readonly accountTenant?: string;
  readonly origin: CallOrigin;
  /** True when the call ends before it runs (`CallRequest.isTrial`). A plugin that asks a person in its own way assumes a yes. */
  readonly isTrial: boolean;
  readonly fetch: OutboundFetch;
  readonly addressesOf: OutboundAddresses;
  /** The files that tools may not use, including paths that a tool finds by itself. */
  readonly controlFiles: ControlFiles;
  readonly tools: ToolView;
  /** The client's abilities: ask its person or its model, show a log line. */
  readonly client: CallClient;
  /** Returns the changes that `tools.reload()` of this call applies; the same each time. For plugins that ask a person before the tool runs. */
  previewReload(): Promise<Preview>;
  /** The span of the call, for work that others do for it. Absent where no plugin traces. */
  readonly span?: Span | undefined;
  /** Encodes values by an encoding of a plugin. Throws TOOL_INVALID for an unknown name. */
  encode(encoding: string, values: Readonly<Record<string, unknown>>, options?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** The limit of the output. `budget`: characters of its compact JSON with escapes; undefined for host code, which gets the whole output. */
  readonly output: { readonly budget: number | undefined };
  /** Reports progress to the caller, with secrets masked. */
  progress(progress: Progress): void;
  /** Masks every secret that this call may know. Mask foreign text before you cut it: half a secret is not recognised. */
  readonly mask: <T>(value: T) => T;
  /** Masks a value that may be large, in slices, so that other calls can run between them. */
  maskInSlices<T>(value: T): T | Promise<T>;
  /** Resolves secrets for the caller of this call. Its own secrets are masked until the call ends. Throws SECRET_STORE_UNAVAILABLE. */
  resolveSecrets(names: readonly string[]): Promise<CallSecrets>;
  /**
   * Asks the secret stores and the sources for new values after a service refused the credentials of this call (401). Resolves to the credentials
   * with the new values, or to undefined when there are none. Never replaces credentials given with the call. Throws the error of a source that
   * has no value any more (AUTH_REQUIRED). `scopesLacked`: the service refused them for want of scopes (403, RFC 6750, 3.1); a source may then ask
   * the caller's person for more, while the time limit of the tool stands still.
   */
  renewCredentials(call: Call, scopesLacked?: ScopeRefusal): Promise<ReadonlyMap<string, Secret> | undefined>;
  /** Returns the call with live credentials (`SecretLife`), or the same call when none is dead. Use it before each request, also before a retry. */
  withLiveCredentials(call: Call): Call | Promise<Call>;
  /** Masks one more value for the rest of this call, such as `user:token` made of secrets, or a session token from a service. */
  maskAlso(name: string, value: string): void;
}
