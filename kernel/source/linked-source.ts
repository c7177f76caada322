import type { ToolLinkResult } from '../definition/link/link-result.ts';
import type { LinkedTool } from '../definition/link/linked-tool.ts';
import type { Origin } from '../definition/schema/origin.ts';
import type { Problem } from '../definition/schema/problem.ts';
import type { Provider } from '../definition/schema/tool.ts';

/** The tools and providers of a source, checked and linked. */
export interface LinkedSource {
  readonly tools: ReadonlyMap<string, LinkedTool>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly problems: readonly Problem[];
}

/** The cached link result of a whole listing. */
export interface CachedLink {
  /** Keys of the small derivations whose values it has. */
  readonly derived: readonly string[];
  link(origin: Omit<Origin, 'plugin'> & Pick<Origin, 'plugin'>): LinkedSource;
}

/** The link results of one listing, by the name of the tool. */
export type ToolForms = ReadonlyMap<string, ToolLinkResult>;
