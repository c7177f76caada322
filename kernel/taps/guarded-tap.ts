import type { Tool } from '../definition/tool.ts';

/**
 * A tap behind the guard: what it throws names its plugin, and what it returns is checked. Every hook has a subject and a context, but dispose,
 * which has the context alone. What it gives is a promise where the tap gave one.
 */
export type GuardedTap = (subject: unknown, context?: unknown) => unknown;

/** As tapable keeps a tap. */
export interface GuardedOptions {
  readonly name: string;
  /** The tap for calls of this tool; undefined where it has nothing to do, or, for those who watch, one that does nothing. */
  readonly forTool: (tool: Tool | undefined, isWatched: boolean) => GuardedTap | undefined;
}

/** The taps of a hook that apply to a tool, in their order. */
export function tapsFor(
  hook: { readonly taps: readonly unknown[] } | undefined,
  tool: Tool | undefined,
  isWatched: boolean,
): readonly GuardedTap[] {
  return (hook?.taps ?? []).flatMap((tap) => (tap as GuardedOptions).forTool(tool, isWatched) ?? []);
}
