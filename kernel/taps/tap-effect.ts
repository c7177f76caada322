import type { HookName } from './hook-names.ts';

/** The effect of one tap of a call, for explanations. Secrets are masked. */
export interface TapEffect {
  readonly hook: HookName;
  readonly plugin: string;
  /** The full name of the tap. */
  readonly tap: string;
  /** The first argument of the hook. */
  readonly given: unknown;
  /** The returned value; undefined when the tap changed nothing. */
  readonly returned: unknown;
}
