import type { Problem } from '../definition/problem.ts';
import type { Registry } from '../definition/registry.ts';
import type { Prompt, Resource, ResourceTemplate } from '../definition/resource.ts';
import type { Logger } from '../log/logger.ts';
import type { OutboundFetch } from '../outbound.ts';

type MaybePromise<T> = T | Promise<T>;

/** Takes the listing of a source. Each definition is copied as JSON; what is over a limit of `sourceLimits` is refused. */
export interface SourceSink {
  /**
   * Adds a tool as `<source>_<name>`. `provider` names one that the same listing adds. Its execution type must be one that the plugin of the
   * source has added, or that the source names in `executionTypes`. Throws OUTPUT_TOO_LARGE where a listing gets too long; the listing is refused then.
   */
  addTool(definition: unknown, provider?: string): void;
  /** Adds a provider as `<source>_<name>`; one that has the name of the source keeps it, and is that of all tools that name none. */
  addProvider(definition: unknown): void;
  /** Adds a resource under its own URI, which is not used where another plugin or source has it. */
  addResource(resource: Resource): void;
  addResourceTemplate(template: ResourceTemplate): void;
  /** Adds a prompt as `<source>_<name>`. */
  addPrompt(prompt: Prompt): void;
  /** Reports what could not be made a tool. */
  addProblem(problem: Pick<Problem, 'severity' | 'message'> & Partial<Pick<Problem, 'code' | 'tool'>>): void;
}

/** The context of one listing. */
export interface SourceContext {
  readonly sink: SourceSink;
  /** Fetch behind the outbound guard. Hosts that the operator has named in `urls` may be private; all others must be public. Sends nothing once the listing is over. */
  readonly fetch: OutboundFetch;
  /** The folders that tools may use, absolute. @default none, where no plugin confines paths */
  readonly roots: readonly string[];
  /** Aborts when the time of the listing is over, a newer one takes its place, or the kernel closes: end what the listing has started. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** The context of a watch, which lasts until the kernel closes. */
export interface WatchContext {
  /** Aborts when the kernel closes. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Where tools, resources and prompts come from that this program does not own: a server, a document. Everything that it lists is in its own
 * namespace, and what changes in it is withheld until somebody has seen it.
 */
export interface Source {
  /** Fills the sink. On throw: what it listed before stays, and it is asked again after a while. */
  list(context: SourceContext): MaybePromise<void>;
  /**
   * Calls `changed` whenever there may be something else to list: this source alone is listed again, once for many calls. `changed(error)`
   * says that it cannot be reached for now. May return the end of the watch. Begins when the kernel has started.
   */
  watch?(changed: (error?: unknown) => void, context: WatchContext): MaybePromise<undefined | (() => void)>;
  /** Time limit of one listing in milliseconds, for which a start waits at most. @default 10000 */
  readonly timeoutMs?: number;
  /** `review`: what is new or different after the first listing is withheld until somebody has seen it. `all`: it is taken at once. @default 'review' */
  readonly trust?: 'review' | 'all';
  /** Execution types of other plugins that its tools may have, such as `http`. @default those that its plugin has added */
  readonly executionTypes?: readonly string[];
  /** Names of secrets that its tools may use beside those that begin with `<SOURCE>_`. @default none */
  readonly secrets?: readonly string[];
  /** URLs that the operator has named for it: their origins may be private, for its listings and for its tools. @default none */
  readonly urls?: readonly string[];
  /** Time until a listing that failed is tried again, in milliseconds; doubled each time, up to five minutes. @default 5000 */
  readonly retryDelayMs?: number;
}

/**
 * `starting`: nothing is listed yet. `ready`: all that it lists can be called. `degraded`: the last listing failed, or some of it cannot be
 * used; what was listed before stays. `down`: it has never been listed, and cannot be. `needs-auth`: it refuses its credentials.
 * `quarantined`: something of it is withheld until somebody has seen it.
 */
export type SourceState = 'starting' | 'ready' | 'degraded' | 'down' | 'needs-auth' | 'quarantined';

/** The kinds of what a source lists. */
export type SourceItemKind = 'tool' | 'provider' | 'resource' | 'resource template' | 'prompt';

/** Something that a source lists otherwise than somebody has seen it, and that is withheld. */
export interface PendingChange {
  readonly source: string;
  readonly change: 'new' | 'changed';
  readonly kind: SourceItemKind;
  /** With the prefix of the source; a URI for resources. */
  readonly name: string;
  /** The members that differ, such as `parameters.path.type`; ten at most. Empty for what is new. */
  readonly differs: readonly string[];
  /** The definition as it is listed now. */
  readonly definition: Readonly<Record<string, unknown>>;
}

/** One source, for people and programs that look after it. */
export interface SourceStatus {
  readonly name: string;
  readonly plugin: string;
  readonly state: SourceState;
  /** Tools of it that can be called. */
  readonly tools: number;
  /** The things that are withheld. */
  readonly withheld: readonly Pick<PendingChange, 'change' | 'kind' | 'name' | 'differs'>[];
  /** Why its last listing failed. */
  readonly failure?: string;
  /** Epoch ms of the last listing that did not fail. */
  readonly listedAt?: number;
}

/** The sources of a running kernel, for its host. */
export interface KernelSources {
  /** Each with its state and what is withheld of it. */
  list(): readonly SourceStatus[];
  /** All that sources list otherwise than somebody has seen it, with the definitions. */
  pending(): readonly PendingChange[];
  /**
   * Takes what is withheld: somebody has seen it. `names`: as in `pending`. Throws NOT_FOUND for a name of nothing that is withheld.
   * @default all of it
   */
  accept(names?: readonly string[]): Promise<Registry>;
  /** Lists one source again, and no other. Throws NOT_FOUND for a name that no source has. */
  relist(name: string): Promise<Registry>;
}
