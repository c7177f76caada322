import type { TraceContext } from '../../../../kernel/index.ts';

/** Facts about a request that its transport knows, beside its message. */
export interface Arrival {
  /** Scopes of the request's access token; absent without such a token, and then no scope limits the request. */
  readonly scopes?: readonly string[] | undefined;
  /** How it came: over the network, or by standard input. @default pipe */
  readonly network?: 'tcp' | 'pipe';
  /** Id of the session. Absent without one. */
  readonly session?: string;
  /** Place in a trace by the headers of the request. A `_meta` of the message wins. */
  readonly trace?: Partial<TraceContext> | undefined;
}
