import type { RequestId } from './messages.ts';

/** A request that is being answered, as its handler sees it. */
export interface Exchange {
  readonly id: RequestId;
  /** Aborts when the client cancels the request, or has gone. */
  readonly signal: AbortSignal;
  /** Those of the access token that came with it; undefined where there is none, and nothing is limited. */
  readonly scopes: readonly string[] | undefined;
  /** Tells the client something that belongs to this request. What cannot be sent is dropped. */
  notify(notification: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }): void;
  /** Asks the client something that belongs to this request. Rejects when it refuses, or when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  /** Lets the client go on: it takes the result later. Absent where it waits for it. */
  later?(): void;
}

/** What a server may ask its client while a request is answered. */
export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
  /** See `Question` of the kernel. */
  readonly name?: string;
  readonly holdsFor?: string;
  readonly things?: Readonly<Record<string, string>>;
}
