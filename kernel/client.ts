import type { ApprovalQuestion } from './approval/question.ts';
import type { ContentPart } from './definition/content.ts';
import type { Logger, LogMeta } from './log/logger.ts';
import type { JsonSchema } from './schema/json.ts';

/** Values that a person is asked for. */
export interface Question {
  readonly message: string;
  /** An object whose members are strings, numbers, booleans or choices, as in MCP, Elicitation, Requested Schema. */
  readonly schema: JsonSchema;
}

export interface Answer {
  /** `decline` is a no; `cancel` means that the person did not decide. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** The values, when the action is `accept`. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** A text that the caller's model is asked to write. */
export interface SamplingRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: ContentPart }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
}

export interface Sample {
  readonly content: ContentPart | readonly ContentPart[];
  readonly model: string;
  readonly stopReason?: string;
}

/**
 * What the caller's side can do while its call runs. A host gives what it has: over MCP, what the client declared. A member that is
 * absent cannot be had. Secrets are masked in everything that goes out.
 */
export interface CallClient {
  /** Asks the person who uses the client. Rejects when the client fails or the call ends. `signal`: the call's own, unless given. */
  readonly elicit?: (question: Question, signal?: AbortSignal) => Promise<Answer>;
  /** The host's own way to put a call to a person, asked in place of `elicit`; undefined leaves it undecided. What `approved` says counts for nothing then. */
  readonly approve?: (question: ApprovalQuestion, signal?: AbortSignal) => Promise<boolean | undefined>;
  /** Asks the client's model. Rejects when the client fails or the call ends. */
  readonly sample?: (request: SamplingRequest, signal?: AbortSignal) => Promise<Sample>;
  /** What the access token allows with which the client came. Absent where nothing of that kind limits it. */
  readonly scopes?: readonly string[];
  /** Shows a line of the tool's log. */
  readonly log?: (level: keyof Logger, message: string, meta?: LogMeta) => void;
}
