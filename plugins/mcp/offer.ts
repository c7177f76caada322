import { type MaybeTool, type Registry, ToolkitError } from '../../kernel/index.ts';
import { type ExposureChoice, isFinder } from '../shared/exposure/exposure.ts';
import type { OutputSchemas } from '../shared/exposure/listed-schemas.ts';
import { namedTools, toolFilter } from '../shared/exposure/tool-filter.ts';

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

/** Throws CONFIG_INVALID for an entry that matches no tool, and where a client could be listed nothing. */
export function offerOf(
  { tools, excludeTools, pinned, expose = 'all', outputSchemas = 'compact' }: OfferOptions,
  registry: Registry,
): Offer {
  const names = [...registry.tools.keys()];
  const isOffered = toolFilter(tools, excludeTools, names);
  const isDenied = namedTools('excludeTools', excludeTools, names) ?? (() => false);
  const isPinned = namedTools('pinned', pinned, names) ?? (() => false);
  const isVisible: IsTool = expose === 'all' ? isOffered : (tool) => isOffered(tool) || (isFinder(tool) && !isDenied(tool));
  if (
    expose === 'all' ||
    [...registry.tools.values()].some((tool) => isFinder(tool) && isVisible(tool) && tool.definition.listed === 'always')
  )
    return { isOffered, isVisible, isPinned, outputSchemas };
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"expose" is ${expose}, and there is no tool to search with: expected those of the provider core. Load the core tools, take their names from "excludeTools", or expose all.`,
  );
}
