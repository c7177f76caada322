import type { JsonSchema, JsonValue } from '../json/json.ts';
import type { Logger, LogMeta } from '../log/logger.ts';
import type { ApprovalQuestion } from './approval-question.ts';
import type { ContentPart } from './content.ts';
import type { UrlAnswer, UrlRequest } from './url-request.ts';

/** A name of a request to the client, unique within its call. */
interface NamedRequest {
  /**
   * A name, unique among the questions of the call and the same when the call runs again. A client that answers in another request
   * uses it for the answer. @default the index of the question in the call
   */
  readonly name?: string;
}

/** A question for values, to the person who uses the client. */
export interface Question extends NamedRequest {
  readonly message: string;
  /** The schema of the values: an object with strings, numbers, booleans or choices, as in MCP, Elicitation, Requested Schema. */
  readonly schema: JsonSchema;
  /** Members for clients of a question that a server asks through this program, as in MCP. */
  readonly mode?: 'form';
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** A digest to which the answer is bound: an answer to another digest is not used, and each answer is used once. @default not bound */
  readonly holdsFor?: string;
  /**
   * The parts behind the digest, as texts by name. If the client answers in another request and the parts have changed, the question rejects
   * once with the old parts in `details.answeredFor` (and `details.isAgain` after an earlier rejection). Ask again, and show the changes.
   */
  readonly things?: Readonly<Record<string, string>>;
  /** Id of the approval record that the question is about: see `CallClient.answersRecord`. */
  readonly record?: string;
}

export interface Answer {
  /** The person's choice. `decline` is a no; `cancel` means that the person did not decide. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The values, when the action is `accept`. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A request for a text from the caller's model. The members are those of MCP, Sampling. */
export interface SamplingRequest extends NamedRequest {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: ContentPart | readonly ContentPart[];
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  /** From 0. Greater values give more varied texts. */
  readonly temperature?: number;
  /** Texts at which the model ends. */
  readonly stopSequences?: readonly string[];
  /** Hints for the client's choice of a model. */
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  /** Members for the provider of the model. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Sample {
  readonly content: ContentPart | readonly ContentPart[];
  readonly model: string;
  readonly stopReason?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Severities of a server's log, least severe first (RFC 5424, 6.2.1). */
export type EntryLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** An entry of the log of another server, as in MCP, Logging. */
export interface LogEntry {
  readonly level: EntryLevel;
  /** The part of the server that wrote it. */
  readonly logger?: string;
  readonly data: JsonValue;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A folder or file of the client. */
export interface ClientRoot {
  /** A `file:` URL. */
  readonly uri: string;
  readonly name?: string;
}

/**
 * The client's abilities while its call runs. A host provides its own; over MCP, the client declares them. An absent member is unavailable.
 * Secrets are masked in all requests. A request may end the call: if the client answers in another request, the call runs again from its start,
 * and the request is answered at once. Therefore send requests before any change, and always the same ones in the same order.
 */
export interface CallClient {
  /** Asks the person who uses the client. Rejects when the client fails or the call ends. `signal`: the call's own, unless given. */
  readonly elicit?: (question: Question, signal?: AbortSignal) => Promise<Answer>;
  /**
   * Asks the person to open an address (http or https), such as the login page of a provider. Rejects when the client fails or the call ends. Where the
   * client answers in another request, its answer is bound to the address, or to `holdsFor`, so that a new address is not a new question.
   */
  readonly elicitUrl?: (request: UrlRequest, signal?: AbortSignal) => Promise<UrlAnswer>;
  /** Asks for an approval in the host's own way, instead of `elicit`. Undefined leaves it undecided. The `approved` claim is then ignored. */
  readonly approve?: (question: ApprovalQuestion, signal?: AbortSignal) => Promise<boolean | undefined>;
  /**
   * Receives the id of the approval record of the call, before anyone is asked. The record then ends when the host reports the end of the call
   * (`EngineApprovals`), not with this run: the host may run the call again by itself.
   */
  readonly onHeld?: (record: string) => void;
  /** Asks the client's model. Rejects when the client fails or the call ends. */
  readonly sample?: (request: SamplingRequest, signal?: AbortSignal) => Promise<Sample>;
  /** Returns the client's folders. Rejects when the client fails or the call ends. */
  readonly roots?: (signal?: AbortSignal) => Promise<readonly ClientRoot[]>;
  /**
   * Detaches the call: the caller goes on and fetches the result later. For a long call, directly before it runs, when everything is decided; and for
   * one that waits for a person whom this client cannot ask. Later requests of the call are sent when the caller fetches it. `status`: a sentence for
   * the caller meanwhile, such as what the call waits for. Returns false when the call could not be detached: its caller waits for the result.
   */
  readonly later?: (status?: string) => boolean | undefined;
  /**
   * Id of the approval record that the answers in this request are for, where `repeatsCall`. Verified: the client was asked about that record by this
   * same call. The record may have been decided in another way since.
   */
  readonly answersRecord?: string;
  /** True where the client answers in another request: a question ends the call, which runs again from its start with the answer. @default false */
  readonly repeatsCall?: boolean;
  /** The scopes of the client's access token. Absent without such a limit. */
  readonly scopes?: readonly string[];
  /** Shows a line of the tool's log. */
  readonly log?: (level: keyof Logger, message: string, meta?: LogMeta) => void;
  /** Shows an entry of another server's log, whole. */
  readonly logEntry?: (entry: LogEntry) => void;
  /** The least severe level of entries that the client shows. Absent when it shows none. */
  readonly logLevel?: EntryLevel;
}
