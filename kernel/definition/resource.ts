import type { CallClient } from '../client/client.ts';
import type { Logger } from '../log/logger.ts';
import type { ContentPart, ResourceContent } from './content.ts';

type MaybePromise<T> = T | Promise<T>;

/** What code that is asked for a resource, a prompt or a completion gets. */
export interface ReadContext {
  readonly caller: string;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** What can be asked of the client of the caller. A request for a prompt or a resource may have to be made again, as a call. */
  readonly client: CallClient;
}

interface Described {
  /** The source that has listed it; the kernel sets it. */
  readonly source?: string;
  /** The plugin that has added it; the kernel sets it. */
  readonly plugin?: string;
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title?: string;
  readonly description?: string;
}

/** Something that a client can read, such as a document. */
export interface Resource extends Described {
  readonly uri: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  read(context: ReadContext): MaybePromise<ResourceContent | readonly ResourceContent[]>;
  /** Calls `changed` whenever the content changes, from the first subscriber on. Returns the end of the watch. */
  watch?(changed: () => void): () => void;
}

/** Values that begin with, or resemble, what a person has typed; `given` are the arguments filled in so far. The best come first. */
export type Completer = (typed: string, given: Readonly<Record<string, string>>) => MaybePromise<readonly string[]>;

/** Resources that are too many to list: `notes://{year}/{name}` (RFC 6570). */
export interface ResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  /** Undefined when there is no such resource. */
  read(
    uri: string,
    variables: Readonly<Record<string, string>>,
    context: ReadContext,
  ): MaybePromise<ResourceContent | readonly ResourceContent[] | undefined>;
  /** By name of the variable. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentPart;
}

/** A text that a person starts with, made from a few arguments. */
export interface Prompt extends Described {
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly complete?: Completer;
  }[];
  get(values: Readonly<Record<string, string>>, context: ReadContext): MaybePromise<readonly PromptMessage[]>;
}
