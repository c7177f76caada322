import type { HookName } from './hook-names.ts';

/** The guard's rule for the taps of a hook, besides naming and attribution. */
export interface HookRule {
  /** True to collect a throw as a problem and run the other taps. */
  readonly collects?: boolean;
  /** Binds the first argument to the plugin of a tap. */
  readonly bind?: (argument: never, tap: { readonly plugin: string; readonly name: string }) => unknown;
  /** Throws PLUGIN_INVALID for an invalid returned value. */
  readonly check?: (given: never, returned: unknown, refuse: (expected: string, received: string) => never) => void;
}

export type HookRules = { readonly [H in HookName]?: HookRule };
