import type { Registry } from '../../definition/registry/registry.ts';
import type { ExecutionType } from '../../definition/schema/execution-type.ts';
import type { Tool } from '../../definition/schema/tool.ts';
import type { LiveRegistry } from '../../discovery/live-registry.ts';
import type { ControlFiles } from '../../files/control-files.ts';
import type { Logger } from '../../log/logger.ts';
import type { OutboundAddresses, OutboundFetch } from '../../outbound.ts';
import type { PluginSource } from '../../secrets/ask-source.ts';
import type { CallerSecrets } from '../../secrets/caller-secrets.ts';
import type { KernelMasking } from '../../secrets/kernel-masking.ts';
import type { SecretChain } from '../../secrets/secret-chain.ts';
import type { HookName } from '../../taps/hook-names.ts';
import type { GuardedTracer } from '../../trace/guarded-tracer.ts';
import type { CallOutput } from '../output.ts';
import type { CallRequest } from '../request.ts';
import type { RunningCalls } from '../running-calls.ts';
import type { Encoding, Identify, ReadReference } from './plugin-functions.ts';
import type { ToolView } from './tool-view.ts';

/** The additions of plugins that calls use. */
export interface CallExtensions {
  readonly encodings: ReadonlyMap<string, Encoding>;
  /** Identifiers by execution type. */
  readonly identifiers: ReadonlyMap<string, Identify>;
  readonly parameterIdentifiers: readonly Identify[];
  readonly readReference: ReadReference | undefined;
  readonly executionTypes: ReadonlyMap<string, Pick<ExecutionType, 'actsByFetch'>>;
  readonly fetch: OutboundFetch;
  readonly addresses: OutboundAddresses;
  readonly controlFiles: { readonly current: ControlFiles };
  readonly credentialSources: readonly PluginSource[];
  readonly tracer: GuardedTracer | undefined;
  /** Characters of an output for a model. @default no limit */
  readonly outputBudget: number | undefined;
  /** Throws INVALID_PARAMETERS for an invalid `once`, and PLUGIN_INVALID when no plugin supports it. */
  requireOnce(tool: Pick<Tool, 'name'>, once: unknown): void;
}

/** The kernel's services for calls, created once. */
export interface CallServices {
  /** Returns the current tools. */
  readonly registry: () => Registry;
  readonly masking: KernelMasking;
  readonly logger: Logger;
  readonly timeoutsMs: Readonly<Record<HookName, number>>;
  readonly extensions: CallExtensions;
  readonly secrets: SecretChain;
  readonly callerSecrets: CallerSecrets;
  /** Runs another call, for a tool that calls tools. */
  readonly call: (request: CallRequest) => Promise<CallOutput>;
  readonly live: LiveRegistry;
  readonly check: ToolView['check'];
  /** The running calls, so that closing the kernel can end them. */
  readonly running: Pick<RunningCalls, 'set' | 'delete'>;
}
