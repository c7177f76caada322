import type { Approvals } from './approval/approvals.ts';
import type { CallOutput } from './call/output.ts';
import type { Refusal } from './call/refusals.ts';
import type { CallRequest, ExecuteOptions } from './call/request.ts';
import type { LinkOptions } from './definition/link/link.ts';
import type { Advise } from './definition/registry/check-tool.ts';
import type { Registry } from './definition/registry/registry.ts';
import type { Origin } from './definition/schema/origin.ts';
import type { Problem } from './definition/schema/problem.ts';
import type { DurableCalls } from './durable/durable-calls.ts';
import type { DurableHandle } from './durable/durable-handle.ts';
import type { DurableOptions } from './durable/durable-request.ts';
import type { ApprovalProof } from './extend.ts';
import type { Finding } from './finding.ts';
import type { JsonObject } from './json/json.ts';
import type { Logger } from './log/logger.ts';
import type { DurableArguments, OutputOf, ToolArguments, ToolName } from './schema/tool-types.ts';
import type { Secret } from './secrets/secret.ts';
import type { HttpRoutes } from './serve/http-route.ts';
import type { RunningServer, ServeOptions } from './serve/serve-sink.ts';
import type { KernelSources } from './source/source.ts';
import type { StateStore } from './state/state-store.ts';
import type { ConfiguredTap } from './taps/configured-tap.ts';
import type { Fact, FactKind } from './taps/facts.ts';
import type { Gauge } from './taps/gauges.ts';
import type { HookName } from './taps/hook-names.ts';
import type { MaybePromise } from './time/maybe-promise.ts';
import type { Tracer } from './trace/span.ts';

/** The settings of a kernel, besides its plugins. */
export interface KernelSettings {
  /** @default a logger on standard error, level info */
  readonly logger?: Logger;
  /** Time limits of hooks in milliseconds. @default `defaultTimeoutsMs`, hook by hook */
  readonly timeoutsMs?: Readonly<Partial<Record<HookName, number>>>;
  /** Base folder of relative paths in plugin options. @default process.cwd() */
  readonly cwd?: string;
  /** Returns the time in epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** Services of a check, beside the options of its plugin. */
export interface CheckServices {
  /** The running kernel, to read from. Undefined when the configuration cannot be used. */
  readonly kernel: Kernel | undefined;
  /** True when the configuration lists the plugin. The checks of a built-in plugin that it does not list run with empty options. */
  readonly isListed: boolean;
  /** Base folder of relative paths in options: the folder of the configuration file, else the working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The store of the kernel: shared when a plugin provides one. Undefined when the configuration cannot be used. */
  readonly state: StateStore | undefined;
  /** True when the kernel serves clients: its own addresses are in use then. @default false */
  readonly isServing?: boolean;
}

/** A check with the options of its plugin. */
export interface ConfiguredCheck {
  readonly name: string;
  readonly isThorough: boolean;
  run(services: CheckServices): MaybePromise<readonly Finding[]>;
}

/** Options of plugins, by the name of the plugin. */
export type Overrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A subject of plugins' flags: serving clients, finding tools, resolving secrets. */
export type FlagTopic = 'serve' | 'tools' | 'secrets';

/** A plugin as listed by `kernel.plugins`. */
export interface ConfiguredPlugin {
  readonly name: string;
  readonly version?: string;
  readonly options: unknown;
  /** The preset or module that contains the plugin, as the configuration names it, such as `toolkit/standard`. @default the plugin is listed by itself */
  readonly from?: string;
  /** The plugin's subcommands of the program. */
  readonly commands?: readonly { readonly name: string }[];
  /** The plugin's checks for `toolkit doctor`, with its options. */
  readonly checks?: readonly ConfiguredCheck[];
}

/**
 * A running kernel: lists and calls tools, serves, reloads, closes. Every host is built on it (library, MCP, command line, adapters).
 * `await using` closes it.
 */
export interface Kernel extends AsyncDisposable {
  /** The plugins in the order of application: that of the configuration, with presets expanded. */
  readonly plugins: readonly ConfiguredPlugin[];
  readonly logger: Logger;
  /** The current tools. A reload replaces the object. */
  readonly registry: Registry;
  /** Returns the taps on a hook, in running order. */
  tapsOf(hook: HookName): readonly ConfiguredTap[];
  /** Returns what plugins state by `extend.fact`, in their order. Empty for a kind that no plugin states. */
  facts<T>(kind: FactKind<T>): readonly Fact<T>[];
  /**
   * Runs a tool: checks parameters, applies policy and approvals, returns the masked result. Throws ToolkitError, with a code such as
   * TOOL_NOT_FOUND, INVALID_PARAMETERS, POLICY_DENIED, EXECUTION_FAILED or TIMEOUT; ABORTED when the kernel is closed.
   * @example const { output } = await kernel.call({ tool: 'greet', parameters: { who: 'you' }, caller: 'ada' });
   */
  call(request: CallRequest): Promise<CallOutput>;
  /**
   * Runs a tool like `call`, but without a promise if nothing has to wait: the call has then ended when this returns. For transports
   * that answer at once. Throws, or rejects, with ToolkitError.
   */
  start(request: CallRequest): CallOutput | Promise<CallOutput>;
  /** Runs the plugins' work before held answers are sent. A host with `isHeld` calls must call it first, and await a promise. Never throws. */
  beforeAnswers(): void | Promise<void>;
  /**
   * Submits a durable call and returns its handle. The call survives a restart, and runs once, in the first free process. A plugin such as
   * `engine-local` stores it. The same `id` twice is one call. Rejects with INVALID_PARAMETERS for options that cannot be stored.
   * @example const handle = await kernel.execute('report_build', { month: '2026-01' }, { durable: true, id: 'report 2026-01' });
   */
  execute<Name extends ToolName>(tool: Name, ...given: DurableArguments<Name, DurableOptions>): Promise<DurableHandle<OutputOf<Name>>>;
  /** Runs a tool like `call`, and returns only its output. */
  execute<Name extends ToolName>(tool: Name, ...given: ToolArguments<Name, ExecuteOptions>): Promise<OutputOf<Name>>;
  /** Durable calls of all callers. For the host, never for a tool. */
  readonly calls: DurableCalls;
  /** The calls that wait for a person, of all callers. For the host, never for a tool. */
  readonly approvals: Approvals;
  /** The kernel's own numbers, then those that plugins state by `extend.gauge`, for plugins that measure. */
  readonly gauges: readonly Gauge[];
  /** The tracer, for a host that starts a span for each request of a client. Undefined where no plugin traces. */
  readonly tracer: Tracer | undefined;
  /** Resolves secrets now, in one batch, so that the first call need not wait. @default every secret that a tool names */
  resolveSecrets(names?: readonly string[]): Promise<void>;
  /** Returns the newest known value, as an opaque handle. */
  secret(name: string): Secret | undefined;
  /** Returns the plugin that provided a secret; undefined when none did. */
  resolverOf(secret: string): string | undefined;
  /** Returns true for a secret of which a source (`CredentialSource`) may have a value, for some callers or all. */
  hasSource(secret: string): boolean;
  /** Reports a request that the host refused before a call. Never throws. */
  reportRefusal(refusal: Refusal): void;
  /** The proof of approval that a model gives as `_toolkit_approved`. Hosts add that argument to tools that require approval, except for `none`. */
  readonly approvalProof: ApprovalProof;
  /** Masks every known secret in a value. */
  mask<T>(value: T): T;
  /**
   * Lets plugins reread their own files (policy, certificate), then discovers again and replaces the registry. The tools of an invalid file
   * stay unchanged. With `code`, the next call imports tool modules anew. Old modules stay in memory: use it for development, or a few
   * times a day.
   */
  reload(options?: { readonly code?: boolean }): Promise<Registry>;
  /** Returns a fingerprint of each current tool and provider (`tool pay`, `provider bank`). It changes with the definition or its code. */
  fingerprints(): Promise<ReadonlyMap<string, string>>;
  /** The execution types, definition keys and encodings of all plugins, for linking definitions. */
  readonly linkOptions: LinkOptions;
  /** Returns the problems of a tool definition next to the current tools. Registers nothing. */
  check(definition: unknown, origin?: Partial<Origin>, advise?: Advise): readonly Problem[];
  /** The sources of `extend.source`: their states and pending changes, and accepting those. For the host, never for a tool. */
  readonly sources: KernelSources;
  /** The routes of plugins on an HTTP server (`extend.httpRoute`). For the host that serves them. */
  readonly httpRoutes: HttpRoutes;
  /** Returns the statuses of plugins by name, such as limits and their use. For operators: it names callers. */
  status(): JsonObject;
  /** Calls `listener` after each reload. Returns a function that unsubscribes. */
  onReload(listener: (registry: Registry) => void): () => void;
  /** Starts every configured transport, and the background work of plugins. */
  serve(options?: ServeOptions): Promise<readonly RunningServer[]>;
  /** Aborts when `close` begins, before running calls get time to end. Transports take no new work from then on. */
  readonly closing: AbortSignal;
  /**
   * Refuses new calls, gives running calls `drainMs` to end (default 0), aborts the rest (ABORTED), and disposes every plugin, in reverse
   * order. A second call does nothing. Throws the collected failures.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}
