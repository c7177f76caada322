import type { CallRequest } from '../../../kernel/index.ts';

/** Limits of the tools of a process. */
export const limits = { rate: { requests: 600, per_ms: 10_000 }, concurrency: 3, counted: 5, fencedTimeoutMs: 12_000 } as const;

/** An order to a process. */
export type Order =
  | { readonly call: CallRequest }
  /** Number of calls of `rated`, all at once. */
  | { readonly calls: number }
  /** The label of a call of `placed`. */
  | { readonly end: string }
  /** Reads the URI of a page. */
  | { readonly page: string; readonly caller: string }
  | { readonly status: true }
  /** Calls of a tool that take this long, in milliseconds, so many at the same time and one after the other, until `stop`. */
  | { readonly load: 'counted' | 'fenced'; readonly ms: number; readonly parallel: number }
  /** Answers with the number of calls that succeeded. */
  | { readonly stop: true };

/** A report of a process. */
export type Report =
  | { readonly ready: true }
  | { readonly started: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };
