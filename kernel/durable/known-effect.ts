import type { CallRequest } from '../call/request.ts';
import type { ToolkitError } from '../errors.ts';
import type { CallResult } from './call-engine.ts';

/**
 * Knowledge about the effect of a call with `once`. `none`: no attempt is known that may have had it. `open`: an attempt runs, or its outcome
 * is unknown. `done`: it had its effect, with this result or error.
 */
export type KnownEffect =
  | { readonly state: 'none' | 'open' }
  | { readonly state: 'done'; readonly result: CallResult }
  | { readonly state: 'done'; readonly error: ToolkitError };

/** Finds out what is known about the effect of a call, without running it. Rejects with STATE_UNAVAILABLE. */
export type FindEffect = (call: Required<Pick<CallRequest, 'tool' | 'caller' | 'once'>>) => Promise<KnownEffect>;
