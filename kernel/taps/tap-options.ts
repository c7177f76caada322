import type { Tool } from '../definition/schema/tool.ts';

/** The options of a tap. */
export interface TapOptions {
  /** A label. The tap runs as `<plugin>` when the label is the plugin's name, otherwise as `<plugin>:<label>`. */
  readonly name: string;
  /** Lower runs first. @default 0 */
  readonly stage?: number;
  /** Names of plugins or taps that must come after this one. An unknown name is refused. */
  readonly before?: string | readonly string[];
  /**
   * Returns false for tools whose calls skip this tap. It runs before the first call of each tool, and again after a reload.
   * For the hooks of a call, `injectAuth` to `settled`. @default every tool
   * @example hooks.beforeExecute.tap({ name: 'my-plugin', appliesTo: (tool) => tool.risk === 'high' }, check);
   */
  readonly appliesTo?: (tool: Tool) => boolean;
  /** True when only calls with `once` run this tap. For the same hooks as `appliesTo`. @default false */
  readonly onlyOnce?: boolean;
}
