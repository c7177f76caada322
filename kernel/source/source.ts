import type { Registry } from '../definition/registry/registry.ts';
import type { Prompt, Resource, ResourceTemplate } from '../definition/resources/resource.ts';
import type { Problem } from '../definition/schema/problem.ts';
import type { Provider } from '../definition/schema/tool.ts';
import type { ControlFiles } from '../files/control-files.ts';
import type { Logger } from '../log/logger.ts';
import type { OutboundFetch } from '../outbound.ts';

type MaybePromise<T> = T | Promise<T>;

/** Receives the listing of a source. Each definition is copied as JSON. Anything over a limit of `sourceLimits` is refused. */
export interface SourceSink {
  /**
   * Adds a tool as `<source>_<name>`. `provider` names a provider of the same listing. The execution type must belong to the source's own plugin
   * or be listed in `executionTypes`. Throws OUTPUT_TOO_LARGE when the listing gets too long; the whole listing is refused then.
   */
  addTool(definition: unknown, provider?: string): void;
  /** Adds a provider as `<source>_<name>`. A provider named like the source keeps its name and serves all tools without a provider. */
  addProvider(definition: unknown): void;
  /** Adds a resource under its own URI. Ignored when another plugin or source has the URI. */
  addResource(resource: Resource): void;
  addResourceTemplate(template: ResourceTemplate): void;
  /** Adds a prompt as `<source>_<name>`. */
  addPrompt(prompt: Prompt): void;
  /**
   * Returns true when this listing is known, from this process or from the source's `cache`: add nothing then. Call it before anything is added.
   * `version` must change whenever the listing may, also by a change of the code that makes it: a digest of the document and the options, with
   * the build. After false the listing is cached under `version`, unless it has resources or prompts.
   */
  useCached(version: string): boolean;
  /**
   * Reports a problem with an item that could not be added. With the code APPROVAL_REQUIRED, the source withholds something until a person accepts
   * it: `message` says what, and by which command.
   */
  addProblem(problem: Pick<Problem, 'severity' | 'message'> & Partial<Pick<Problem, 'code' | 'tool'>>): void;
}

/** A listing with its link results, as JSON: a head that every start reads, and parts that are read one by one when they are needed. */
export interface CachedListing {
  readonly head: unknown;
  /** The number of parts. */
  readonly length: number;
  /** Returns a part, by its index from 0. */
  part(index: number): unknown;
}

/** A cache of listings between processes. The kernel has no files of its own. */
export interface SourceCache {
  /**
   * Returns the listing that was stored under this key. `key` contains the version and all that the kernel depends on, but not the build of
   * the program: the cache adds that. Undefined, or a throw: the source is listed.
   */
  read(key: string): CachedListing | undefined;
  /** Stores a listing. Its parts are read soon, perhaps after this returned. */
  store(key: string, listing: CachedListing): void;
}

/** The context of one listing. */
export interface SourceContext {
  readonly sink: SourceSink;
  /** Fetches through the outbound guard. Hosts in the operator's `urls` may be private; all others must be public. Fails after the listing has ended. */
  readonly fetch: OutboundFetch;
  /** The folders that tools may use, absolute. @default none, where no plugin confines paths */
  readonly roots: readonly string[];
  /** The provider that the source names as `account`. @default the source names none */
  readonly account?: Provider;
  /** Aborts at the time limit, when a newer listing starts, or when the kernel closes. Stop the listing's work then. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The context of a watch, which lasts until the kernel closes. */
export interface WatchContext {
  /** Aborts when the kernel closes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The services of the kernel for a source, outside of its listings: for connections that stay open. */
export interface SourceAccess {
  /** Fetches like `SourceContext.fetch`, until the kernel closes. */
  readonly fetch: OutboundFetch;
  /** Returns the folders that tools may use, absolute; empty where no plugin confines paths. */
  roots(): readonly string[];
  /** Returns the files that tools may not use. */
  controlFiles(): ControlFiles;
}

/**
 * A source of tools, resources and prompts outside this program: a server or a document. All its items are in its own
 * namespace, and changes are withheld until a person accepts them.
 */
export interface Source {
  /** Fills the sink. On throw: the previous listing stays, and listing is retried later. */
  list(context: SourceContext): MaybePromise<void>;
  /**
   * Watches the source. Calls `changed` after a possible change: the kernel lists this source again, once for many calls. `changed(error)`
   * reports that it is unreachable. May return a function that ends the watch. Begins after the kernel has started.
   */
  watch?(changed: (error?: unknown) => void, context: WatchContext): MaybePromise<undefined | (() => void)>;
  /**
   * Records the changes that a host accepts (`kernel.sources.accept`, a reviewed reload), before they take effect, so that a restart accepts them
   * as well. On throw: nothing is accepted. @default they are accepted until the kernel closes
   */
  onAccept?(changes: readonly PendingChange[]): MaybePromise<void>;
  /** Time limit of one listing in milliseconds. A start waits at most this long. @default 10000 */
  readonly timeoutMs?: number;
  /** `review`: changes after the first listing are withheld until a person accepts them. `all`: they apply at once. @default 'review' */
  readonly trust?: 'review' | 'all';
  /** Execution types of other plugins that its tools may use, such as `http`. @default the types of its own plugin */
  readonly executionTypes?: readonly string[];
  /** Names of secrets that its tools may use, besides those that begin with `<SOURCE>_`. @default none */
  readonly secrets?: readonly string[];
  /**
   * Name of a provider of a plugin or package. Its tools may also use the secrets that `oauth2.provides` of the provider names: they act for the
   * accounts of callers there. A start fails with CONFIG_INVALID when there is no such provider. @default none
   */
  readonly account?: string;
  /** URLs that the operator allows: their origins may be private, for listings and for tools. @default none */
  readonly urls?: readonly string[];
  /** A cache for `sink.useCached`. @default listings are known only to the process that made them */
  readonly cache?: SourceCache;
  /** Delay before a failed listing is retried, in milliseconds. Doubled each time, up to five minutes. @default 5000 */
  readonly retryDelayMs?: number;
}

/**
 * `starting`: not listed yet. `ready`: every item can be used. `degraded`: the last listing failed, or some items cannot be used; the
 * previous listing stays. `down`: never listed, and listing fails. `needs-auth`: it refuses the credentials.
 * `quarantined`: something is withheld until a person accepts it: a change, or what the source itself reports with the code APPROVAL_REQUIRED.
 */
export type SourceState = 'starting' | 'ready' | 'degraded' | 'down' | 'needs-auth' | 'quarantined';

/** The kinds of a source's items. */
export type SourceItemKind = 'tool' | 'provider' | 'resource' | 'resource template' | 'prompt';

/** A change of a listed item, withheld until a person accepts it. */
export interface PendingChange {
  readonly source: string;
  readonly change: 'new' | 'changed';
  readonly kind: SourceItemKind;
  /** The name with the source's prefix; the URI for resources. */
  readonly name: string;
  /** The changed members, such as `parameters.path.type`, at most ten. Empty for a new item. */
  readonly differs: readonly string[];
  /** The definition in the current listing. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The definition that was accepted before. Absent for a new item. */
  readonly accepted?: Readonly<Record<string, unknown>>;
  /** The shared schemas (`$defs` of the provider) that a changed tool reaches and that differ, by name, at most ten. @default none */
  readonly schemas?: Readonly<Record<string, { readonly accepted?: unknown; readonly listed?: unknown }>>;
  /** Digest of the item (hex), which covers what a tool uses of its provider. Two listings with equal digests offer the same. */
  readonly digest: string;
}

/** The status of one source, for operators and their programs. */
export interface SourceStatus {
  readonly name: string;
  readonly plugin: string;
  readonly state: SourceState;
  /** The number of its tools that can be called. */
  readonly tools: number;
  /** The withheld changes. */
  readonly withheld: readonly Pick<PendingChange, 'change' | 'kind' | 'name' | 'differs'>[];
  /** Messages of the problems that its newest listing reported, each with what to do: what it withholds itself, and what it could not list. */
  readonly reported: readonly string[];
  /** The reason of the last failed listing. */
  readonly failure?: string;
  /** Time of the last successful listing, in epoch ms. */
  readonly listedAt?: number;
}

/** The sources of a running kernel, for its host. */
export interface KernelSources {
  /** Returns each source with its state and withheld changes. */
  list(): readonly SourceStatus[];
  /** Returns all withheld changes, with the definitions. */
  pending(): readonly PendingChange[];
  /**
   * Accepts pending changes: by name as they are now, or exactly those that `pending` returned, so that nothing is accepted that was not shown. Throws
   * NOT_FOUND for a change that is not pending, or no longer in that form, and what a source throws that cannot record it.
   * @default all of them
   */
  accept(changes?: readonly (string | PendingChange)[]): Promise<Registry>;
  /** Lists only this source again. Throws NOT_FOUND for an unknown name. */
  relist(name: string): Promise<Registry>;
}
