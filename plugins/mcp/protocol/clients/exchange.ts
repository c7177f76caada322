import type { RequestId } from '../../../shared/json-rpc/message.ts';

/** A running request, as its handler sees it. */
export interface Exchange {
  readonly id: RequestId;
  /** Aborts when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Scopes of the request's access token; undefined without such a token, and then no scope limits the request. */
  readonly scopes: readonly string[] | undefined;
  /** Sends the client a notification about this request. One that cannot be sent is dropped. */
  notify(notification: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }): void;
  /** Sends the client a question about this request. Rejects when the client refuses, or when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Converts the call to a task, whose result the client fetches later. Absent where the client waits for the result. */
  convertToTask?(): void;
}

/** A request to the client while its own request runs, such as elicitation or sampling. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** See `Question` of the kernel. */
  readonly name?: string;
  readonly holdsFor?: string;
  readonly things?: Readonly<Record<string, string>>;
}
