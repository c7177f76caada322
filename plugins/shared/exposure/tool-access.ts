import { type MaybeTool, type Registry, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { type ExposureChoice, isSearchTool } from './exposure.ts';
import type { OutputSchemas } from './listed-schemas.ts';
import { namedTools, toolFilter } from './tool-filter.ts';
import { traitsOf } from './tool-traits.ts';

type IsTool = (tool: MaybeTool) => boolean;

/** Tools that clients may call, and tools that are listed to them. */
export interface ToolAccess {
  /** True for an allowed tool: listed when all tools are listed. */
  readonly isAllowed: IsTool;
  /** True for a callable tool: an allowed tool, or one that finds and calls allowed tools. */
  readonly isCallable: IsTool;
  /** True for a tool that is listed in every exposure. */
  readonly isPinned: IsTool;
  /** Form of listed output schemas. */
  readonly outputSchemas: OutputSchemas;
}

/** Options of the server, which documents them. */
export interface ToolAccessOptions {
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly pinned?: readonly string[];
  readonly expose?: ExposureChoice;
  readonly outputSchemas?: OutputSchemas;
}

/**
 * Decides tool access. `filter`: a further condition for allowed tools. `current`: the registry of the moment, after reloads too. Throws
 * CONFIG_INVALID for an entry that matches no tool, and when a client could be listed no tool.
 */
export function decideToolAccess(
  { tools, excludeTools, pinned, expose = 'all', outputSchemas = 'compact' }: ToolAccessOptions,
  registry: Registry,
  filter: IsTool = () => true,
  current: () => Registry = () => registry,
): ToolAccess {
  const names = withCompanions(registry).map(({ name }) => name);
  const isNamed = toolFilter(tools, excludeTools, names);
  const isDenied = namedTools('excludeTools', excludeTools, names) ?? (() => false);
  const isPermitted: IsTool = (tool) => (isNamed(tool) && filter(tool)) || (isCompanion(tool) && !isDenied(tool));
  const isAllowed: IsTool = (tool) => isPermitted(tool) && !traitsOf(tool).isDraft;
  const isPinned = namedTools('pinned', pinned, names) ?? (() => false);
  const needsSearchTools = expose === 'all' ? guideNeed(current, isAllowed) : () => true;
  const isCallable: IsTool = (tool) => isAllowed(tool) || (isSearchTool(tool) && !isDenied(tool) && needsSearchTools());
  if (expose === 'all' || searchTools(excludeTools, registry).length > 0) return { isAllowed, isCallable, isPinned, outputSchemas };
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"expose" is ${expose}, and there is no tool to search with: expected those of the provider core. Load the core tools, take their names from "excludeTools", or expose all.`,
  );
}

/**
 * Returns a function that is true while an allowed tool is not listed, or perhaps not whole: the search tools find it and show it, whatever tools the operator
 * allows. Looks through each registry once.
 */
function guideNeed(current: () => Registry, isAllowed: IsTool): () => boolean {
  let known: { readonly registry: Registry; readonly isNeeded: boolean } | undefined;
  return () => {
    const registry = current();
    if (known?.registry !== registry) {
      const isNeeded = [...registry.tools.values()].some((tool) => traitsOf(tool).isWrittenOut && isAllowed(tool));
      known = { registry, isNeeded };
    }
    return known.isNeeded;
  };
}

/** Returns the search tools, which are listed in every exposure. Empty when the operator excludes them. */
export function searchTools(excludeTools: readonly string[] | undefined, registry: Registry): readonly Tool[] {
  const isDenied = namedTools('excludeTools', excludeTools, [...registry.tools.keys()]) ?? (() => false);
  return [...registry.tools.values()].filter((tool) => isSearchTool(tool) && !isDenied(tool) && traitsOf(tool).listed === 'always');
}
