import type { CommandFlag } from './command.ts';
import type { FlagTopic } from './kernel-api.ts';

/**
 * A flag that sets an option of its plugin. `optionsSchema` says how its text is read when `parse` does not (a switch, one of some words, a whole
 * number, a comma-separated list, a text), and which default the help shows.
 */
export type PluginFlag = Omit<CommandFlag, 'default' | 'repeats'>;

/** The flags of a plugin, in every command that has their topic. */
export interface PluginFlags<Options> {
  /** By option. With `combineFlags` also by path within an option, such as `resolvers.vault.secretPath`. */
  readonly flags?: Readonly<Record<string, PluginFlag>>;
  /** @default 'serve' */
  readonly flagTopic?: FlagTopic;
  /**
   * Returns the options that the flags set; they take precedence over `options`, those of the configuration. Throws INVALID_PARAMETERS for flags that
   * contradict each other or have no effect. @default each flag sets its option
   */
  combineFlags?(given: Readonly<Record<string, unknown>>, options: Options): Readonly<Record<string, unknown>>;
}
