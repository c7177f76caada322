import { type MaybeTool, type Registry, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { type ExposureChoice, isFinder } from './exposure.ts';
import type { OutputSchemas } from './listed-schemas.ts';
import { namedTools, toolFilter } from './tool-filter.ts';
import { traitsOf } from './tool-traits.ts';

type IsTool = (tool: MaybeTool) => boolean;

/** Which tools clients may call, and which of them are listed to each. */
export interface Offer {
  /** Listed where all tools are. */
  readonly isOffered: IsTool;
  /** Those, and the tools with which a client finds and calls them. */
  readonly isVisible: IsTool;
  /** Listed in every exposure. */
  readonly isPinned: IsTool;
  /** What is listed of their results. */
  readonly outputSchemas: OutputSchemas;
}

/** Options of the server, described there. */
export interface OfferOptions {
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly pinned?: readonly string[];
  readonly expose?: ExposureChoice;
  readonly outputSchemas?: OutputSchemas;
}

/** `isWanted`: what else an offered tool must be. Throws CONFIG_INVALID for an entry that matches no tool, and where a client could be listed nothing. */
export function offerOf(
  { tools, excludeTools, pinned, expose = 'all', outputSchemas = 'compact' }: OfferOptions,
  registry: Registry,
  isWanted: IsTool = () => true,
): Offer {
  const names = withCompanions(registry).map(({ name }) => name);
  const isNamed = toolFilter(tools, excludeTools, names);
  const isDenied = namedTools('excludeTools', excludeTools, names) ?? (() => false);
  const isAllowed: IsTool = (tool) => (isNamed(tool) && isWanted(tool)) || (isCompanion(tool) && !isDenied(tool));
  const isOffered: IsTool = (tool) => isAllowed(tool) && !traitsOf(tool).isDraft;
  const isPinned = namedTools('pinned', pinned, names) ?? (() => false);
  const isVisible: IsTool = expose === 'all' ? isOffered : (tool) => isOffered(tool) || (isFinder(tool) && !isDenied(tool));
  if (expose === 'all' || searchTools(excludeTools, registry).length > 0) return { isOffered, isVisible, isPinned, outputSchemas };
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"expose" is ${expose}, and there is no tool to search with: expected those of the provider core. Load the core tools, take their names from "excludeTools", or expose all.`,
  );
}

/** The tools to search with, which are listed in every exposure; none where the operator has left them out. */
export function searchTools(excludeTools: readonly string[] | undefined, registry: Registry): readonly Tool[] {
  const isDenied = namedTools('excludeTools', excludeTools, [...registry.tools.keys()]) ?? (() => false);
  return [...registry.tools.values()].filter((tool) => isFinder(tool) && !isDenied(tool) && traitsOf(tool).listed === 'always');
}
