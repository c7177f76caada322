import type { Refusal } from './call/refusals.ts';
import type { CallRequest, ExecuteOptions } from './call-request.ts';
import type { Origin } from './definition/check-definition.ts';
import type { Advise } from './definition/check-tool.ts';
import type { LinkOptions } from './definition/link.ts';
import type { Problem } from './definition/problem.ts';
import type { Registry } from './definition/registry.ts';
import type { DurableCalls } from './durable/durable-calls.ts';
import type { DurableHandle } from './durable/durable-handle.ts';
import type { DurableOptions } from './durable/durable-request.ts';
import type { ApprovalProof } from './extensions.ts';
import type { CallOutput, HookName, RunningServer, ServeOptions } from './hooks.ts';
import type { Logger } from './log/logger.ts';
import type { JsonObject } from './schema/json.ts';
import type { DurableArguments, OutputOf, ToolArguments, ToolName } from './schema/tool-types.ts';
import type { Secret } from './secrets/secret.ts';
import type { KernelSources } from './source/source.ts';
import type { ConfiguredTap } from './taps/configured-tap.ts';

/** What a kernel is made with, beside its plugins. */
export interface KernelSettings {
  /** @default a logger on standard error, level info */
  readonly logger?: Logger;
  /** Time limits of hooks in milliseconds. @default `defaultTimeoutsMs`, hook by hook */
  readonly timeoutsMs?: Readonly<Partial<Record<HookName, number>>>;
  /** Where relative paths in plugin options start. @default process.cwd() */
  readonly cwd?: string;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** A plugin as `kernel.plugins` lists it. */
export interface ConfiguredPlugin {
  readonly name: string;
  readonly version?: string;
  readonly options: unknown;
  /** The preset or module that it came with, as the configuration names it, such as `toolkit/standard`. @default it is listed by itself */
  readonly from?: string;
  /** The subcommands of the program that it brings. */
  readonly commands?: readonly { readonly name: string }[];
}

/**
 * A running kernel: lists and calls tools, serves, reloads, closes. What every host is built on (library, MCP, command line, adapters).
 * `await using` closes it.
 */
export interface Kernel extends AsyncDisposable {
  /** In the order in which they were applied: that of the configuration, presets unfolded. */
  readonly plugins: readonly ConfiguredPlugin[];
  readonly logger: Logger;
  /** The tools of this moment; another object after a reload. */
  readonly registry: Registry;
  /** The taps on a hook, in running order. */
  tapsOf(hook: HookName): readonly ConfiguredTap[];
  /**
   * Runs a tool: parameters are checked, policy and approvals decide, the result comes back masked. Throws ToolkitError, with a code such as
   * TOOL_NOT_FOUND, INVALID_PARAMETERS, POLICY_DENIED, EXECUTION_FAILED or TIMEOUT; ABORTED when the kernel is closed.
   * @example const { output } = await kernel.call({ tool: 'greet', parameters: { who: 'you' }, caller: 'ada' });
   */
  call(request: CallRequest): Promise<CallOutput>;
  /**
   * The same as `call`, for transports that answer at once what need not wait: a call that waits for nothing is over when this returns, and no
   * promise is made for it. Throws, or rejects, with ToolkitError.
   */
  start(request: CallRequest): CallOutput | Promise<CallOutput>;
  /** For hosts whose calls say `isHeld`: to be called, and waited for where it gives a promise, before their answers leave. Never throws. */
  beforeAnswers(): void | Promise<void>;
  /**
   * With `durable: true`, a handle of a call that survives a restart: it is made once, by this process or another one, as soon as one is free. A
   * plugin keeps it, such as `engine-local`. The same `id` twice is one call. Rejects with INVALID_PARAMETERS for options that cannot be stored.
   * @example const handle = await kernel.execute('report_build', { month: '2026-01' }, { durable: true, id: 'report 2026-01' });
   */
  execute<Name extends ToolName>(tool: Name, ...given: DurableArguments<Name, DurableOptions>): Promise<DurableHandle<OutputOf<Name>>>;
  /** The same as `call`, for host code that needs only the output. */
  execute<Name extends ToolName>(tool: Name, ...given: ToolArguments<Name, ExecuteOptions>): Promise<OutputOf<Name>>;
  /** Durable calls, those of all callers: for the host, never for a tool. */
  readonly calls: DurableCalls;
  /** Resolves these secrets now, in one batch, so that the first call need not wait. @default every secret that a tool names */
  resolveSecrets(names?: readonly string[]): Promise<void>;
  /** The newest value that is known, as an opaque handle. */
  secret(name: string): Secret | undefined;
  /** The plugin that gave a secret; undefined when nobody has. */
  resolverOf(secret: string): string | undefined;
  /** For hosts: notifies plugins of what was refused before it was a call. Never throws. */
  reportRefusal(refusal: Refusal): void;
  /** What a model has to give as `_toolkit_approved`. Hosts add that argument to tools that require approval, and leave it out for `none`. */
  readonly approvalProof: ApprovalProof;
  /** Masks every known secret in a value. */
  mask<T>(value: T): T;
  /**
   * Has plugins read their own files again (policy, certificate), then discovers again and swaps the registry at once; a file that is broken
   * now keeps the tools it gave before. `code`: the modules of tools may have changed as well and are imported anew by the next call; what an
   * old module keeps stays in memory, so this is for development, and for what happens a few times a day.
   */
  reload(options?: { readonly code?: boolean }): Promise<Registry>;
  /** A hash for each tool and provider of this moment (`tool pay`, `provider bank`): another one when the definition or its code is. */
  fingerprints(): Promise<ReadonlyMap<string, string>>;
  /** What definitions may say here: execution types, definition keys and encodings, those of all plugins. */
  readonly linkOptions: LinkOptions;
  /** What would be wrong with a tool definition beside the tools of this moment. Nothing is registered. */
  check(definition: unknown, origin?: Partial<Origin>, advise?: Advise): readonly Problem[];
  /** What comes from outside, by `extend.source`: its states, what is withheld of it, and that somebody has seen it. For the host, never for a tool. */
  readonly sources: KernelSources;
  /** What plugins say of their limits and who uses how much of them, by the names that they gave. For operators: it names callers. */
  status(): JsonObject;
  /** Called after each reload. Returns the end of the subscription. */
  onReload(listener: (registry: Registry) => void): () => void;
  /** Starts every configured transport, and what plugins do by themselves. */
  serve(options?: ServeOptions): Promise<readonly RunningServer[]>;
  /** Aborts when `close` begins, before running calls are given their time: transports take no new work from then on. */
  readonly closing: AbortSignal;
  /**
   * Takes no more calls, gives running ones `drainMs` to end (default 0), ends the rest (ABORTED), and disposes every plugin, in reverse
   * order. The second time it does nothing. Throws the collected failures.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}
