import type { CallOutput } from '../call/output.ts';
import type { CallRequest } from '../call/request.ts';
import type { ToolkitError } from '../errors.ts';

/**
 * Knowledge about the effect of a call with `once`. `none`: no attempt is known that may have had it. `open`: an attempt runs, or its outcome
 * is unknown. `done`: it had its effect, with this result or error.
 */
export type KnownEffect =
  | { readonly state: 'none' | 'open' }
  | { readonly state: 'done'; readonly result: Pick<CallOutput, 'output' | 'content'> }
  | { readonly state: 'done'; readonly error: ToolkitError };

/** Finds out what is known about the effect of a call, without running it. Rejects with STATE_UNAVAILABLE. */
export type FindEffect = (call: Required<Pick<CallRequest, 'tool' | 'caller' | 'once'>>) => Promise<KnownEffect>;
