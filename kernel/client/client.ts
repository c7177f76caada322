import type { ApprovalQuestion } from '../approval/question.ts';
import type { ContentPart } from '../definition/content.ts';
import type { Logger, LogMeta } from '../log/logger.ts';
import type { JsonSchema } from '../schema/json.ts';

/** What tells a question of a call from its others. */
interface NamedRequest {
  /**
   * A name for the question, different from those of the other questions of the call and the same whenever the call is made: a client that
   * answers with another request names its answer so. @default the place among the questions of the call
   */
  readonly name?: string;
}

/** Values that a person is asked for. */
export interface Question extends NamedRequest {
  readonly message: string;
  /** An object whose members are strings, numbers, booleans or choices, as in MCP, Elicitation, Requested Schema. */
  readonly schema: JsonSchema;
  /** What an answer holds for, as a digest: one that was given for anything else is not taken, and one that was taken once not again. @default anything */
  readonly holdsFor?: string;
  /**
   * What that is a digest of, in words by name. Where the client answers with another request, and answers what was asked for other things, asking
   * rejects once with these in `details.answeredFor`, and `details.isAgain` where that had happened before: to be asked anew, with what changed.
   */
  readonly things?: Readonly<Record<string, string>>;
}

export interface Answer {
  /** `decline` is a no; `cancel` means that the person did not decide. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The values, when the action is `accept`. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A text that the caller's model is asked to write. */
export interface SamplingRequest extends NamedRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentPart }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
}

export interface Sample {
  readonly content: ContentPart | readonly ContentPart[];
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder or file that the caller's side works with. */
export interface ClientRoot {
  /** A `file:` URL. */
  readonly uri: string;
  readonly name?: string;
}

/**
 * What the caller's side can do while its call runs. A host gives what it has: over MCP, what the client declared. A member that is
 * absent cannot be had. Secrets are masked in everything that goes out. A question may end the call: where the client answers with another
 * request, the call is made again from its start then, and the question is answered at once. So a tool asks before it changes anything, and
 * asks the same things in the same order.
 */
export interface CallClient {
  /** Asks the person who uses the client. Rejects when the client fails or the call ends. `signal`: the call's own, unless given. */
  readonly elicit?: (question: Question, signal?: AbortSignal) => Promise<Answer>;
  /** The host's own way to put a call to a person, asked in place of `elicit`; undefined leaves it undecided. What `approved` says counts for nothing then. */
  readonly approve?: (question: ApprovalQuestion, signal?: AbortSignal) => Promise<boolean | undefined>;
  /** Asks the client's model. Rejects when the client fails or the call ends. */
  readonly sample?: (request: SamplingRequest, signal?: AbortSignal) => Promise<Sample>;
  /** The folders that the client works with. Rejects when the client fails or the call ends. */
  readonly roots?: (signal?: AbortSignal) => Promise<readonly ClientRoot[]>;
  /**
   * The caller need not wait: it goes on, and takes the result later. A plugin says so of a call that takes long, in the moment before it
   * runs, when everything is decided. What the call asks afterwards is asked then.
   */
  readonly later?: () => void;
  /** What the access token allows with which the client came. Absent where nothing of that kind limits it. */
  readonly scopes?: readonly string[];
  /** Shows a line of the tool's log. */
  readonly log?: (level: keyof Logger, message: string, meta?: LogMeta) => void;
}
