import type { CallOutput } from '../call/output.ts';
import type { CallRequest } from '../call/request.ts';
import type { Tool } from '../definition/schema/tool.ts';
import type { ToolkitError } from '../errors.ts';

/**
 * Knowledge about the effect of a call with `once`. `none`: no attempt is known that may have had it. `open`: an attempt runs, or its outcome
 * is unknown. `done`: it had its effect, with this result or error. `isRetryable`: a further call with the same `once` finds the outcome out, or
 * repeats the effect safely.
 */
export type KnownEffect =
  | { readonly state: 'none' }
  | { readonly state: 'open'; readonly isRetryable?: true }
  | { readonly state: 'done'; readonly result: Pick<CallOutput, 'output' | 'content'> }
  | { readonly state: 'done'; readonly error: ToolkitError };

/** The name of an effect. */
export type EffectName = Required<Pick<CallRequest, 'tool' | 'caller' | 'once'>>;

/**
 * Finds out what is known about the effect of a call, without running it. `tool`: the tool as this process has it; undefined where it has none of
 * that name. Rejects with STATE_UNAVAILABLE.
 */
export type FindEffect = (name: EffectName, tool: Tool | undefined) => Promise<KnownEffect>;
