import type { CallClient } from '../../client/client.ts';
import type { ContentPart, ResourceContent } from '../../client/content.ts';
import type { Logger } from '../../log/logger.ts';
import type { Span } from '../../trace/span.ts';

type MaybePromise<T> = T | Promise<T>;

/** The context of reading a resource, a prompt or a completion. */
export interface ReadContext {
  readonly caller: string;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** The caller's client. A client may have to repeat a request for a prompt or a resource, like a call. */
  readonly client: CallClient;
  /** The span of the request. Absent where no plugin traces. */
  readonly span?: Span | undefined;
}

interface Described {
  /** The source of the item. The kernel sets it. */
  readonly source?: string;
  /** The plugin of the item. The kernel sets it. */
  readonly plugin?: string;
  /** The name for programs. */
  readonly name: string;
  /** The title for people. */
  readonly title?: string;
  readonly description?: string;
  /** Annotations, icons and metadata for clients, as in MCP. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The contents of a resource with metadata, where the contents alone are not all. */
export interface ReadResult {
  readonly contents: readonly ResourceContent[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

type Read = ResourceContent | readonly ResourceContent[] | ReadResult;

/** Content for clients, such as a document. */
export interface Resource extends Described {
  readonly uri: string;
  readonly mimeType?: string;
  /** Size in bytes. */
  readonly size?: number;
  read(context: ReadContext): MaybePromise<Read>;
  /** Calls `changed` after each change of the content, while there are subscribers. Returns a function that ends the watch. */
  watch?(changed: () => void): () => void;
}

/** Returns values that begin with, or resemble, the typed text, best first. `given`: the arguments filled in so far. */
export type Completer = (
  typed: string,
  given: Readonly<Record<string, string>>,
  context: Pick<ReadContext, 'caller' | 'signal' | 'logger' | 'span'>,
) => MaybePromise<readonly string[] | Completion>;

/** The values of a completion that knows more of them than it returns. */
export interface Completion {
  readonly values: readonly string[];
  /** The number of all values. */
  readonly total?: number;
  readonly hasMore?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A URI template for resources that are too many to list: `notes://{year}/{name}` (RFC 6570). */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  /** Reads a resource. Returns undefined when it does not exist. */
  read(uri: string, variables: Readonly<Record<string, string>>, context: ReadContext): MaybePromise<Read | undefined>;
  /** Completers by variable name. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentPart;
}

/** The messages of a prompt, with its own description for these values. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A prompt for people, built from a few arguments. */
export interface Prompt extends Described {
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly complete?: Completer;
  }[];
  get(values: Readonly<Record<string, string>>, context: ReadContext): MaybePromise<readonly PromptMessage[] | PromptResult>;
}
