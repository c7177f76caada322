import type { Span } from '../../../../kernel/index.ts';
import type { Incoming } from '../../../shared/json-rpc/peer.ts';
import type { Arrival } from './arrival.ts';

/** A request to the client while its own request runs, such as elicitation or sampling. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** See `Question` of the kernel. */
  readonly name?: string;
  readonly holdsFor?: string;
  readonly things?: Readonly<Record<string, string>>;
  readonly record?: string;
}

/** The client's answer to a question. */
export type ClientAnswer = Readonly<Record<string, unknown>>;

export interface ExchangeContext {
  readonly arrival: Arrival;
  /** The span of the request. Absent where no plugin traces. */
  span?: Span;
  /** Sends the client a question about this request. Rejects when the client refuses, or when the signal aborts. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<ClientAnswer>;
  /** Notifies the client, also after the request has its response. Absent where each request stands alone. */
  readonly notifyClient?: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** True where a question ends the request, which the client repeats with the answer. @default false */
  readonly repeatsRequest?: boolean;
  /**
   * Converts the call to a task, whose result the client fetches later. `status`: the first message of its status. Returns false when the caller has
   * too many tasks, or the call is over. Absent where the client waits for the result.
   */
  readonly convertToTask?: (status?: string) => boolean;
  /** Id of the approval record that the answers in this request are for. Absent where they are for none. */
  readonly answersRecord?: string | undefined;
}

/** A running request, as its handler sees it. */
export type Exchange = Incoming<ExchangeContext>;
